//! Ramps the speed of a flexible helix: `flexible_helix [DENSITY] [FROM] [TO] [TURNS BEFORE] [TURNS
//! OF THE RAMP] [PRINTED]`.

use writhe_validate::setup::flexible_helix::FlexibleHelix;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |i: usize, default: f64| arguments.get(i).map_or(Ok(default), |a| a.parse());
    let mut helix = FlexibleHelix::new(
        number(1, 1000.0)?,
        [number(2, 100.0)?, number(3, 10000.0)?],
        [number(4, 10.0)?, number(5, 500.0)?],
    )?;
    let printed = number(6, 100.0)?;
    let clock = std::time::Instant::now();
    let mut next = 0.0;
    while helix.simulation.state.time < helix.end() {
        helix.step()?;
        if helix.simulation.state.time >= next {
            next += helix.end() / printed;
            let t = helix.turning()?;
            println!(
                "speed {:9.2} thrust {:.5e} tip radius {:.4} height {:.4} steps {} Newton {:.2} wall {:.1} s",
                t.speed,
                t.thrust,
                t.tip_radius,
                t.tip_height,
                helix.simulation.statistics.steps,
                helix.simulation.statistics.newton_iterations as f64
                    / helix.simulation.statistics.steps as f64,
                clock.elapsed().as_secs_f64(),
            );
        }
    }
    Ok(())
}
