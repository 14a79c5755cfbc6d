//! Every case of the catalogue, quick: all rows keep their bounds.

use std::collections::BTreeSet;

use writhe_validate::case::{Case, Context};
use writhe_validate::catalogue::{CASES, find};
use writhe_validate::row::Verdict;

/// Cases with a test of their own.
const ELSEWHERE: &[&str] = &[];

#[test]
fn names_are_unique_and_found() {
    let names: BTreeSet<&str> = CASES.iter().map(|case| case.name).collect();
    assert_eq!(names.len(), CASES.len());
    for case in CASES {
        assert_eq!(find(case.name).map(|c| c.name), Some(case.name));
        assert!(!case.measures.is_empty() && !case.origin.is_empty());
    }
    assert!(find("no such case").is_none() && find("-").is_none());
    for name in ELSEWHERE {
        assert!(find(name).is_some(), "{name}");
    }
}

#[test]
fn all_cases_pass() {
    for case in CASES.iter().filter(|case| !ELSEWHERE.contains(&case.name)) {
        passes(case);
    }
}

fn passes(case: &Case) {
    let rows = (case.run)(&Context::for_tests()).unwrap_or_else(|e| panic!("{}: {e}", case.name));
    assert!(
        rows.iter().any(|row| row.verdict() == Verdict::Pass),
        "{} judges nothing",
        case.name
    );
    for row in rows {
        println!("{}: {row:?}", case.name);
        assert!(row.verdict() != Verdict::Fail, "{}: {row:?}", case.name);
    }
}
