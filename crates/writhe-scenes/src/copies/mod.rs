//! Copies of rods: a section `[[rods]]` with `repeat` stands for several rods, one after the other.
//!
//! Every copy is the section read anew, with the number of the copy in its expressions, and put in
//! its place. Rods are counted with their copies; what is said to a user of a copy names the section
//! and the copy.

mod moved;
mod place;

use writhe::kernels::polyline::Polyline;

use crate::error::{Problem, SceneError};
use crate::expression::RodCopy;
use crate::spec::{RepeatTable, RodSpec};
use crate::tree::{At, Keys, Read, Value};

/// Which section a rod is from, and which of its copies it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Source {
    pub section: usize,
    pub copy: Option<usize>,
}

/// Places that are tried for a copy before it is given up.
const TRIES: u64 = 500;

/// All rods of a list of sections; where rods `touch`, a random place that is taken is drawn again.
pub(crate) fn read(at: &At, touch: bool) -> Result<Vec<RodSpec>, SceneError> {
    let Some(sections) = at.elements() else {
        return at.wrong_type(Vec::<RodSpec>::wanted());
    };
    let mut rods = Vec::new();
    for section in sections {
        match repeat(&section)? {
            None => rods.push(RodSpec::read(&section)?),
            Some(repeat) => repeated(&section, &repeat, touch, &mut rods)?,
        }
    }
    Ok(rods)
}

/// Where the rods of a scene that was read come from; empty where no section is repeated.
pub(crate) fn sources(rods: Option<At>) -> Vec<Source> {
    let sections = rods.and_then(|at| at.elements()).unwrap_or_default();
    let counts: Vec<Option<usize>> = sections
        .iter()
        .map(|section| Some(repeat(section).ok()??.copies()))
        .collect();
    if counts.iter().all(Option::is_none) {
        return Vec::new();
    }
    let source = |(section, count): (usize, Option<usize>)| {
        let copy = move |k| Source {
            section,
            copy: count.map(|_| k),
        };
        (0..count.unwrap_or(1)).map(copy)
    };
    counts.into_iter().enumerate().flat_map(source).collect()
}

fn repeat(section: &At) -> Result<Option<RepeatTable>, SceneError> {
    if !matches!(section.node.value, Value::Table(_)) {
        return Ok(None);
    }
    let at = Keys::unchecked(section).unknown(&RodSpec::repeat());
    at.map(|at| RepeatTable::read(&at)).transpose()
}

/// Adds the copies of a section to the rods before it.
fn repeated(
    section: &At,
    repeat: &RepeatTable,
    touch: bool,
    rods: &mut Vec<RodSpec>,
) -> Result<(), SceneError> {
    let drawn = touch && repeat.random.is_some();
    let line = |rod: &RodSpec| (rod.centreline(), rod.thickest());
    let before = rods.iter().filter(|_| drawn);
    let mut taken: Vec<(Polyline, f64)> = before.map(line).collect();
    let (count, sides) = (repeat.copies(), repeat.sides());
    let copy = |number: usize| {
        let index = [
            number % sides[0],
            number / sides[0] % sides[1],
            number / (sides[0] * sides[1]),
        ];
        let seed = repeat.seed as u64;
        let copy = RodCopy {
            number,
            index,
            count,
            seed,
        };
        let at = section.of_copy(&copy);
        let mut rod = RodSpec::read(&at).map_err(|e| of_copy(e, number))?;
        rod.name = rod.name.map(|name| format!("{name}[{number}]"));
        for attempt in 0..TRIES {
            let mut rod = rod.clone();
            let place = place::of_copy(repeat, &copy, &rod, attempt);
            moved::put(&mut rod, &place, &at).map_err(|e| of_copy(e, number))?;
            if drawn {
                let (own, radius) = line(&rod);
                let mut near = taken
                    .iter()
                    .flat_map(|(o, r)| own.approaches(o, radius + r));
                if near.next().is_some() {
                    continue;
                }
                drop(near);
                taken.push((own, radius));
            }
            return Ok(rod);
        }
        let message = format!("in each of {TRIES} random places it overlaps a rod before it");
        let remedy = "give `random` a larger `size`, or make fewer or thinner copies";
        let repeat = Keys::unchecked(section).unknown(&RodSpec::repeat());
        let at = repeat.as_ref().unwrap_or(section);
        at.fail(Problem::conflict(message, remedy))
            .map_err(|e| of_copy(e, number))
    };
    let copies: Result<Vec<RodSpec>, SceneError> = (0..count).map(copy).collect();
    rods.extend(copies?);
    Ok(())
}

/// The error with the copy that it is about.
pub(crate) fn of_copy(mut error: SceneError, copy: usize) -> SceneError {
    let problem = error.problem;
    error.problem = Box::new(Problem::Copy { copy, problem });
    error
}

/// Whether a rod of this name is a copy of those called `all`.
pub(crate) fn is_copy_of(name: &str, all: &str) -> bool {
    let number = |rest: &str| Some(rest.strip_prefix('[')?.strip_suffix(']')?.to_owned());
    let number = name.strip_prefix(all).and_then(number);
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}
