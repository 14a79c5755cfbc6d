//! A scene and the keys that it is run over.

use std::path::{Path, PathBuf};

use writhe_session::failure::{Failure, Result};
use writhe_session::scene::RunnableScene;

use crate::axis::Axis;
use crate::parameter::Parameter;
use crate::point::{self, Point};
use crate::record::Record;

/// The most points of a sweep.
const MOST: usize = 100_000;

/// A scene and the keys that it is run over, in a folder.
#[derive(Debug)]
pub struct Sweep {
    folder: PathBuf,
    record: Record,
    axes: Vec<Option<Axis>>,
    points: Vec<Point>,
}

impl Sweep {
    /// A sweep of `scene` over `parameters`, in a folder that is new, empty, or of the same sweep.
    ///
    /// # Errors
    /// No parameters, too many points, a key twice, one that no scene has, a folder of something
    /// else.
    pub fn new(scene: &RunnableScene, parameters: Vec<Parameter>, folder: &Path) -> Result<Self> {
        let sweep = Self::planned(scene, parameters, folder)?;
        sweep.keep()?;
        Ok(sweep)
    }

    /// The same before the folder is made its own, or looked at.
    ///
    /// # Errors
    /// Those of [`new`](Self::new) but for the folder.
    pub fn planned(
        scene: &RunnableScene,
        parameters: Vec<Parameter>,
        folder: &Path,
    ) -> Result<Self> {
        let count = parameters
            .iter()
            .try_fold(1_usize, |count, p| count.checked_mul(p.values.len()));
        if parameters.is_empty() {
            return Err(Failure::bad_input("there is no key to sweep over")
                .help("name one with values, such as contact.friction=0.1:0.8:0.1"));
        }
        if count.is_none_or(|count| count > MOST) {
            return Err(
                Failure::bad_input(format!("the sweep has more than {MOST} points"))
                    .help("take fewer values, or several sweeps"),
            );
        }
        let keys = parameters.iter().map(|p| &p.key);
        let twice = keys.clone().enumerate();
        let twice = twice
            .into_iter()
            .find(|(i, key)| keys.clone().take(*i).any(|k| k == *key));
        if let Some((_, key)) = twice {
            return Err(Failure::bad_input(format!("`{key}` is swept over twice"))
                .at_key(key)
                .help("give all values of a key at once"));
        }
        let points = point::all(&parameters);
        let scene = first_scene(scene, &parameters, &points)?;
        Ok(Self {
            folder: folder.to_path_buf(),
            axes: Axis::all(scene.toml(), &parameters),
            record: Record {
                parameters,
                scene: scene.toml().to_owned(),
            },
            points,
        })
    }

    /// Makes the folder that of this sweep, unless it is so already.
    ///
    /// # Errors
    /// A folder of something else.
    pub fn keep(&self) -> Result<()> {
        self.record.keep(&self.folder)
    }

    /// The sweep that a folder holds; `None` if it holds none.
    ///
    /// # Errors
    /// When its record cannot be read.
    pub fn open(folder: &Path) -> Result<Option<Self>> {
        Ok(Record::read(folder)?.map(|record| Self {
            folder: folder.to_path_buf(),
            points: point::all(&record.parameters),
            axes: Axis::all(&record.scene, &record.parameters),
            record,
        }))
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its keys and their values.
    pub fn parameters(&self) -> &[Parameter] {
        &self.record.parameters
    }

    /// The values of each key as numbers of one unit, where they are.
    pub fn axes(&self) -> &[Option<Axis>] {
        &self.axes
    }

    /// All combinations of values.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The run directory of a point.
    pub fn directory(&self, point: &Point) -> PathBuf {
        self.folder.join(&point.name)
    }
}

/// The scene of the first point that has one. A key that no scene has makes none of them possible:
/// then the reader says so, of the first.
fn first_scene(
    scene: &RunnableScene,
    parameters: &[Parameter],
    points: &[Point],
) -> Result<RunnableScene> {
    let mut first = None;
    for point in points {
        match scene.changed(&point.changes(parameters)) {
            Ok(scene) => return Ok(scene),
            Err(failure) => first = first.or(Some(failure)),
        }
    }
    Err(first.unwrap_or_else(|| Failure::bad_input("the sweep has no points")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene() -> RunnableScene {
        let text = "[scene]\nname = \"cantilever\"\nedges = 4";
        RunnableScene::of_text(text, Path::new("my.toml"), Path::new("."), &[]).unwrap()
    }

    fn sweep(keys: &[&str], folder: &Path) -> Result<Sweep> {
        let parameters = keys.iter().map(|key| Parameter::parse(key));
        Sweep::new(&scene(), parameters.collect::<Result<_>>()?, folder)
    }

    #[test]
    fn keys_that_are_not_there_are_told_before_anything_is_made() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("s");
        let error = sweep(&["scene.edgs=4,5"], &folder).unwrap_err();
        let told = format!("{error} {:?}", error.remedy());
        assert!(told.contains("did you mean `edges`"), "{told}");
        let error = sweep(&["scene.edges=4,5", "scene.edges=6"], &folder).unwrap_err();
        assert_eq!(error.message(), "`scene.edges` is swept over twice");
        let error = sweep(&[], &folder).unwrap_err();
        assert_eq!(error.message(), "there is no key to sweep over");
        let many = ["scene.edges=2:50000:1", "time.step=1:9:1"];
        let error = sweep(&many, &folder).unwrap_err();
        assert!(
            error.message().contains("more than 100000 points"),
            "{error}"
        );
        assert!(!folder.exists());
    }

    #[test]
    fn a_sweep_is_opened_as_it_was_made() {
        let place = tempfile::tempdir().unwrap();
        let keys = [
            "scene.edges=4,5",
            "scene.young=1 MPa,2e6",
            "contact.friction=0,1",
        ];
        let made = sweep(&keys, place.path()).unwrap();
        let axis = |unit: &str, values: [f64; 2]| {
            Some(Axis {
                unit: unit.to_owned(),
                values: values.to_vec(),
            })
        };
        let wanted = [None, axis("Pa", [1e6, 2e6]), axis("1", [0.0, 1.0])];
        assert_eq!(made.axes(), wanted);
        let open = Sweep::open(place.path()).unwrap().unwrap();
        assert_eq!((open.points(), open.axes()), (made.points(), made.axes()));
        assert!(Sweep::open(&place.path().join("none")).unwrap().is_none());
    }
}
