//! Contact and friction.

use writhe::contact::{
    ContactJacobian, ContactModel, Friction, FrictionSolve, ImcSettings, ImcSmoothSettings,
    IpcSettings, LaggedFriction, SpillmannTeschnerSettings, StaticFriction, Stiffness,
};

use crate::spec::{
    ContactKind, ContactSpec, FrictionSolveSpec, JacobianSpec, StaticFrictionSpec, StiffnessSpec,
};
use crate::units::{Number, Speed};

/// The contact model that a scene names, with its parameters.
pub(super) fn contact_model(spec: &ContactSpec) -> ContactModel {
    let stiffness = match spec.own.stiffness {
        None | Some(StiffnessSpec::Automatic) => Stiffness::Automatic,
        Some(StiffnessSpec::Given(k)) => Stiffness::Given(k.si()),
        Some(StiffnessSpec::LargestForce(scale)) => Stiffness::LargestForce { scale: scale.si() },
    };
    match spec.model {
        ContactKind::None => ContactModel::None,
        ContactKind::Imc => ContactModel::Imc(ImcSettings {
            tolerance: spec.tolerance.si(),
            stiffness,
            friction: friction(spec),
        }),
        ContactKind::Ipc => ContactModel::Ipc(IpcSettings {
            tolerance: spec.tolerance.si(),
            stiffness,
            friction: friction(spec),
        }),
        ContactKind::SpillmannTeschner => {
            ContactModel::SpillmannTeschner(SpillmannTeschnerSettings {
                tolerance: spec.tolerance.si(),
                friction: lagged_friction(spec),
            })
        }
        ContactKind::ImcSmooth => {
            let default = ImcSmoothSettings::default();
            let own = &spec.own;
            ContactModel::ImcSmooth(ImcSmoothSettings {
                tolerance: spec.tolerance.si(),
                energy_sharpness: or(own.energy_sharpness, Number::si, default.energy_sharpness),
                distance_sharpness: or(
                    own.distance_sharpness,
                    Number::si,
                    default.distance_sharpness,
                ),
                stiffness,
                jacobian: match own.jacobian {
                    Some(JacobianSpec::Hybrid(omega)) => ContactJacobian::Hybrid {
                        omega: u32::try_from(omega).unwrap_or(u32::MAX),
                    },
                    _ => ContactJacobian::Full,
                },
                friction: lagged_friction(spec),
            })
        }
    }
}

fn friction(spec: &ContactSpec) -> Friction {
    let default = Friction::default();
    Friction {
        coefficient: spec.friction.si(),
        slip_tolerance: or(spec.own.slip_tolerance, Speed::si, default.slip_tolerance),
        on_twist: spec.own.friction_on_twist.unwrap_or(default.on_twist),
        stick: match (spec.own.static_friction, spec.own.presliding) {
            (Some(StaticFrictionSpec::Anchor), Some(presliding)) => StaticFriction::Anchor {
                presliding: presliding.si(),
            },
            _ => StaticFriction::Creep,
        },
        solved: match spec.own.friction_solve {
            Some(FrictionSolveSpec::Lagged(rounds)) => FrictionSolve::Lagged {
                rounds: u32::try_from(rounds).unwrap_or(u32::MAX),
            },
            _ => FrictionSolve::Implicit,
        },
    }
}

fn lagged_friction(spec: &ContactSpec) -> LaggedFriction {
    let default = LaggedFriction::default();
    LaggedFriction {
        coefficient: spec.friction.si(),
        slip_limit: or(spec.own.slip_limit, Number::si, default.slip_limit),
        slip_sharpness: or(spec.own.slip_sharpness, Number::si, default.slip_sharpness),
    }
}

fn or<T>(value: Option<T>, si: fn(T) -> f64, default: f64) -> f64 {
    value.map_or(default, si)
}
