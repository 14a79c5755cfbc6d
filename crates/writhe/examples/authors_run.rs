//! The authors' flagella program as shipped, run here: `authors_run END [lu|cholesky] [END_WEIGHT]`.

#[path = "../tests/support/authors_drag.rs"]
mod authors_drag;
#[path = "../tests/support/flagella.rs"]
mod flagella;

use authors_drag::{AuthorsDrag, Factor};
use writhe::integrate::StepSettings;
use writhe::observe::observe;
use writhe::simulation::Simulation;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    faer::set_global_parallelism(faer::Par::Seq);
    let a: Vec<String> = std::env::args().collect();
    let end: f64 = a.get(1).map_or(Ok(20.0), |a| a.parse())?;
    let mut drag = AuthorsDrag::as_shipped(1.0);
    if a.get(2).is_some_and(|f| f == "lu") {
        drag.factor = Factor::Lu;
    }
    if let Some(w) = a.get(3) {
        drag.end_weight = w.parse()?;
    }
    let (model, state, shared) = authors_drag::model(2, 1e4, flagella::OMEGA);
    let mut simulation = Simulation::new(model, state, StepSettings::default());
    let clock = std::time::Instant::now();
    let mut sum = glam::DVec3::ZERO;
    let steps = (end / 1e-3).round() as u64;
    for step in 1..=steps {
        authors_drag::update(&drag, &simulation.model, &simulation.state, &shared);
        simulation.step(1e-3)?;
        let o = observe(&simulation.model, &simulation.state)?;
        for r in &o.reactions { sum += r.force; }
        if step % 250 == 0 {
            let x = simulation.model.positions(&simulation.state);
            let r = sum / 250.0;
            sum = glam::DVec3::ZERO;
            println!("{:.3} newton {:.3} ends {:.6e} reaction {:.5e} {:.5e} {:.5e} wall {:.1}", simulation.state.time,
                simulation.statistics.newton_iterations as f64 / simulation.statistics.steps as f64,
                x[67].distance(x[135]), r.x, r.y, r.z, clock.elapsed().as_secs_f64());
            if step % 5000 == 0 {
                let rows = include_str!("../tests/data/flagella_authors_nodes.csv");
                let mut e = 0.0; let mut n = 0; let mut worst = 0.0_f64;
                for row in rows.lines().skip(2) {
                    let v: Vec<f64> = row.split(',').map(|v| v.parse().unwrap()).collect();
                    if (v[0] - simulation.state.time).abs() < 1e-6 {
                        let d = x[68 * v[1] as usize + v[2] as usize].distance(glam::DVec3::new(v[3], v[4], v[5])) / flagella::RADIUS;
                        e += d; n += 1; worst = worst.max(d);
                    }
                }
                if n > 0 { println!("   nodes: mean {:.4} h, largest {worst:.4} h over {n}", e / n as f64); }
            }
        }
    }
    Ok(())
}
