//! B08 Fig. 10: a chain of links hangs, is pulled until a link opens, or breaks, and its links fly
//! apart.

use glam::DVec3;
use writhe_results::table::number;
use writhe_rundir::RunReader;

use super::oscillation::column;
use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::measure::{largest, linking, rods};
use crate::picture::{Strip, View, sheet};
use crate::plan::{End, RunPlan, Start};
use crate::rows::Rows;

/// B08 Fig. 10.
#[derive(Debug)]
pub struct Fig10;

const NAME: &str = "bergou2008-fig10";
/// Links.
const LINKS: usize = 7;
/// When pulling begins, and when it ends, s.
const PULLED: [f64; 2] = [12.0, 32.0];
/// Two links hold each other while Gauss's integral over both is above this; it is nearly one of
/// closed links.
const HOOKED: f64 = 0.5;
/// Links fly apart where they recede at so many times the speed at which the end is pulled.
const APART: f64 = 2.0;
/// A chain hangs where its ends carry at least this part of its weight.
const CARRIED: f64 = 0.8;

/// A chain. Masses, gravity and drag are not in the paper.
#[derive(Debug, Clone, Copy)]
struct Case {
    name: &'static str,
    /// Largest force of the weld that closes a link, N; open without, as in the paper.
    strength: Option<f64>,
    /// Mass per length, kg/m.
    mass_per_length: f64,
    /// Gravity, m/s^2.
    gravity: f64,
    /// Drag per length and speed, Pa s.
    viscosity: f64,
    /// By how much the ends come together at first, m.
    slack: f64,
    /// Speed of the end that is pulled, m/s.
    speed: f64,
    /// Time between frames, s.
    every: f64,
}

/// The scene as it is: drag carries the links and pulls them open.
const CHAIN: Case = Case {
    name: "chain",
    strength: None,
    mass_per_length: 1.0,
    gravity: 0.05,
    viscosity: 0.5,
    slack: 1.5,
    speed: 0.4,
    every: 0.1,
};

/// The same links, light enough to hang in equilibrium and with little drag.
const TAUT: Case = Case {
    name: "taut",
    mass_per_length: 0.05,
    gravity: 0.2,
    viscosity: 0.02,
    slack: 0.5,
    speed: 0.5,
    every: 0.02,
    ..CHAIN
};

const CASES: [Case; 4] = [
    CHAIN,
    Case {
        name: "limited",
        strength: Some(6.0),
        ..CHAIN
    },
    TAUT,
    Case {
        name: "taut-limited",
        strength: Some(6.0),
        ..TAUT
    },
];

fn plan(case: &Case, span: Span) -> RunPlan {
    let mut sets = vec![format!("scene.links={LINKS}")];
    if let Some(strength) = case.strength {
        sets.push(format!("scene.strength={strength}"));
    }
    // The scene's own values are left out, so that runs recorded with them are found.
    let (values, usual) = (case.values(), CHAIN.values());
    let changed = values.iter().zip(usual).filter(|(ours, its)| *ours != its);
    sets.extend(changed.map(|((key, value), _)| format!("{key}={value}")));
    RunPlan {
        name: format!("{}{}", case.name, span.suffix()),
        scene: "hanging-chain",
        sets,
        start: Start::Rest,
        end: End::At(span.choose(PULLED[1], 1.0)),
        every: case.every,
    }
}

