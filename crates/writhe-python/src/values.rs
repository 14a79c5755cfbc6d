//! Values of Python as TOML.

use std::fmt::Display;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};
use toml::{Table, Value};
use writhe_scenes::units::{Length, Quantity, Time};

use crate::errors::scene_error;

/// A time as a text with a unit, s.
///
/// # Errors
/// A `SceneError` that names the argument.
#[pyfunction]
pub fn seconds(py: Python<'_>, text: &str, name: &str) -> PyResult<f64> {
    let remedy = "give a time in s, or a text with a unit such as \"20 ms\"";
    si(py, Time::parse(text), name, remedy)
}

/// A length as a text with a unit, m.
///
/// # Errors
/// A `SceneError` that names the argument.
#[pyfunction]
pub fn metres(py: Python<'_>, text: &str, name: &str) -> PyResult<f64> {
    let remedy = "give a length in m, or a text with a unit such as \"20 mm\"";
    si(py, Length::parse(text), name, remedy)
}

/// What was read, in SI, or the error that names the argument.
fn si<const L: i32, const M: i32, const T: i32, const A: i32>(
    py: Python<'_>,
    read: Result<Quantity<L, M, T, A>, impl Display>,
    name: &str,
    remedy: &str,
) -> PyResult<f64> {
    read.map(Quantity::si).map_err(|error| {
        let message = format!("`{name}`: {error}");
        scene_error(py, &message, Some(name), Some(remedy), None)
    })
}

/// A dict of dicts, lists, texts, numbers and truth values; `path` is where it stands in the scene.
///
/// # Errors
/// A `SceneError` that names the key of anything else.
pub fn table(values: &Bound<'_, PyDict>, path: &str) -> PyResult<Table> {
    let mut table = Table::new();
    for (key, value) in values {
        let Ok(key) = key.cast::<PyString>() else {
            let shown = short(&key);
            let message = format!("{path}: {shown} is no name of a key");
            let remedy = "write keys as texts";
            return Err(scene_error(
                values.py(),
                &message,
                Some(path),
                Some(remedy),
                None,
            ));
        };
        let key = key.to_str()?;
        let dot = if path.is_empty() { "" } else { "." };
        let inner = format!("{path}{dot}{key}");
        table.insert(key.to_owned(), value_at(&value, &inner)?);
    }
    Ok(table)
}

fn value_at(value: &Bound<'_, PyAny>, path: &str) -> PyResult<Value> {
    // Truth values are integers of Python, too.
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(Value::Boolean(truth.is_true()));
    }
    if let Ok(number) = value.cast::<PyInt>() {
        return match number.extract::<i64>() {
            Ok(integer) => Ok(Value::Integer(integer)),
            // As a number it has a value, which the reader judges.
            Err(_) => number.extract::<f64>().map(Value::Float).map_err(|_| {
                let message = format!("{path}: {} is too large", short(value));
                let remedy = "write a smaller number";
                scene_error(value.py(), &message, Some(path), Some(remedy), None)
            }),
        };
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        return Ok(Value::Float(number.value()));
    }
    if let Ok(text) = value.cast::<PyString>() {
        let Ok(text) = text.to_str() else {
            let message = format!("{path}: {} is no text that can be written", short(value));
            let remedy = "write it in whole Unicode characters";
            return Err(scene_error(
                value.py(),
                &message,
                Some(path),
                Some(remedy),
                None,
            ));
        };
        return Ok(Value::String(text.to_owned()));
    }
    if let Ok(list) = value.cast::<PyList>() {
        let elements = list.iter().enumerate();
        let elements = elements.map(|(i, element)| value_at(&element, &format!("{path}[{i}]")));
        return elements.collect::<PyResult<Vec<_>>>().map(Value::Array);
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        return table(dict, path).map(Value::Table);
    }
    let kind = value.get_type().name()?;
    let message = format!("{path}: {} is a {kind}, which no scene holds", short(value));
    let remedy = "give a number, a text, True or False, a list, an array, or a class of writhe";
    Err(scene_error(
        value.py(),
        &message,
        Some(path),
        Some(remedy),
        None,
    ))
}

/// What a value looks like, in a line.
fn short(value: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 60;
    let shown = value
        .repr()
        .map_or_else(|_| "it".to_owned(), |text| text.to_string());
    match shown.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &shown[..end]),
        None => shown,
    }
}
