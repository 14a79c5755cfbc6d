//! Mistakes about rods and their supports.

use crate::common;
use common::{ROD, check};

#[test]
fn supports_that_do_not_exist() {
    check(
        &format!("{ROD}clamps = [{{ edge = 0 }}, {{ edge = 10 }}]"),
        "rods[0].clamps[1].edge",
        &[
            "edge 10 does not exist",
            "10 edges, 0 to 9",
            "\"first\" or \"last\"",
        ],
        "10",
    );
    check(
        &format!("{ROD}held = [{{ node = 11 }}]"),
        "rods[0].held[0].node",
        &["node 11 does not exist: this rod has 11 nodes, 0 to 10"],
        "11",
    );
    for (list, key) in [
        (
            "forces = [{ node = 99, force = [0, 0, 1] }]",
            "rods[0].forces[0].node",
        ),
        (
            "forces = [{ node = 9, follows = 99, force = [0, 0, 1] }]",
            "rods[0].forces[0].follows",
        ),
        (
            "moments = [{ edge = 99, moment = [0, 0, 1] }]",
            "rods[0].moments[0].edge",
        ),
        (
            "held_angles = [{ edge = 99 }]",
            "rods[0].held_angles[0].edge",
        ),
    ] {
        check(&format!("{ROD}{list}"), key, &["99 does not exist"], "99");
    }
    check(
        &format!("{ROD}overrides = [{{ edges = [3, 10] }}]"),
        "rods[0].overrides[0].edges",
        &["edge 10 does not exist"],
        "[3, 10]",
    );
    // Beside a table along the rod, which differs from edge to edge.
    let tapered = "radius = { table = [[0, \"1 mm\"], [\"20 cm\", \"2 mm\"]] }";
    let rod = ROD.replace("radius = \"1 mm\"", tapered);
    assert!(rod.contains(tapered));
    check(
        &format!("{rod}overrides = [{{ edges = [3, 10] }}]"),
        "rods[0].overrides[0].edges",
        &["edge 10 does not exist"],
        "[3, 10]",
    );
    check(
        &format!("{ROD}held = [{{ node = -1 }}]"),
        "rods[0].held[0].node",
        &["the value is -1"],
        "-1",
    );
    check(
        &format!("{ROD}held = [{{ node = 1, axes = \"xw\" }}]"),
        "rods[0].held[0].axes",
        &["\"xw\" is not letters of \"xyz\""],
        "\"xw\"",
    );
}

#[test]
fn supports_that_contradict_each_other() {
    check(
        &format!(
            "{ROD}clamps = [{{ edge = 0 }}]\nheld = [{{ node = 1, motion = {{ velocity = [1, 0, 0] }} }}]"
        ),
        "rods[0].held[0]",
        &["node 1 is held twice", "remove one"],
        "{ node = 1",
    );
    check(
        &format!("{ROD}clamps = [{{ edge = 0 }}]\nheld_angles = [{{ edge = 0 }}]"),
        "rods[0].held_angles[0]",
        &["already held by a clamp"],
        "{ edge = 0",
    );
    check(
        &format!("{ROD}clamps = [{{ edge = 4, half_edge = true }}]"),
        "rods[0].clamps[0].half_edge",
        &["only the first and last edge"],
        "true",
    );
    check(
        &format!("[scene]\nname = \"ring\"\n{ROD}"),
        "rods",
        &["a named scene makes its own rods", "remove"],
        "[[rods]]",
    );
}

#[test]
fn strains_at_rest_that_do_not_fit() {
    check(
        &format!("{ROD}rest_twist = [1, \"90 deg/m\"]"),
        "rods[0].rest_twist",
        &["has 2 rows", "9 vertices", "from the second node on"],
        "[1",
    );
    check(
        &format!("{ROD}rest_curvature = [[1, 2]]"),
        "rods[0].rest_curvature",
        &["has 1 rows", "one row for each node"],
        "[[1",
    );
    check(
        &format!("{ROD}rest_curvature = [[1, \"3 m\"]]"),
        "rods[0].rest_curvature[0][1]",
        &["a curvature", "20 1/m"],
        "\"3 m\"",
    );
    check(
        &format!("{ROD}rest_twist = [nan]"),
        "rods[0].rest_twist[0]",
        &["NaN"],
        "nan",
    );
}

#[test]
fn rods_that_cannot_be() {
    let nodes = |list: &str| {
        ROD.replace(
            "straight = { from = [0, 0, 0], to = [0.2, 0, 0], edges = 10 }",
            &format!("nodes = {list}"),
        )
    };
    check(
        &nodes("[[0, 0, 0]]"),
        "rods[0].shape",
        &["1 node(s)", "more nodes"],
        "{ nodes",
    );
    check(&nodes("[]"), "rods[0].shape", &["0 node(s)"], "{ nodes");
    check(
        &nodes("[[0, 0, 0], [1, 0, 0], [1, 0, 0]]"),
        "rods[0].shape.nodes[2]",
        &["nodes 1 and 2 are in one place", "move one"],
        "[1, 0, 0]",
    );
    check(
        &nodes("[[0, 0, 0], [1, 0, 0], [0.5, 0, 0]]"),
        "rods[0].shape.nodes[1]",
        &[
            "folded flat at node 1",
            "more nodes around the bend",
            "cannot be closed",
        ],
        "[1, 0, 0]",
    );
    check(
        &format!("{ROD}first_director = [1, 0, 0]"),
        "rods[0].first_director",
        &["the first director lies along edge 0", "across the rod"],
        "[1, 0, 0]",
    );
    check(
        &format!("{ROD}rest = {{ ring = {{ radius = 1, edges = 20 }} }}"),
        "rods[0].rest",
        &["as many edges as the rod has"],
        "{ ring",
    );
    check(
        &ROD.replace("to = [0.2, 0, 0]", "to = [0, 0, 0]"),
        "rods[0].shape.straight.to",
        &["different from `from`"],
        "[0, 0, 0]",
    );
    let thick = ROD.replace("\"1 mm\"", "1e80");
    check(
        &thick,
        "rods[0].section",
        &["finite and greater than zero"],
        "{ circle",
    );
}

#[test]
fn files_and_what_is_not_there_yet() {
    check(
        &ROD.replace(
            "straight = { from = [0, 0, 0], to = [0.2, 0, 0], edges = 10 }",
            "file = \"a.txt\"",
        ),
        "rods[0].shape.file",
        &["cannot read `a.txt`", "check the path"],
        "\"a.txt\"",
    );
    check(
        &format!(
            "{ROD}[fluid]\nmodel = \"resistive-force\"\nrule = \"gray-hancock\"\nviscosity = 1\nwavelength = \"0.1 mm\""
        ),
        "fluid.rule",
        &["drag coefficient", "too thick for the wavelength"],
        "\"gray-hancock\"",
    );
}