impl Case {
    fn values(&self) -> [(&'static str, f64); 5] {
        [
            ("scene.mass_per_length", self.mass_per_length),
            ("scene.gravity", self.gravity),
            ("damping.viscosity", self.viscosity),
            ("scene.slack", self.slack),
            ("scene.speed", self.speed),
        ]
    }
}

impl Experiment for Fig10 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "a hanging chain is pulled until a link opens, or breaks, and its links fly apart (B08 Fig. 10)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("links", "links"),
            ("first_contact_s", "first contact s"),
            ("carried", "carried"),
            ("breaks_s", "breaks at s"),
            ("force_N", "force before N"),
            ("force_other_N", "at other end N"),
            ("joint", "joint"),
            ("hooked_end", "hooked in the end"),
            ("elastic_J", "elastic J"),
            ("kinetic_J", "kinetic J"),
            ("work_J", "work J"),
            ("heat_J", "heat J"),
            ("scheme_J", "scheme J"),
            ("bound_m_s", "bound m/s"),
            ("rms_m_s", "rms m/s"),
            ("speed_after", "fastest m/s"),
            ("recede_m_s", "recede m/s"),
            ("deepest_penetration_mm", "deepest penetration mm"),
        ]
    }

    fn rows(&self, _span: Span) -> Vec<Row> {
        rows_of(CASES, |case| case.name.to_owned(), measure)
    }

    fn notes(&self, rows: &Rows, bench: &Bench) -> String {
        let mut text = format!(
            "The scene hanging-chain, {LINKS} links of 31 nodes, as the paper's: B = 2, beta = 2, radius 1, open by 20 degrees. It hangs until 12 s, then one\n\
             end is pulled away. Two neighbours are hooked while Gauss's linking integral over both is above .5; the chain breaks with the first\n\
             that are not. In `limited` rows each link is closed across its opening by a weld that bears 6 N, and the chain breaks with the first\n\
             weld. Every accepted step was swept for crossings and had none. carried: the part of the weight that the ends carry from 10 to 12 s.\n\
             Force: largest on the end that is pulled, before, and the largest on the other end. In chain and limited (1 kg/m, gravity .05,\n\
             drag .5 Pa s) the chain still sinks when it is pulled, and drag opens a link before the other end feels it; its weight, 2.1 N, would\n\
             open a link in the end. Taut rows (.05 kg/m, gravity .2, drag .02 Pa s, .42 N) are in tension as a whole.\n\
             Energy: `elastic` and `kinetic` when the chain breaks; from then until the kinetic energy is largest, within a second, `work` of gravity\n\
             and of the ends, `heat`, and what the time scheme made. bound: the rms speed of all links if all of elastic, kinetic and work became\n\
             motion; rms: the largest. fastest: of a link's middle, held ones too. recede: the largest speed at which the middles of\n\
             the two links at the break go from each other.\n"
        );
        if bench.span == Span::Full {
            for case in CASES {
                let of = |column: &str| rows.number(case.name, column);
                let (Some(at), Some(recede)) = (of("breaks_s"), of("recede_m_s")) else {
                    continue;
                };
                let (bound, rms) = (of("bound_m_s"), of("rms_m_s"));
                let kept = bound.zip(rms).is_some_and(|(bound, rms)| rms <= bound);
                let verdict = |met: bool| if met { "met" } else { "NOT met" };
                text += &format!(
                    "  {}: hangs from its ends ({}); breaks when it is pulled ({}); links recede at {} times the speed of the pull, at least {APART} wanted ({}); no faster than energy allows ({})\n",
                    case.name,
                    verdict(of("carried").is_some_and(|part| part >= CARRIED)),
                    verdict(at > PULLED[0]),
                    number(recede / case.speed, 3),
                    verdict(recede >= APART * case.speed),
                    verdict(kept),
                );
            }
        }
        text
    }

    fn finish(&self, rows: &Rows, bench: &mut Bench) -> Result<Vec<String>> {
        let mut written = Vec::new();
        for case in CASES {
            let Some((reader, _)) = bench.look_at(&plan(&case, bench.span)) else {
                continue;
            };
            let at = rows.number(case.name, "breaks_s").unwrap_or(PULLED[1]);
            let tenth = |time: f64| (10.0 * time).round() / 10.0;
            let times = bench.span.choose(
                vec![
                    0.0,
                    PULLED[0],
                    tenth(at - 3.0),
                    tenth(at - 0.2),
                    tenth(at + 0.5),
                    tenth(at + 1.5),
                ],
                vec![1.0],
            );
            let strip = Strip {
                label: String::new(),
                runs: vec![reader],
            };
            let file = format!("{NAME}-{}{}.png", case.name, bench.span.suffix());
            bench.write(&file, &sheet(&[strip], &times, View::Standing)?)?;
            written.push(format!("Picture: {file}"));
        }
        Ok(written)
    }
}

