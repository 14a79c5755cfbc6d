//! STUB until the scenes crate lands.
use std::f64::consts::TAU;
use std::path::Path;

use glam::DVec3;
use writhe::contact::ContactModel;
use writhe::integrate::StepSettings;
use writhe::loads::{Coupling, Fluid};
use writhe::model::ModelBuilder;
use writhe::rod::{Rod, Section};
use writhe::schedule::Motion;
use writhe::simulation::Simulation;

use crate::args::SceneArgs;
use crate::outputs::Outputs;
use crate::report::{Failure, Result};

pub struct RunnableScene {
    table: toml::Table,
    toml: String,
}

pub fn template(name: &str) -> Result<String> {
    Ok(format!(
        "# x\nscene = \"{name}\"\nduration = 1.0\nevery = 0.1\n"
    ))
}
pub fn list() -> String {
    "cantilever\nflagella\n".into()
}
impl RunnableScene {
    pub fn of_run(text: &str) -> Result<Self> {
        Ok(Self {
            table: toml::from_str(text).unwrap(),
            toml: text.into(),
        })
    }
    pub fn gravity(&self) -> Option<DVec3> {
        (self.name() != "flagella").then_some(DVec3::NEG_Z)
    }
    pub fn read(args: &SceneArgs, duration: Option<&str>) -> Result<Self> {
        let text =
            std::fs::read_to_string(&args.file).map_err(|e| Failure::bad_input(e.to_string()))?;
        let mut table: toml::Table = toml::from_str(&text).map_err(|e: toml::de::Error| {
            Failure::bad_input(e.message().to_owned())
                .excerpt(
                    Path::new(&args.file),
                    &text,
                    e.span().unwrap_or(0..1),
                    Some("here".into()),
                )
                .help("fix it")
        })?;
        for s in &args.set {
            table.insert(
                s.key.clone(),
                toml::from_str::<toml::Table>(&format!("v={}", s.value)).unwrap()["v"].clone(),
            );
        }
        if let Some(d) = duration {
            table.insert("duration".into(), toml::Value::Float(d.parse().unwrap()));
        }
        let toml = toml::to_string(&table).unwrap();
        Ok(Self { table, toml })
    }
    fn f(&self, k: &str, d: f64) -> f64 {
        self.table
            .get(k)
            .and_then(|v| v.as_float().or(v.as_integer().map(|i| i as f64)))
            .unwrap_or(d)
    }
    pub fn name(&self) -> &str {
        self.table
            .get("scene")
            .and_then(|v| v.as_str())
            .unwrap_or("x")
    }
    pub fn toml(&self) -> &str {
        &self.toml
    }
    pub fn describe(&self) -> Result<String> {
        Ok(self.toml.clone())
    }
    pub fn outputs(&self) -> Outputs {
        Outputs::new(self.f("every", 0.1), self.f("duration", 1.0))
    }
    pub fn checkpoint_every(&self) -> u64 {
        10
    }
    pub fn simulation(&self) -> Result<Simulation> {
        let material = writhe::rod::Material::new(3e6, 0.5, 1000.0);
        let section = Section::circle(material, 1e-3);
        let mut b = ModelBuilder::new();
        if self.name() == "flagella" {
            let m = self.f("m", 2.0) as usize;
            for k in 0..m {
                let a = TAU * k as f64 / m as f64;
                let r = 0.015 / (std::f64::consts::PI / m as f64).sin();
                let at = DVec3::new(0.0, r * a.cos(), r * a.sin());
                let mut x = vec![at, at + DVec3::X * 5e-3];
                for i in 0..=64 {
                    let s = TAU * 4.0 * i as f64 / 64.0;
                    x.push(at + DVec3::new(0.012 + 0.05 * s / TAU, 0.01 * s.cos(), 0.01 * s.sin()));
                }
                b = b.rod(Rod::open(x, section).unwrap()).clamp(
                    k,
                    0,
                    Motion::spin(at, DVec3::X, TAU * 0.25),
                );
            }
            b = b.fluid(Fluid {
                viscosity: 0.1,
                regularisation: 1.02,
                coupling: Coupling::Implicit,
            });
            b = b.contact(ContactModel::Imc(Default::default()));
        } else {
            let x = (0..20).map(|i| DVec3::X * 0.005 * i as f64).collect();
            b = b
                .rod(Rod::open(x, section).unwrap())
                .clamp(0, 0, Motion::Still)
                .gravity(DVec3::NEG_Z * 9.81);
        }
        let (model, state) = b.build().map_err(|e| Failure::bad_input(e.to_string()))?;
        Ok(Simulation::new(
            model,
            state,
            StepSettings {
                dt: self.f("dt", 0.01),
                ..Default::default()
            },
        ))
    }
}
