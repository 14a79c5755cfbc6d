//! What a figure gets beside its curves: title, size, ends of axes, legend, look, markers.

use writhe_plot::{Axis, Figure, Legend, Look, Marker, Panel, Size};
use writhe_scenes::units::parse_quantity;

use crate::args::{LegendPlace, Limits, PlotArgs, PlotStyle};
use crate::report::{Failure, Result};

/// The figure as the arguments want it.
///
/// # Errors
/// When limits measure something else than the axis, or are for one of several panels.
pub fn dressed(figure: Figure, args: &PlotArgs) -> Result<Figure> {
    let mut figure = figure.looking(match args.style {
        PlotStyle::Paper => Look::Paper,
        PlotStyle::Talk => Look::Talk,
    });
    figure.title = args.title.clone().unwrap_or_default();
    figure.legend = match args.legend {
        LegendPlace::Auto => Legend::Auto,
        LegendPlace::Inside => Legend::Inside,
        LegendPlace::Beside => Legend::Beside,
        LegendPlace::Below => Legend::Below,
        LegendPlace::None => Legend::None,
    };
    if let Some(size) = args.size {
        figure.size = Size::Sheet(size.0);
        figure.columns = columns(figure.panels.len(), size.0);
    }
    if let Some(limits) = &args.xlim {
        for panel in &mut figure.panels {
            panel.x.range = Some(ends(&panel.x, limits, "--xlim")?);
        }
    }
    if let Some(limits) = &args.ylim {
        let unit = figure.panels.first().map(|panel| panel.y.unit.clone());
        let is_one = |panel: &Panel| Some(&panel.y.unit) == unit.as_ref();
        if !figure.panels.iter().all(is_one) {
            let message = format!(
                "`--ylim {}` fits one unit, but {} panels with several units are drawn",
                limits.text,
                figure.panels.len()
            );
            return Err(Failure::bad_input(message).help("name observables of one unit"));
        }
        for panel in &mut figure.panels {
            panel.y.range = Some(ends(&panel.y, limits, "--ylim")?);
        }
    }
    if args.markers {
        figure.panels.iter_mut().for_each(mark);
    }
    Ok(figure)
}

/// In how many columns so many panels are nearest to the shape of a single one.
fn columns(panels: usize, [width, height]: [f64; 2]) -> usize {
    const SHAPE: f64 = 1.4;
    let off = |columns: &usize| {
        let rows = panels.div_ceil(*columns) as f64;
        (width / *columns as f64 / (height / rows) / SHAPE)
            .ln()
            .abs()
    };
    let all = 1..=panels.max(1);
    all.min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(1)
}

/// Limits in the unit of an axis.
fn ends(axis: &Axis, limits: &Limits, option: &str) -> Result<[f64; 2]> {
    // A unit that no scene has is one of the user's own.
    let unit = parse_quantity(&format!("1 {}", axis.unit)).ok();
    let (factor, dimension) = match unit {
        Some((factor, dimension)) if axis.unit != "1" => (factor, dimension),
        _ => (1.0, None),
    };
    match limits.dimension {
        // In the unit of the values.
        None => Ok(limits.ends),
        Some(of) if dimension.is_some_and(|wanted| of.fits(wanted)) => {
            Ok(limits.ends.map(|end| end / factor))
        }
        Some(of) => {
            let measures = match dimension {
                Some(dimension) => dimension.describe(),
                None => "numbers without a unit".to_owned(),
            };
            let message = format!(
                "`{option} {}` is {}, and the axis `{}` shows {measures}",
                limits.text,
                of.describe(),
                axis.label
            );
            Err(Failure::bad_input(message).help("write the ends in the unit of the axis"))
        }
    }
}

/// Puts marks on the curves of a panel; those of one colour that belong together have one shape.
fn mark(panel: &mut Panel) {
    let mut known = Vec::new();
    for curve in &mut panel.curves {
        // Parts without a name go with the part that has it.
        let index = known.iter().position(|(color, style, named)| {
            *color == curve.color && (*style == curve.style || curve.label.is_empty() || !named)
        });
        let index = index.unwrap_or_else(|| {
            known.push((curve.color, curve.style, !curve.label.is_empty()));
            known.len() - 1
        });
        curve.marker = Some(Marker::of_few(index));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_keep_their_shape() {
        assert_eq!(columns(2, [86.0, 120.0]), 1);
        assert_eq!(columns(2, [170.0, 60.0]), 2);
        assert_eq!(columns(3, [170.0, 110.0]), 2);
        assert_eq!(columns(1, [300.0, 40.0]), 1);
    }
}
