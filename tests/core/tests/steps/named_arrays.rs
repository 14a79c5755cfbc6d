//! States as named arrays: all bits come back, what does not fit is told by name, and no bytes do
//! harm.

use std::time::Instant;

use glam::{DQuat, DVec3};
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use writhe::contact::{ObstacleForce, PairForce};
use writhe::contact_model::hardening::{ContactId, Hardened, Spring};
use writhe::kernels::friction::Anchor;
use writhe::ledger::{Ledger, Quadrature, StepAccount, Stored, Works};
use writhe::model::{Model, ModelBuilder};
use writhe::rod::{Material, Rod, Section};
use writhe::state::arrays::{Array, Arrays, ArraysError, Dtype};
use writhe::state::{
    Added, History, ObstacleAnchor, PairAnchor, PastForce, Reaction, SCHEMA, Schema, State,
};

fn rod() -> (Model, State) {
    rod_of(4)
}

fn rod_of(edges: u32) -> (Model, State) {
    let section = Section::circle(Material::new(1e6, 0.5, 1000.0), 1e-3);
    let nodes = (0..=edges).map(|i| DVec3::new(0.01 * f64::from(i), 0.0, 0.0));
    let rod = Rod::open(nodes.collect(), section).unwrap();
    ModelBuilder::new().rod(rod).build().unwrap()
}

/// A state with something in every field; numbers that are equal to nothing among them.
fn full() -> State {
    let (_, mut state) = rod();
    let odd = f64::from_bits(0x7ff8_dead_beef_0001);
    let anchor = |carrier| Anchor {
        slip: [1e-9, -odd],
        carrier,
    };
    state.time = f64::MIN_POSITIVE / 3.0;
    state.step = u64::MAX;
    state.q[3] = odd;
    state.q[4] = -0.0;
    state.history = Some(History {
        dt: 0.1,
        q: state.q.clone(),
        velocity: Vec::new(),
    });
    state.engine = (0..=255).collect();
    state.tension = vec![f64::NEG_INFINITY, 2.0];
    state.broken = vec![true, false];
    state.frames.orientation = vec![DQuat::from_rotation_x(0.3); 3];
    let memory = &mut state.contact;
    memory.nearest = Some(2.0);
    let springs = |n: u32| {
        let spring = |i: u32| Spring {
            begin: f64::from(i),
            stiffness: 0.1,
        };
        (0..n).map(spring).collect::<Vec<_>>()
    };
    let contacts = [
        ContactId::Obstacle {
            obstacle: 1,
            part: [0, 7],
            feature: 3,
        },
        ContactId::Pair([1, 4]),
        ContactId::Pair([2, 3]),
    ];
    memory.hardened = (contacts.into_iter().zip([2, 0, 3]))
        .map(|(contact, n)| Hardened {
            springs: springs(n),
            ..Hardened::new(contact, 3.0)
        })
        .collect();
    memory.forces = vec![PairForce {
        edges: (0, 2),
        force: 1.5,
    }];
    memory.obstacle_forces = vec![ObstacleForce {
        obstacle: 2,
        part: [1, 5],
        feature: 0,
        force: 0.25,
        friction: [0.1, -0.0, 1e-300],
    }];
    memory.anchors = (0..3)
        .map(|i| PairAnchor {
            edges: [i, i + 1],
            anchor: anchor(i as u8),
        })
        .collect();
    memory.obstacle_anchors = vec![ObstacleAnchor {
        obstacle: 0,
        part: [1, 2],
        edge: 2,
        anchor: anchor(0),
    }];
    state.hydrodynamic_force = vec![1.0, 2.0, 3.0];
    let past = |force: Vec<f64>| PastForce { time: 0.5, force };
    state.drag_history = vec![past(vec![1.0, 2.0]), past(Vec::new()), past(vec![3.0])];
    state.drag_watch.gains = 3;
    state.reactions = vec![Reaction {
        time: 1.0,
        force: 2.0,
    }];
    state.ledger = Ledger::default().after(&StepAccount {
        dt: 0.1,
        works: Works::default(),
        powers: Works::default(),
        quadrature: Quadrature::Ends,
        before: Stored::default(),
        after: Stored::default(),
    });
    state
}

