//! Lines of a file with a part of them underlined.

use std::fmt::Write;
use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use super::paint::Paint;

/// Columns of a tab.
const TAB: usize = 4;

/// The line that is meant, between its neighbours, under the file's name.
///
/// ```text
///    ╭─[my.toml:4:1]
///  3 │ edges = 20
///  4 │ edegs = 3
///    · ─────
///  5 │
///    ╰────
/// ```
#[derive(Debug)]
pub struct Excerpt {
    file: String,
    text: String,
    span: Range<usize>,
}

impl Excerpt {
    /// Of `text` around `span` (bytes), which must lie in it; both as they can be shown.
    pub fn new(file: String, text: String, span: Range<usize>) -> Option<Self> {
        // A span beyond the text would show nothing at all.
        text.get(span.clone())?;
        Some(Self { file, text, span })
    }

    /// As it is shown. Of a part that goes on over further lines the first is shown.
    pub fn render(&self, paint: Paint) -> String {
        let before = &self.text[..self.span.start];
        let number = before.matches('\n').count();
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let lines: Vec<&str> = self.text.lines().collect();
        let line = lines.get(number).copied().unwrap_or("");
        // A span may begin in what ends its line.
        let at = (self.span.start - start).min(line.len());
        let end = (at + self.span.len()).min(line.len());
        let column = line[..at].chars().count() + 1;
        let last = (number + 1).min(lines.len().saturating_sub(1)).max(number);
        let margin = (last + 1).to_string().len();

        let name = paint.link(&format!("{}:{}:{column}", self.file, number + 1));
        let mut out = format!("{:margin$}  ╭─[{name}]\n", "");
        for shown in number.saturating_sub(1)..=last {
            let text = lines.get(shown).map_or(String::new(), |line| spread(line));
            let label = paint.dim(&format!("{:>margin$}", shown + 1));
            // Writing to a string cannot fail.
            let _ = writeln!(out, " {label} │ {text}");
            if shown == number {
                let (skipped, under) = (columns(&line[..at]), columns(&line[at..end]).max(1));
                let under = paint.marked(&"─".repeat(under));
                let _ = writeln!(out, " {:margin$} · {:skipped$}{under}", "", "");
            }
        }
        let _ = writeln!(out, "{:margin$}  ╰────", "");
        out
    }
}

/// A line with its tabs as spaces.
fn spread(line: &str) -> String {
    line.replace('\t', &" ".repeat(TAB))
}

/// What a text takes on a terminal.
fn columns(text: &str) -> usize {
    let of = |c: char| {
        if c == '\t' {
            TAB
        } else {
            c.width().unwrap_or(0)
        }
    };
    text.chars().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str, part: &str) -> String {
        let at = text.find(part).unwrap();
        let excerpt = Excerpt::new("my.toml".into(), text.into(), at..at + part.len());
        excerpt.unwrap().render(Paint::None)
    }

    #[test]
    fn a_line_stands_between_its_neighbours() {
        assert_eq!(
            rendered("a = 1\nb = 2\nc = 3\nd = 4\n", "c"),
            "   ╭─[my.toml:3:1]\n 2 │ b = 2\n 3 │ c = 3\n   · ─\n 4 │ d = 4\n   ╰────\n"
        );
    }

    #[test]
    fn the_mark_is_below_what_it_marks() {
        // A tab, a letter of two bytes, one of two columns.
        assert_eq!(
            rendered("\té漢 = 1", "= 1"),
            "   ╭─[my.toml:1:5]\n 1 │     é漢 = 1\n   ·         ───\n   ╰────\n"
        );
    }

    #[test]
    fn numbers_of_lines_end_in_one_column() {
        let text: String = (1..=12).map(|i| format!("k{i} = {i}\n")).collect();
        assert_eq!(
            rendered(&text, "k9"),
            "    ╭─[my.toml:9:1]\n  8 │ k8 = 8\n  9 │ k9 = 9\n    · ──\n 10 │ k10 = 10\n    ╰────\n"
        );
    }

    #[test]
    fn of_many_lines_the_first_is_shown() {
        assert_eq!(
            rendered("a = [1,\n 2]\nb = 3\n", "[1,\n 2]"),
            "   ╭─[my.toml:1:5]\n 1 │ a = [1,\n   ·     ───\n 2 │  2]\n   ╰────\n"
        );
    }

    #[test]
    fn the_end_of_a_text_and_an_empty_text_can_be_meant() {
        let at_end = |text: &str| {
            let end = text.len();
            Excerpt::new("f".into(), text.into(), end..end)
                .unwrap()
                .render(Paint::None)
        };
        assert_eq!(at_end(""), "   ╭─[f:1:1]\n 1 │ \n   · ─\n   ╰────\n");
        assert_eq!(
            at_end("a ="),
            "   ╭─[f:1:4]\n 1 │ a =\n   ·    ─\n   ╰────\n"
        );
        assert_eq!(
            at_end("a\r\n"),
            "   ╭─[f:2:1]\n 1 │ a\n 2 │ \n   · ─\n   ╰────\n"
        );
    }

    #[test]
    #[expect(clippy::reversed_empty_ranges, reason = "what is refused")]
    fn a_span_that_is_not_in_the_text_gives_none() {
        for span in [0..4, 3..2, 1..2] {
            // The second byte of é begins no letter.
            assert!(Excerpt::new("f".into(), "é1".into(), span).is_none());
        }
    }
}
