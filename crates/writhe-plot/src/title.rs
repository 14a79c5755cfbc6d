//! The title of a figure, in as many lines as the width of its sheet needs.

use writhe_lettering::Weight;

use crate::drawing::Mark;
use crate::markup;
use crate::theme::Theme;

/// From one baseline to the next, in sizes of the letters.
const LEADING: f64 = 1.25;

/// A title in lines.
#[derive(Debug, PartialEq)]
pub(crate) struct Title {
    lines: Vec<String>,
    /// Size of the letters, and the space beside and between parts, points.
    size: f64,
    gap: f64,
}

impl Title {
    /// Breaks the text where it has an end of a line, and between words where a line would be longer than
    /// this. A word that is longer by itself stays whole.
    pub fn new(text: &str, room: f64, theme: &Theme) -> Self {
        let (size, gap) = (theme.title, theme.gap);
        let mut lines: Vec<String> = Vec::new();
        for paragraph in text.lines() {
            let mut line = String::new();
            for word in paragraph.split_whitespace() {
                let longer = format!("{line} {word}");
                if !line.is_empty() && wide(&longer, size) > room - gap {
                    lines.push(std::mem::replace(&mut line, word.to_owned()));
                } else {
                    line = longer.trim_start().to_owned();
                }
            }
            lines.push(line);
        }
        Self { lines, size, gap }
    }

    /// What it takes of the sheet's height, points; nothing without a text.
    pub fn height(&self) -> f64 {
        match self.lines.len() {
            0 => 0.0,
            lines => self.size * (1.0 + LEADING * (lines - 1) as f64) + 2.0 * self.gap,
        }
    }

    /// Adds the lines above the axes, which begin at `left`.
    pub fn draw(&self, left: f64, marks: &mut Vec<Mark>) {
        for (k, line) in self.lines.iter().enumerate() {
            let down = 1.5 * self.gap + self.size * (0.8 + LEADING * k as f64);
            marks.push(Mark::title(line, [left, down], self.size));
        }
    }
}

fn wide(text: &str, size: f64) -> f64 {
    markup::width(text, size, Weight::SemiBold)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Look;

    #[test]
    fn lines_stay_on_the_sheet() {
        let theme = Look::default().theme();
        let words = "the pull on a knot over its shortening, four coefficients of friction";
        for sheet in [150.0, 250.0, 400.0] {
            let title = Title::new(words, sheet - 60.0, &theme);
            let mut marks = Vec::new();
            title.draw(60.0, &mut marks);
            let lines: Vec<_> = (marks.iter())
                .map(|mark| match mark {
                    Mark::Text(line) => line,
                    other => panic!("{other:?}"),
                })
                .collect();
            for line in &lines {
                assert!(
                    line.at[0] + wide(&line.text, line.size) <= sheet,
                    "{line:?}"
                );
                assert!(line.at[1] < title.height(), "{line:?}");
            }
            let joined: Vec<&str> = lines.iter().map(|line| &line.text[..]).collect();
            assert_eq!(joined.join(" "), words);
        }
        assert_eq!(Title::new(words, 1000.0, &theme).lines.len(), 1);
        assert_eq!(Title::new("", 100.0, &theme).height(), 0.0);
        assert_eq!(
            Title::new("one\ntwo words", 1000.0, &theme).lines,
            ["one", "two words"]
        );
        // There is no place to break it.
        assert_eq!(Title::new(&"x".repeat(90), 100.0, &theme).lines.len(), 1);
    }
}
