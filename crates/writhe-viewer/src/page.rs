//! The file.

use crate::base64;
use crate::setting::Setting;

/// What the folder `viewer` of the repository is made into.
const PROGRAM: &str = include_str!("../bundle/viewer.js");
const STYLE: &str = include_str!("../bundle/viewer.css");
const BODY: &str = include_str!("../bundle/body.html");

/// The page that shows a run: with a packed block of frames in it ([`Block::pack`](crate::Block::pack)),
/// or one that asks the server for blocks.
pub fn page(setting: &Setting, block: Option<&[u8]>) -> String {
    // No text can end its script: JSON may write any character as \u.
    let json = serde_json::to_string(setting)
        .unwrap_or_default()
        .replace('<', "\\u003c");
    let mut html = String::with_capacity(PROGRAM.len() + json.len() + 100_000);
    html += "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    html += "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n";
    html += &format!("<title>{}</title>\n", escaped(&setting.title));
    html += &format!("<style>{STYLE}</style>\n</head>\n<body>\n{BODY}\n");
    html += &format!("<script type=\"application/json\" id=\"setting\">{json}</script>\n");
    if let Some(block) = block {
        html += "<script type=\"text/plain\" id=\"block\">";
        base64::push(&mut html, block);
        html += "</script>\n";
    }
    html += &format!("<script>{PROGRAM}</script>\n</body>\n</html>\n");
    html
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_of_a_scene_can_end_its_script() {
        let setting = Setting {
            title: "a </script><script>alert(1)</script> & b".into(),
            ..Setting::default()
        };
        let html = page(&setting, None);
        assert!(!html.contains("alert(1)</script>"));
        assert!(html.contains("<title>a &lt;/script&gt;"));
    }

    #[test]
    fn the_page_needs_no_network() {
        let html = page(&Setting::default(), Some(&[1, 2, 3]));
        for loading in [
            "src=\"http",
            "href=\"http",
            "@import",
            "url(http",
            "import(\"",
        ] {
            assert!(!html.contains(loading), "{loading}");
        }
        assert_eq!(PROGRAM.matches("</script").count(), 0);
        assert!(html.contains("id=\"block\">AQID</script>"));
    }
}
