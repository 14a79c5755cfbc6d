//! What the engine has outdated since it was recorded.

use writhe_cli::format::count;
use writhe_results::table::Table;

use super::results::Recorded;

/// What is missing or of other sources, and how to record it.
pub fn tell(results: &[Recorded]) -> String {
    let old: Vec<&Recorded> = results.iter().filter(|r| !r.outdated.is_empty()).collect();
    if old.is_empty() {
        let of = count(results.len(), "result");
        return format!("All {of} are of these sources.\n");
    }
    let mut table = Table::new(&["result", "rows", "old", "missing"]).with_text(1);
    for result in &old {
        let missing = result.missing;
        let numbers = [result.rows, result.outdated.len() - missing, missing];
        let numbers = numbers.map(|n| n.to_string());
        table.row(std::iter::once(result.name.clone()).chain(numbers));
    }
    format!(
        "{table}\n{} of {} are of other sources than these, or not whole. To record them again: `writhe-papers record`.\n",
        old.len(),
        count(results.len(), "result"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(name: &str, outdated: usize, missing: usize) -> Recorded {
        Recorded {
            name: name.to_owned(),
            is_case: false,
            rows: 3,
            outdated: vec![("row".to_owned(), None); outdated],
            missing,
            runs: String::new(),
        }
    }

    #[test]
    fn old_and_missing_rows_are_counted() {
        let text = tell(&[result("a", 0, 0), result("b", 3, 1)]);
        assert!(text.contains("b          3    2        1"), "{text}");
        assert!(text.contains("1 of 2 results"), "{text}");
        assert!(!text.contains("\na "), "{text}");
        assert!(tell(&[result("a", 0, 0)]).starts_with("All 1 result"));
    }
}
