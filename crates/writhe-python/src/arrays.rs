//! Numbers that functions of Python return, checked.

use numpy::{PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// The finite numbers of an array, or of what NumPy makes one of, of such a shape, last axis
/// fastest; else what it is instead, after "is".
///
/// # Errors
/// When NumPy cannot be asked.
pub fn numbers(
    py: Python<'_>,
    said: &Bound<'_, PyAny>,
    wanted: &[usize],
) -> PyResult<Result<Vec<f64>, String>> {
    let array: PyReadonlyArrayDyn<'_, f64> = match said.extract() {
        Ok(array) => array,
        Err(_) => {
            let made = py
                .import("numpy")?
                .call_method1("asarray", (said, "float64"));
            match made.and_then(|array| array.extract()) {
                Ok(array) => array,
                Err(_) => return Ok(Err("no array of numbers".to_owned())),
            }
        }
    };
    let shape = array.shape();
    if shape != wanted {
        return Ok(Err(format!("an array of shape {shape:?}")));
    }
    let values: Vec<f64> = array.as_array().iter().copied().collect();
    Ok(match values.iter().find(|value| !value.is_finite()) {
        Some(value) => Err(format!("not finite: {value}")),
        None => Ok(values),
    })
}

/// A shape as Python writes it.
pub fn shape(wanted: &[usize]) -> String {
    match wanted {
        [one] => format!("({one},)"),
        all => {
            let all: Vec<String> = all.iter().map(usize::to_string).collect();
            format!("({})", all.join(", "))
        }
    }
}
