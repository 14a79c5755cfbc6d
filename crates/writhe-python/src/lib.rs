//! The module `writhe._core`: what of the Python package is Rust. The package itself is in
//! `python/writhe`, its tests in `tests`.

mod arrays;
mod controlled;
mod controls;
mod drive;
mod errors;
mod follow;
mod force;
mod lag;
mod motion;
mod picture;
mod points;
mod recorded;
mod run;
mod running;
mod scene;
mod shown;
mod signals;
mod simulation;
mod statics;
mod stopped;
mod sweep;
mod values;

use pyo3::prelude::*;

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<run::Run>()?;
    module.add_class::<scene::Scene>()?;
    module.add_class::<simulation::Simulation>()?;
    module.add_class::<running::Step>()?;
    module.add_function(wrap_pyfunction!(follow::follow, module)?)?;
    module.add_function(wrap_pyfunction!(scene::names, module)?)?;
    module.add_function(wrap_pyfunction!(sweep::sweep_points, module)?)?;
    module.add_function(wrap_pyfunction!(sweep::sweep_results, module)?)?;
    module.add_function(wrap_pyfunction!(scene::tables, module)?)?;
    module.add_function(wrap_pyfunction!(scene::template, module)?)?;
    module.add_function(wrap_pyfunction!(scene::to_toml, module)?)?;
    module.add_function(wrap_pyfunction!(values::metres, module)?)?;
    module.add_function(wrap_pyfunction!(values::seconds, module)?)
}
