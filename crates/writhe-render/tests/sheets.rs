//! Contact sheets: size, labels, legends.

use glam::DVec3;
use writhe_render::{
    Anchor, Background, CellSize, Color, ColorBar, ColorMap, ContactSheet, Image, Scene,
    SheetOptions, SheetRow, SheetScaleBar, TextStyle, Tube,
};

fn rod(bend: f64) -> Scene {
    let nodes = (0..12)
        .map(|i| f64::from(i) / 110.0)
        .map(|s| DVec3::new(s, 0.0, -bend * s * s))
        .collect();
    Scene::new(vec![Tube::new(nodes, 0.002, Color::srgb(0, 114, 178))])
}

fn sheet() -> ContactSheet {
    ContactSheet {
        title: String::new(),
        column_labels: vec![],
        rows: vec![
            SheetRow::new("", vec![rod(0.0), rod(4.0)]),
            SheetRow::new("", vec![rod(2.0)]),
        ],
        options: SheetOptions {
            cell: CellSize::Fixed(90, 60),
            scale_bar: SheetScaleBar::Off,
            supersample: 2,
            ..SheetOptions::default()
        },
    }
}

fn ink(image: &Image) -> usize {
    image
        .as_bytes()
        .chunks_exact(4)
        .filter(|p| p[0] < 100 && p[1] < 100 && p[2] < 100)
        .count()
}

#[test]
fn title_labels_and_scale_bar_add_ink_and_space() {
    let bare = sheet().render().unwrap();
    let mut labelled = sheet();
    labelled.title = "Cantilever".into();
    labelled.column_labels = vec!["t = 0 s".into(), "t = 1 s".into()];
    labelled.rows[0].label = "M = 2".into();
    labelled.options.scale_bar = SheetScaleBar::Auto;
    labelled.options.legend.color_bar = Some(ColorBar {
        map: ColorMap::Diverging,
        range: (-1.0, 1.0),
        label: "κ".into(),
        unit: "1/m".into(),
    });
    let full = labelled.render().unwrap();
    assert!(full.width() > bare.width() && full.height() > bare.height());
    assert!(ink(&full) > ink(&bare) + 200);
}

#[test]
fn same_sheet_gives_the_same_bytes() {
    assert_eq!(sheet().render().unwrap(), sheet().render().unwrap());
}

#[test]
fn dark_sheet_has_light_labels() {
    let mut dark = sheet();
    dark.options.background = Background::Dark;
    dark.title = "dark".into();
    let image = dark.render().unwrap();
    assert!(
        image
            .as_bytes()
            .chunks_exact(4)
            .any(|p| p[0] > 200 && p[1] > 200 && p[2] > 200)
    );
    assert!(image.pixel(0, 0).unwrap()[0] < 60);
}

#[test]
fn text_on_transparency_keeps_its_colour() {
    let mut image = Image::new(60, 30, None).unwrap();
    let style = TextStyle {
        size: 20.0,
        color: Color::srgb(200, 30, 40),
        bold: true,
    };
    image.draw_text("HI", 5.0, 22.0, Anchor::Left, style);
    let solid = image
        .as_bytes()
        .chunks_exact(4)
        .find(|p| p[3] == 255)
        .unwrap();
    assert_eq!(&solid[..3], &[200, 30, 40]);
}