fn bytes_of(state: &State) -> Vec<u8> {
    state.to_arrays().unwrap().to_bytes().unwrap()
}

#[test]
fn all_bits_come_back() {
    let (_, plain) = rod();
    for state in [plain, full()] {
        let bytes = bytes_of(&state);
        let arrays = Arrays::from_bytes(&bytes).unwrap();
        assert_eq!(arrays, state.to_arrays().unwrap());
        let read = State::from_arrays(&arrays).unwrap();
        // Not a number is not equal to itself.
        assert_eq!(bytes_of(&read), bytes);
        assert_eq!(read.q[3].to_bits(), state.q[3].to_bits());
    }
}

#[test]
fn names_types_and_shapes_say_what_there_is() {
    let arrays = full().to_arrays().unwrap();
    for (name, dtype, shape) in [
        ("state.time", Dtype::F64, vec![]),
        ("state.step", Dtype::U64, vec![]),
        ("state.q", Dtype::F64, vec![19]),
        ("state.history:present", Dtype::Bool, vec![]),
        ("state.frames.tangent", Dtype::F64, vec![4, 3]),
        ("state.frames.orientation", Dtype::F64, vec![3, 4]),
        ("state.engine", Dtype::U8, vec![256]),
        ("state.contact.hardened.springs:count", Dtype::U64, vec![3]),
        ("state.contact.hardened.springs.begin", Dtype::F64, vec![5]),
        (
            "state.contact.hardened.contact.Pair",
            Dtype::U32,
            vec![2, 2],
        ),
        ("state.contact.anchors.anchor.slip", Dtype::F64, vec![3, 2]),
        ("state.drag_history.force", Dtype::F64, vec![3]),
    ] {
        let array = arrays.get(name).unwrap_or_else(|| panic!("no {name}"));
        assert_eq!((array.dtype(), array.shape()), (dtype, &*shape), "{name}");
    }
    assert!(arrays.get("state.q:count").is_none());
    assert_eq!(arrays.get("state.time").unwrap().floats().unwrap().len(), 1);
    assert!(
        arrays
            .list()
            .iter()
            .all(|array| array.name().starts_with("state."))
    );
}

/// Names cost a fixed number of bytes. Times are of decision 0049: run with `--nocapture`.
#[test]
fn names_are_few_beside_the_numbers() {
    let overhead = |edges: u32| {
        let (_, state) = rod_of(edges);
        let start = Instant::now();
        let bytes = bytes_of(&state);
        let written = start.elapsed();
        let read = State::from_arrays(&Arrays::from_bytes(&bytes).unwrap()).unwrap();
        let both = start.elapsed();
        assert!(read == state);
        let size = bytes.len();
        println!("{edges} edges: {size} bytes, written in {written:?}, and read again {both:?}");
        let numbers = state.to_arrays().unwrap();
        let numbers: usize = numbers.list().iter().map(|array| array.bytes().len()).sum();
        size - numbers
    };
    let few = overhead(300);
    assert_eq!(overhead(30_000), few);
    assert!(few < 4096, "{few}");
}