/// Gauss's integral over each pair of neighbours in a frame, without sign.
fn hooks(reader: &RunReader, frame: usize) -> Result<Vec<f64>> {
    let links = rods(reader, frame)?;
    let pairs = links.windows(2);
    Ok(pairs
        .map(|pair| linking(&pair[0], &pair[1]).abs())
        .collect())
}

fn measure(case: &Case, bench: &mut Bench) -> Result<Vec<String>> {
    let (reader, summary) = bench.frames(&plan(case, bench.span))?;
    let times = reader.times()?;
    let mut all = Vec::new();
    for frame in 0..reader.frames() {
        all.push(hooks(&reader, frame)?);
    }
    let names: Vec<String> = (1..LINKS).map(|joint| format!("linking{joint}")).collect();
    let mut header = vec!["time_s", "force_N", "elastic_J", "kinetic_J"];
    header.extend(names.iter().map(String::as_str));
    let [other, force] = [0, 1].map(|end| held(&reader, end));
    let energies = Energies::read(&reader)?;
    let lines: Vec<Vec<String>> = (0..times.len())
        .map(|i| {
            let values = [times[i], force[i], energies.elastic[i], energies.kinetic[i]]
                .into_iter()
                .chain(all[i].iter().copied());
            values.map(|v| number(v, 5)).collect()
        })
        .collect();
    bench.write_curve(NAME, case.name, &header, &lines)?;
    let unhooked = all
        .iter()
        .position(|joints| joints.iter().any(|l| *l < HOOKED));
    let broken = match case.strength {
        None => unhooked,
        Some(_) => reader
            .observable("joints_broken")
            .and_then(|o| o.values.iter().position(|n| *n > 0.0)),
    };
    let joint = unhooked.and_then(|frame| all[frame].iter().position(|l| *l < HOOKED));
    let hooked = all
        .last()
        .map_or(0, |joints| joints.iter().filter(|l| **l >= HOOKED).count());
    let depth = column(&reader, "penetration")?;
    let mut row = vec![
        LINKS.to_string(),
        number(summary.first_contact_s, 4),
        number(carried(case, &reader)?, 3),
        number(broken.map(|frame| times[frame]), 4),
    ];
    let strongest = |force: &[f64]| {
        let before = |frame: usize| force[..frame].iter().fold(0.0, |l: f64, f| l.max(f.abs()));
        number(broken.map(before), 3)
    };
    row.extend([strongest(&force), strongest(&other)]);
    row.push(joint.map_or(String::new(), |joint| (joint + 1).to_string()));
    row.push(hooked.to_string());
    let after = match broken {
        Some(frame) => after(case, &reader, &energies, frame, joint)?,
        None => [f64::NAN; 9],
    };
    row.extend(after.map(|value| number(value, 3)));
    row.push(number(1e3 * largest(depth.iter().copied()), 3));
    Ok(row)
}

/// Part of the chain's weight that its ends carry in the last two seconds before it is pulled; drag
/// carries the rest, or the chain falls.
fn carried(case: &Case, reader: &RunReader) -> Result<f64> {
    let [a, b] = [0, 1].map(|end| column(reader, &format!("held_node{end}_force_z")));
    let (a, b, times) = (a?, b?, reader.times()?);
    let waited = (0..times.len()).filter(|i| (times[*i] - PULLED[0] + 1.0).abs() <= 1.0);
    let forces: Vec<f64> = waited.map(|i| a[i] + b[i]).collect();
    let mean = forces.iter().sum::<f64>() / forces.len() as f64;
    Ok(mean / (mass(case, reader)? * case.gravity))
}

/// Mass of all links, kg.
fn mass(case: &Case, reader: &RunReader) -> Result<f64> {
    let links = rods(reader, 0)?;
    let edges = links.iter().flat_map(|nodes| nodes.windows(2));
    let length: f64 = edges.map(|edge| edge[0].distance(edge[1])).sum();
    Ok(length * case.mass_per_length)
}

