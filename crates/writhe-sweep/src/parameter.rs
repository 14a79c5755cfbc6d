//! A key of the scene and its values.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use writhe_session::failure::{Failure, Result};

use crate::range;

/// A key of the scene and the values that it takes, as a scene file writes them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// Dotted key: `contact.friction`, `rods[0].nodes`.
    pub key: String,
    /// Its values.
    pub values: Vec<String>,
}

impl Parameter {
    /// A key with these values.
    ///
    /// # Errors
    /// No value, or one twice.
    pub fn new(key: &str, values: Vec<String>) -> Result<Self> {
        let refuse =
            |what: String, remedy: &str| Err(Failure::bad_input(what).at_key(key).help(remedy));
        if values.is_empty() {
            return refuse(
                format!("`{key}` has no values to sweep over"),
                "give it one at least",
            );
        }
        // By what they are, not by how they are written: 1e-3 is 1 mm.
        let mut seen = HashMap::with_capacity(values.len());
        for value in &values {
            let is = range::number_and_unit(value)
                .map_or_else(|| value.clone(), |number| format!("{:e}", number.si + 0.0));
            if let Some(first) = seen.insert(is, value) {
                let same = match first == value {
                    true => String::new(),
                    false => format!(": as {first} and as {value}"),
                };
                return refuse(
                    format!("`{key}` has the value {value} twice{same}"),
                    "give each value once",
                );
            }
        }
        Ok(Self {
            key: key.to_owned(),
            values,
        })
    }

    /// Reads `KEY=VALUES`, VALUES a list or a [range].
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self> {
        let Some((key, values)) = text
            .split_once('=')
            .filter(|(key, _)| !key.trim().is_empty())
        else {
            return Err(
                Failure::bad_input(format!("`{text}` is not KEY=VALUES")).help(
                    "write KEY=VALUES, such as contact.friction=0.1:0.8:0.1 or scene.count=2,3,5",
                ),
            );
        };
        let key = key.trim();
        Self::new(key, range::values(key, values)?)
    }

    /// What its column and its part of names are called beside these others: the last word of the
    /// key, or all of it where another one ends alike.
    pub fn short<'a>(&'a self, all: &[Self]) -> &'a str {
        let last = |key: &'a str| key.rsplit('.').next().unwrap_or(key);
        let own = last(&self.key);
        let alike = all
            .iter()
            .filter(|other| other.key.rsplit('.').next() == Some(own));
        if alike.count() > 1 { &self.key } else { own }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_values() {
        let parameter = Parameter::parse(" contact.friction = 0.1,0.2").unwrap();
        assert_eq!(parameter.key, "contact.friction");
        assert_eq!(parameter.values, ["0.1", "0.2"]);
        let error = Parameter::parse("friction").unwrap_err();
        assert_eq!(error.message(), "`friction` is not KEY=VALUES");
        let error = Parameter::parse("k=1,2,1").unwrap_err();
        assert_eq!(error.message(), "`k` has the value 1 twice");
        let error = Parameter::parse("k=1e-3,2 mm,1 mm").unwrap_err();
        let told = "`k` has the value 1 mm twice: as 1e-3 and as 1 mm";
        assert_eq!(error.message(), told);
        let error = Parameter::parse("k=1,1.0").unwrap_err();
        assert_eq!(
            error.message(),
            "`k` has the value 1.0 twice: as 1 and as 1.0"
        );
        assert!(Parameter::parse("k=imc,ipc,1").is_ok());
        let error = Parameter::new("k", Vec::new()).unwrap_err();
        assert_eq!(error.message(), "`k` has no values to sweep over");
    }

    #[test]
    fn short_names_tell_keys_apart() {
        let all = ["a.x=1", "b.x=1", "b.y=1"].map(|text| Parameter::parse(text).unwrap());
        let short: Vec<&str> = all.iter().map(|p| p.short(&all)).collect();
        assert_eq!(short, ["a.x", "b.x", "y"]);
    }
}