// ---- Other schemas
// -------------------------------------------------------------------------------------------------------

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Old {
    kept: Vec<f64>,
    inner: Vec<OldInner>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct OldInner {
    number: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct New {
    kept: Vec<f64>,
    #[serde(default)]
    more: Option<f64>,
    inner: Vec<NewInner>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct NewInner {
    number: u32,
    #[serde(default)]
    length: f64,
}

const ADDED: Schema = Schema {
    version: 8,
    added: &[
        Added {
            field: "x.more",
            since: 7,
            before: "none",
        },
        Added {
            field: "x.inner.length",
            since: 8,
            before: "no length",
        },
    ],
};

fn old(schema: u32) -> Arrays {
    let mut arrays = Arrays::new(schema);
    let inner = vec![OldInner { number: 5 }, OldInner { number: 6 }];
    let kept = vec![1.0, 2.0];
    arrays.add("x", &Old { kept, inner }).unwrap();
    arrays
}

fn told<T: DeserializeOwned + std::fmt::Debug>(arrays: &Arrays, schema: &Schema) -> String {
    arrays.read::<T>("x", schema).unwrap_err().to_string()
}

#[test]
fn a_field_that_an_older_schema_lacks_gets_its_documented_default() {
    let read: New = old(6).read("x", &ADDED).unwrap();
    assert_eq!((read.kept, read.more), (vec![1.0, 2.0], None));
    let inner: Vec<_> = read.inner.iter().map(|i| (i.number, i.length)).collect();
    assert_eq!(inner, [(5, 0.0), (6, 0.0)]);
}

#[test]
fn a_field_that_is_missing_without_reason_is_named_with_both_schemas() {
    // The schema that is said to have it.
    assert_eq!(
        told::<New>(&old(7), &ADDED),
        "its schema is 7, this program's is 8: it lacks the array `x.more`"
    );
    // No default is documented, though serde has one.
    let none = Schema {
        added: &[],
        ..ADDED
    };
    assert!(told::<New>(&old(6), &none).ends_with("it lacks the array `x.more`"));
}

#[test]
fn what_a_later_program_saved_is_refused_by_name() {
    let mut later = Arrays::new(9);
    let new = New {
        kept: Vec::new(),
        more: Some(1.0),
        inner: Vec::new(),
    };
    later.add("x", &new).unwrap();
    assert_eq!(
        told::<Old>(&later, &ADDED),
        "its schema is 9, this program's is 8: it was saved by a later version, and it holds the array `x.more:present`, which this program \
         does not know"
    );
    assert_eq!(
        told::<New>(&later, &ADDED),
        "its schema is 9, this program's is 8: it was saved by a later version"
    );
    // It can be listed all the same.
    let bytes = later.to_bytes().unwrap();
    assert_eq!(Arrays::from_bytes(&bytes).unwrap(), later);
}

#[test]
fn numbers_of_another_type_or_shape_are_named() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Wide {
        kept: Vec<[f64; 2]>,
        inner: Vec<OldInner>,
    }
    #[derive(Debug, Serialize, Deserialize)]
    struct Whole {
        kept: Vec<u64>,
        inner: Vec<OldInner>,
    }
    for (found, expected) in [
        (
            told::<Wide>(&old(8), &ADDED),
            "`x.kept` has 1 numbers in a row, not 2",
        ),
        (
            told::<Whole>(&old(8), &ADDED),
            "`x.kept` is of type <f8, not <u8",
        ),
    ] {
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn parts_can_be_taken_out() {
    let mut arrays = old(6);
    arrays.add("xy", &3.5).unwrap();
    let taken = arrays.take("x");
    assert_eq!(
        taken.list().len() + 1,
        old(6).list().len() + arrays.list().len()
    );
    assert_eq!(
        arrays.list().iter().map(Array::name).collect::<Vec<_>>(),
        ["xy"]
    );
    assert_eq!(arrays.read("xy", &SCHEMA), Ok(3.5));
    assert!(taken.read::<Old>("x", &SCHEMA).is_ok());
}

#[test]
fn what_has_no_name_of_its_own_is_not_written() {
    let refused = |told: Result<(), ArraysError>| {
        assert!(
            matches!(told, Err(ArraysError::Unsupported { .. })),
            "{told:?}"
        );
    };
    let mut arrays = Arrays::new(SCHEMA.version);
    refused(arrays.add("x", &vec![vec![1.0]]));
    refused(arrays.add("x", &(1.0, 2_u32)));
    refused(arrays.add("x", &Some(Some(1.0))));
    refused(arrays.add("x", &[(1.0, [2.0, 3.0])]));
    refused(arrays.add("x", &([2.0, 3.0], 1.0)));
    refused(arrays.add("x", &(1.0, OldInner { number: 1 })));
    refused(arrays.add("x", &1.5_f32));
    refused(arrays.add("x", &'c'));
    arrays.add("x", &1.0).unwrap();
    arrays.add("x", &1.0).unwrap();
    assert!(arrays.to_bytes().is_err());
}

// ---- Bad input
// -----------------------------------------------------------------------------------------------------------

#[test]
fn a_state_of_another_model_is_named() {
    let (model, good) = rod();
    good.check_fit(&model).unwrap();
    let told = |change: fn(&mut State)| {
        let mut state = good.clone();
        change(&mut state);
        state.check_fit(&model).unwrap_err().part
    };
    assert_eq!(told(|s| s.q.truncate(3)), "state.q");
    assert_eq!(told(|s| s.frames.twist.clear()), "state.frames.twist");
    assert_eq!(told(|s| s.tension = vec![0.0]), "state.tension");
    assert_eq!(
        told(|s| s.contact.anchors = vec![PairAnchor {
            edges: [0, 4],
            anchor: Anchor::default(),
        }]),
        "state.contact.anchors.edges"
    );
}

/// Sizes that are in no file take no memory.
#[test]
fn absurd_sizes_are_refused() {
    let array = |name: &str, dtype: &[u8], axes: &[u64]| {
        let mut bytes = vec![name.len() as u8];
        bytes.extend(name.as_bytes());
        bytes.extend(dtype);
        bytes.push(axes.len() as u8);
        bytes.extend(axes.iter().flat_map(|n| n.to_le_bytes()));
        bytes
    };
    let file = |count: u32, arrays: &[Vec<u8>], data: &[u8]| {
        let mut bytes = SCHEMA.version.to_le_bytes().to_vec();
        bytes.extend(count.to_le_bytes());
        bytes.extend(arrays.concat());
        bytes.extend(data);
        Arrays::from_bytes(&bytes)
    };
    let huge = 1 << 60;
    for bad in [
        file(u32::MAX, &[], &[]),
        file(1, &[array("x", b"<f8", &[huge])], &[]),
        file(1, &[array("x", b"<f8", &[huge, huge, huge])], &[]),
        file(1, &[array("x", b"<f8", &[1; 9])], &[0; 8]),
        file(1, &[array("x", b"<f9", &[])], &[0; 8]),
        file(1, &[array("x", b"<f8", &[])], &[0; 9]),
        file(1, &[array("x", b"<f8", &[])], &[0; 7]),
        file(
            2,
            &[array("x", b"|u1", &[]), array("x", b"|u1", &[])],
            &[0; 2],
        ),
    ] {
        assert!(matches!(bad, Err(ArraysError::Torn(_))), "{bad:?}");
    }
    // A list that counts more than is there, and an empty array with a long axis.
    let count = [&huge.to_le_bytes()[..], &[0; 8]].concat();
    let long = file(
        2,
        &[array("x:count", b"<u8", &[]), array("x", b"<f8", &[1])],
        &count,
    );
    assert!(long.unwrap().read::<Vec<f64>>("x", &SCHEMA).is_err());
    for axes in [[huge, 0], [0, huge], [0, 2 * huge]] {
        let empty = file(1, &[array("x", b"<f8", &axes)], &[]).unwrap();
        assert!(empty.read::<Vec<[f64; 2]>>("x", &SCHEMA).is_err());
        assert!(empty.read::<Vec<String>>("x", &SCHEMA).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_no_state(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let mut named = SCHEMA.version.to_le_bytes().to_vec();
        named.extend(&bytes);
        for bytes in [bytes, named] {
            if let Ok(arrays) = Arrays::from_bytes(&bytes) {
                prop_assert!(State::from_arrays(&arrays).is_err());
            }
        }
    }

    /// Whatever is still read of a changed file is a state that can be written, and asked whether
    /// it fits.
    #[test]
    fn changed_files_are_read_or_refused(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in prop::option::weighted(0.2, any::<prop::sample::Index>()),
        swap in prop::option::weighted(0.2, any::<prop::sample::Index>()),
        in_heads in any::<bool>(),
    ) {
        let mut bytes = bytes_of(&full());
        // Names, types and shapes come first; a change in the numbers is mostly just another
        // number.
        let end = if in_heads { bytes.len() / 2 } else { bytes.len() };
        for (at, byte) in changes {
            let at = at.index(end);
            bytes[at] = byte;
        }
        if let Some(at) = swap {
            let at = at.index(bytes.len() - 16);
            bytes[at..at + 16].rotate_left(8);
        }
        if let Some(length) = cut {
            bytes.truncate(length.index(bytes.len()));
        }
        if let Ok(arrays) = Arrays::from_bytes(&bytes)
            && let Ok(state) = State::from_arrays(&arrays)
        {
            prop_assert!(state.to_arrays().is_ok());
            let _ = state.check_fit(&rod().0);
        }
    }
}
