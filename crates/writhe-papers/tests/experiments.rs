//! `writhe-papers` with real processes: a kill or a stop loses no finished row, and the rest is as
//! if nobody had killed it.

mod common;

use std::collections::BTreeMap;
use std::fs;

use common::{Place, wait_until};

const NAME: &str = "tong2022-parametric";
const ROWS: usize = 5;

fn args(out: &str) -> Vec<String> {
    let runs = format!("{out}-runs");
    let words = [NAME, "--quick", "--out", out, "--runs", &runs];
    words.map(str::to_owned).to_vec()
}

fn csv(place: &Place, out: &str) -> String {
    let path = place.path(out).join(format!("{NAME}-quick.csv"));
    fs::read_to_string(path).unwrap_or_default()
}

fn lines(place: &Place, out: &str) -> usize {
    csv(place, out).lines().count()
}

/// Each row by name, without what depends on the clock.
fn results(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let header: Vec<String> = lines.next().unwrap().collect();
    let of_clock = ["cpu_s", "date", "recording_cpu_s"]
        .map(|name| header.iter().position(|h| h == name).unwrap());
    lines
        .map(|line| {
            let kept = line.enumerate().filter(|(i, _)| !of_clock.contains(i));
            let row: Vec<String> = kept.map(|(_, value)| value).collect();
            (row[0].clone(), row)
        })
        .collect()
}

#[test]
fn kills_lose_no_finished_row() {
    let place = Place::new();
    let strs = |words: &[String]| {
        words
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join("\n")
    };
    let (whole, killed) = (strs(&args("whole")), strs(&args("killed")));
    let (whole, killed): (Vec<&str>, Vec<&str>) =
        (whole.lines().collect(), killed.lines().collect());
    let table = place.succeeds(&whole);
    assert!(
        table.contains("base") && table.contains("pitch60"),
        "{table}"
    );

    let mut child = place.spawn(&killed);
    wait_until(&mut child, || lines(&place, "killed") >= 3);
    child.kill().unwrap();
    child.wait().unwrap();
    let before = csv(&place, "killed");
    let done = before.lines().count() - 1;
    assert!((2..ROWS).contains(&done), "{done} rows before the kill");

    place.succeeds(&killed);
    let after = csv(&place, "killed");
    assert!(after.starts_with(&before), "{before}\n{after}");
    let after = results(&after);
    assert_eq!(after.len(), ROWS);
    assert_eq!(after, results(&csv(&place, "whole")));
}

#[cfg(unix)]
#[test]
fn a_stop_says_how_to_go_on() {
    use common::{signal, text};

    let place = Place::new();
    for name in ["-INT", "-TERM"] {
        let words = args(&name[1..]);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut child = place.spawn(&words);
        wait_until(&mut child, || lines(&place, &name[1..]) >= 2);
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        for part in [
            "Stopping; once more stops at once.",
            "stopped by the user; the same command goes on from here",
        ] {
            assert!(errors.contains(part), "{errors}");
        }
        let done = lines(&place, &name[1..]) - 1;
        assert!((1..ROWS).contains(&done), "{done} rows before {name}");
        place.succeeds(&words);
        assert_eq!(lines(&place, &name[1..]) - 1, ROWS);
    }
}

#[test]
fn names_and_rows_are_listed() {
    let place = Place::new();
    let list = place.succeeds(&[]);
    for name in [
        "table1",
        "table2",
        "fig1",
        "fig4d",
        "fig5",
        "c6",
        "c7",
        "parametric",
    ] {
        assert!(list.contains(&format!("tong2022-{name} ")), "{list}");
    }
    let rows = place.succeeds(&["tong2022-table1", "--list"]);
    assert!(rows.contains("m10-ipc\n"), "{rows}");
}

#[test]
fn results_are_recorded_of_a_commit_alone() {
    let place = Place::new();
    let message = place.fails(2, &["record", "--list"]);
    assert!(message.contains("no checkout of Writhe"), "{message}");
    let message = place.fails(2, &["outdated"]);
    assert!(message.contains("call it in a clone"), "{message}");
    let message = place.fails(2, &["record", "--jobs", "0"]);
    assert!(message.contains("at least 1"), "{message}");
}

/// Every result stands in the table or is current, and nothing is changed by looking.
#[test]
fn what_is_outdated_is_told() {
    let place = Place::new();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let output = place
        .command(&["outdated"])
        .current_dir(root)
        .output()
        .unwrap();
    let told = common::text(&output.stdout);
    assert!(output.status.success(), "{}", common::text(&output.stderr));
    assert!(told.contains(" are of "), "{told}");
}

#[test]
fn wrong_names_are_bad_input() {
    let place = Place::new();
    let message = place.fails(2, &["tong2022-table3"]);
    assert!(message.contains("tong2022-table1"), "{message}");
    let message = place.fails(2, &["tong2022-table1", "--only", "m7"]);
    assert!(message.contains("m2-imc"), "{message}");
}

#[test]
fn results_of_another_version_stay() {
    let place = Place::new();
    fs::create_dir(place.path("out")).unwrap();
    place.write("out/tong2022-parametric-quick.csv", "row,other\n");
    let message = place.fails(2, &[NAME, "--quick", "--out", "out", "--only", "base"]);
    assert!(message.contains("other columns"), "{message}");
    assert_eq!(
        place.read("out/tong2022-parametric-quick.csv"),
        "row,other\n"
    );
}

/// Where the sources are not those of the program nobody can tell what is outdated, and what is there
/// must not pass for measured.
#[test]
fn rows_of_unknown_sources_are_not_taken_for_measured() {
    let place = Place::new();
    place.succeeds(&["choi2021-fig3", "--quick", "--out", "out"]);
    let told = place.fails(2, &["choi2021-fig3", "--quick", "--out", "out", "--again"]);
    assert!(told.contains("must name its sources"), "{told}");
    assert!(told.contains("clone of Writhe"), "{told}");
}