/// Size of the force in the plane of the chain, along x and z, that holds an end, N, `(frames)`.
fn held(reader: &RunReader, end: usize) -> Vec<f64> {
    let part = |axis: &str| column(reader, &format!("held_node{end}_force_{axis}"));
    match (part("x"), part("z")) {
        (Ok(x), Ok(z)) => x.iter().zip(z).map(|(x, z)| x.hypot(*z)).collect(),
        _ => vec![f64::NAN; reader.frames()],
    }
}

/// Energies and works of a run, J, `(frames)`.
struct Energies {
    elastic: Vec<f64>,
    kinetic: Vec<f64>,
    /// Of gravity and of what holds the ends, since the start.
    work: Vec<f64>,
    /// By drag, since the start.
    heat: Vec<f64>,
    /// Made by the time scheme, since the start.
    scheme: Vec<f64>,
}

impl Energies {
    fn read(reader: &RunReader) -> Result<Self> {
        let sum = |names: &[&str]| -> Result<Vec<f64>> {
            let mut total = vec![0.0; reader.frames()];
            for name in names {
                let values = column(reader, name)?;
                total.iter_mut().zip(values).for_each(|(t, v)| *t += v);
            }
            Ok(total)
        };
        Ok(Self {
            elastic: sum(&[
                "energy_stretch",
                "energy_bend",
                "energy_twist",
                "energy_contact",
            ])?,
            kinetic: sum(&["energy_kinetic"])?,
            work: sum(&["work_loads", "work_supports", "work_contact", "work_motors"])?,
            heat: sum(&["heat_drag", "heat_damping", "heat_friction"])?,
            scheme: sum(&["scheme_gain"])?,
        })
    }
}

/// What becomes of the energy within a second after the chain breaks: elastic and kinetic energy at
/// the break, work, heat and what the scheme made until the kinetic energy is largest, J; the rms
/// speed that they allow and the largest rms speed, the largest speed of a link's middle, and the
/// largest at which those beside the break recede, m/s.
fn after(
    case: &Case,
    reader: &RunReader,
    energies: &Energies,
    broken: usize,
    joint: Option<usize>,
) -> Result<[f64; 9]> {
    let times = reader.times()?;
    let until = times
        .iter()
        .rposition(|t| *t <= times[broken] + 1.0 + 1e-9)
        .unwrap_or(broken);
    let kinetic = &energies.kinetic;
    let top = (broken..=until)
        .max_by(|a, b| kinetic[*a].total_cmp(&kinetic[*b]))
        .unwrap_or(broken);
    let change = |values: &[f64]| values[top] - values[broken];
    let work = change(&energies.work);
    let mass = mass(case, reader)?;
    let rms = |energy: f64| (2.0 * energy / mass).sqrt();
    let (elastic, moving) = (energies.elastic[broken], kinetic[broken]);
    let (mut fastest, mut recede) = (0.0_f64, 0.0_f64);
    let mut before = middles(reader, broken)?;
    for frame in broken + 1..=until {
        let now = middles(reader, frame)?;
        let dt = times[frame] - times[frame - 1];
        let moved = now.iter().zip(&before).map(|(a, b)| a.distance(*b));
        fastest = moved.fold(fastest, |l, d| l.max(d / dt));
        if let Some(joint) = joint {
            let apart = |at: &[DVec3]| at[joint].distance(at[joint + 1]);
            recede = recede.max((apart(&now) - apart(&before)) / dt);
        }
        before = now;
    }
    Ok([
        elastic,
        moving,
        work,
        change(&energies.heat),
        change(&energies.scheme),
        rms(elastic + moving + work.max(0.0)),
        rms(kinetic[top]),
        fastest,
        recede,
    ])
}

/// Mean of the nodes of each link in a frame, m.
fn middles(reader: &RunReader, frame: usize) -> Result<Vec<DVec3>> {
    let mean = |nodes: Vec<DVec3>| nodes.iter().sum::<DVec3>() / nodes.len() as f64;
    Ok(rods(reader, frame)?.into_iter().map(mean).collect())
}
