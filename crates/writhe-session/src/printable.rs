//! Texts as a terminal may show them.

/// `text` without what a terminal obeys instead of showing it: control characters, but for ends of
/// lines and tabs, and marks that turn the direction of writing. A mark of as many bytes stands for
/// each, so that places in the text stay where they are.
///
/// Everything that holds a user's words (titles, names, paths, values) goes through here before it
/// is shown.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let ends_line = c == '\r' && rest.peek() == Some(&'\n');
        shown.push(match c.len_utf8() {
            _ if ends_line || is_shown(c) => c,
            1 => '?',
            2 => '¿',
            _ => char::REPLACEMENT_CHARACTER,
        });
    }
    shown
}

/// Whether all of `text` is shown as it is.
pub fn is_printable(text: &str) -> bool {
    printable(text) == text
}

fn is_shown(c: char) -> bool {
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    matches!(c, '\n' | '\t') || !(c.is_control() || turns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_codes_are_not_obeyed_and_keep_their_length() {
        let nasty = "a\u{1b}[31mb\u{7f}\u{9b}c\u{202e}d\r\u{0}\r\n\te é 中";
        let shown = printable(nasty);
        assert_eq!(shown, "a?[31mb?¿c\u{fffd}d??\r\n\te é 中");
        assert_eq!(shown.len(), nasty.len());
        assert!(is_printable(&shown) && !is_printable(nasty));
    }
}
