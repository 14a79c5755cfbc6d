//! Comma-separated values: fields with commas, quotes or line ends are quoted (RFC 4180).

/// One line, without its end.
pub(crate) fn line<S: AsRef<str>>(fields: &[S]) -> String {
    let quoted = fields.iter().map(|field| {
        let field = field.as_ref();
        if field.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field.to_owned()
        }
    });
    quoted.collect::<Vec<_>>().join(",")
}

/// All lines of a text; what follows the last line end was torn off by a kill and is left out.
pub(crate) fn parse(text: &str) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    let (mut fields, mut field) = (Vec::new(), String::new());
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                fields.push(std::mem::take(&mut field));
                lines.push(std::mem::take(&mut fields));
            }
            '\r' if !quoted => {}
            c => field.push(c),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_read_back() {
        let fields = ["a", "", "b, c", "say \"x\"", "two\nlines"];
        let text = format!("{}\n{}\ntorn,li", line(&fields), line(&["1", "2"]));
        let read = parse(&text);
        assert_eq!(
            read,
            [
                fields.map(str::to_owned).to_vec(),
                vec!["1".into(), "2".into()]
            ]
        );
    }
}
