//! A point of a sweep: one value of each parameter, and the name that it goes by.

use crate::parameter::Parameter;
use crate::range::number_and_unit;

/// Letters of a value in a name, and of a name.
const LONGEST: [usize; 2] = [40, 150];

/// One value of each parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// Its place among all points, the last parameter changing fastest.
    pub index: usize,
    /// Name of its run directory: `friction=0.1,count=2`.
    pub name: String,
    /// Its values, in the order of the parameters.
    pub values: Vec<String>,
}

impl Point {
    /// Its changes to the scene: `contact.friction=0.1`.
    pub fn changes(&self, parameters: &[Parameter]) -> Vec<String> {
        let pairs = parameters.iter().zip(&self.values);
        pairs
            .map(|(p, value)| format!("{}={value}", p.key))
            .collect()
    }
}

/// All points of these parameters. Names follow from keys and values alone, and differ.
pub fn all(parameters: &[Parameter]) -> Vec<Point> {
    let count = parameters.iter().map(|p| p.values.len()).product();
    let mut points: Vec<Point> = Vec::with_capacity(count);
    let mut taken = std::collections::BTreeSet::new();
    for index in 0..count {
        let mut rest = index;
        let mut values: Vec<String> = Vec::new();
        for parameter in parameters.iter().rev() {
            values.push(parameter.values[rest % parameter.values.len()].clone());
            rest /= parameter.values.len();
        }
        values.reverse();
        let plain = name(parameters, &values);
        // Some file systems do not tell capital letters from small ones.
        let name = (1..)
            .map(|n| match n {
                1 => plain.clone(),
                n => format!("{plain}-{n}"),
            })
            .find(|name| taken.insert(name.to_lowercase()))
            .unwrap_or(plain);
        points.push(Point {
            index,
            name,
            values,
        });
    }
    points
}

fn name(parameters: &[Parameter], values: &[String]) -> String {
    let parts = parameters.iter().zip(values).map(|(parameter, value)| {
        let key = plain(parameter.short(parameters));
        format!("{key}={}", plain(&spaced(value)))
    });
    let mut name = parts.collect::<Vec<_>>().join(",");
    name.truncate(LONGEST[1]);
    name
}

/// A value whose words stay apart: between letters of what is no number with its unit, blanks become
/// hyphens.
fn spaced(value: &str) -> String {
    let is_number = number_and_unit(value).is_some();
    let words: Vec<&str> = value.split_whitespace().collect();
    let mut spaced = String::new();
    for word in words {
        let apart = !is_number
            && spaced.ends_with(char::is_alphanumeric)
            && word.starts_with(char::is_alphanumeric);
        spaced += if apart { "-" } else { "" };
        spaced += word;
    }
    spaced
}

/// What may stand in a name of a folder anywhere.
fn plain(text: &str) -> String {
    let without = text
        .chars()
        .filter(|c| !c.is_whitespace() && !"\"'".contains(*c));
    let good = |c: char| c.is_ascii_alphanumeric() || ".+-_".contains(c);
    // Brackets at the start go, a sign stays.
    let rest = without.skip_while(|c| !good(*c));
    let letters = rest.map(|c| if good(c) { c } else { '-' });
    let plain: String = letters.take(LONGEST[0]).collect();
    plain.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(texts: &[&str]) -> Vec<Point> {
        let parameters = texts.iter().map(|text| Parameter::parse(text).unwrap());
        all(&parameters.collect::<Vec<_>>())
    }

    #[test]
    fn all_combinations_the_last_key_fastest() {
        let points = points(&["contact.friction=0.1,0.2", "scene.count=2,3,5"]);
        let names: Vec<&str> = points.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(points.len(), 6);
        assert_eq!(names[..2], ["friction=0.1,count=2", "friction=0.1,count=3"]);
        assert_eq!(names[5], "friction=0.2,count=5");
        assert_eq!(points[5].values, ["0.2", "5"]);
        assert_eq!(points[5].index, 5);
    }

    #[test]
    fn names_are_plain_and_differ() {
        let points = points(&["a.b=\"5 mm\",x;y,x|y,[1; 2],../x"]);
        let names: Vec<&str> = points.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["b=5mm", "b=x-y", "b=x-y-2", "b=1-2", "b=..-x"]);
    }

    #[test]
    fn names_keep_signs() {
        let points = points(&["a.b=-0.2,0.2,[-1; 2]"]);
        let names: Vec<&str> = points.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["b=-0.2", "b=0.2", "b=-1-2"]);
    }

    #[test]
    fn words_stay_apart() {
        let points = points(&["title=soft rod,softrod,\"1e-6 N m\",[1; 2]"]);
        let names: Vec<&str> = points.iter().map(|p| p.name.as_str()).collect();
        let wanted = ["soft-rod", "softrod", "1e-6Nm", "1-2"].map(|name| format!("title={name}"));
        assert_eq!(names, wanted);
    }

    #[test]
    fn changes_are_those_of_set() {
        let parameters = [Parameter::parse("a.b=1,2").unwrap()];
        assert_eq!(all(&parameters)[1].changes(&parameters), ["a.b=2"]);
    }
}
