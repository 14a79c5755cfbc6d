//! The Python package `pypdf` reads the PDF that this crate writes.
//!
//! Runs if `WRITHE_FOREIGN_READERS=1`; `PYTHON` names an interpreter that has the package (default
//! `python3`).

use std::process::Command;

use writhe_plot::{Axis, Curve, Figure, Legend, Panel};

const SCRIPT: &str = r#"
import sys, warnings
warnings.simplefilter("error")
import pypdf

document = pypdf.PdfReader(sys.argv[1], strict=True)
assert len(document.pages) == 1
page = document.pages[0]
assert [float(x) for x in page.mediabox] == [0, 0, 330, 240], page.mediabox
for font in page["/Resources"]["/Font"].values():
    font = font.get_object()
    assert font["/BaseFont"].endswith("+Inter-Regular-Identity-H"), font
    glyphs = font["/DescendantFonts"][0].get_object()
    program = glyphs["/FontDescriptor"]["/FontFile3"]
    assert program["/Subtype"] == "/CIDFontType0C" and len(program.get_data()) > 1000
text = page.extract_text()
for words in ["Twist τ", "Pull force (mN)", "n & m", "0.4"]:
    assert words in text, (words, text)
lines, points = 0, 0
for operands, operator in page.get_contents().operations:
    lines += operator == b"S"
    points += operator in (b"m", b"l")
    if operator in (b"m", b"l"):
        x, y = map(float, operands)
        assert 0 <= x <= 330 and 0 <= y <= 240, (x, y)
print(lines, points)
"#;

#[test]
fn pypdf_reads_the_figure() {
    if std::env::var_os("WRITHE_FOREIGN_READERS").is_none_or(|value| value != "1") {
        return;
    }
    let points = (0..=100).map(|i| 0.01 * f64::from(i));
    let points = points.map(|x| [x, 0.02 * (7.0 * x).sin()]).collect();
    let mut panel = Panel::new(Axis::new("Twist τ", "1"), Axis::new("Pull force", "N"));
    panel.curves.push(Curve::new("n & m", points, 0));
    panel
        .curves
        .push(Curve::new("none", vec![[0.0, 0.0], [1.0, 0.01]], 1));
    let figure = Figure {
        legend: Legend::Inside,
        ..Figure::new(vec![panel])
    };
    let file = std::env::temp_dir().join(format!("writhe-plot-{}.pdf", std::process::id()));
    std::fs::write(&file, figure.to_pdf().unwrap()).unwrap();
    let python = std::env::var_os("PYTHON").unwrap_or("python3".into());
    let output = Command::new(python)
        .args(["-c", SCRIPT])
        .arg(&file)
        .output();
    std::fs::remove_file(&file).unwrap();
    let output = output.unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let found = String::from_utf8(output.stdout).unwrap();
    let mut numbers = found
        .split_whitespace()
        .map(|n| n.parse::<usize>().unwrap());
    let lines = figure.to_svg().unwrap().matches("<polyline").count();
    assert_eq!(numbers.next(), Some(lines));
    assert!(numbers.next().unwrap() > 50);
}
