//! What colours show: which rod it is, or a quantity along the rods.

use writhe_render::{ColorBar, ColorMap};
use writhe_rundir::{Contact, Rods, RunReader, speeds};
use writhe_session::failure::{Failure, Result};

/// A value this many times as far out as all but few others is beyond the range of colours.
const OUTLIER: f64 = 3.0;
/// Part of the values that is few.
const FEW: f64 = 0.003;
/// Likeness from which on another name may be meant, 0 to 1.
const ALIKE: f64 = 0.75;
/// Values that tell the range of a field well enough.
const ENOUGH: usize = 100_000;

/// What colours show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Which rod it is.
    Rod,
    /// Nothing: all rods have one colour.
    One,
    /// Curvature, 1/m.
    Curvature,
    /// Twist, rad/m.
    Twist,
    /// Length over rest length less one.
    Stretch,
    /// Speed, m/s.
    Speed,
    /// Normal force of contact at each node, N.
    Force,
}

/// The name in pictures of what exports call `contact_force` and the page `plain`; other names stay.
pub fn common_name(name: &str) -> &str {
    match name {
        "contact_force" => "force",
        "plain" => "one",
        other => other,
    }
}

impl Field {
    /// All there are, in the order in which they are told.
    pub const ALL: [Self; 7] = [
        Self::Rod,
        Self::One,
        Self::Curvature,
        Self::Twist,
        Self::Stretch,
        Self::Speed,
        Self::Force,
    ];

    /// The name by which it is asked for.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rod => "rod",
            Self::One => "one",
            Self::Curvature => "curvature",
            Self::Twist => "twist",
            Self::Stretch => "stretch",
            Self::Speed => "speed",
            Self::Force => "force",
        }
    }

    /// The field of this name; it may also be that which the page and exports have for it.
    ///
    /// # Errors
    /// When there is none; says which there are.
    pub fn named(name: &str) -> Result<Self> {
        let own = common_name(name);
        if let Some(field) = Self::ALL.into_iter().find(|field| field.name() == own) {
            return Ok(field);
        }
        let likeness = |field: &Self| strsim::jaro_winkler(field.name(), name);
        let near = Self::ALL
            .into_iter()
            .max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        let meant = near.filter(|field| likeness(field) > ALIKE);
        let meant = meant.map_or(String::new(), |f| format!("did you mean `{}`? ", f.name()));
        let names: Vec<&str> = Self::ALL.iter().map(|field| field.name()).collect();
        Err(
            Failure::bad_input(format!("`{name}` is nothing that rods are coloured by"))
                .help(format!("{meant}There are {}", names.join(", "))),
        )
    }

    /// Whether it varies along rods, and has a bar of colours.
    pub fn is_quantity(self) -> bool {
        !matches!(self, Self::Rod | Self::One)
    }

    /// Name for readers, and unit.
    fn label(self) -> (&'static str, &'static str) {
        match self {
            Self::Rod | Self::One => ("", ""),
            Self::Curvature => ("curvature", "1/m"),
            Self::Twist => ("twist", "rad/m"),
            Self::Stretch => ("stretch", ""),
            Self::Speed => ("speed", "m/s"),
            Self::Force => ("contact force", "N"),
        }
    }

    /// Whether its sign matters.
    fn is_signed(self) -> bool {
        matches!(self, Self::Twist | Self::Stretch)
    }

    /// Its values at all nodes in frame `index` of a run whose frames are at `times`, s, `(nodes)`;
    /// empty for what does not vary along rods.
    ///
    /// # Errors
    /// When the frame cannot be read.
    pub fn values(
        self,
        reader: &RunReader,
        rods: &Rods,
        contacts: &[Contact],
        times: &[f64],
        index: usize,
    ) -> Result<Vec<f64>> {
        let strains = || -> Result<_> {
            Ok(rods.fields(&reader.positions(index)?, &reader.directors(index)?))
        };
        Ok(match self {
            Self::Rod | Self::One => Vec::new(),
            Self::Curvature => strains()?.curvature,
            Self::Twist => strains()?.twist,
            Self::Stretch => strains()?.stretch,
            Self::Speed => speeds(reader, times, index)?,
            Self::Force => rods.contact_force(&reader.positions(index)?, contacts),
        })
    }

    /// The bar of colours for these values: from the least to the greatest, but for outliers;
    /// symmetric where the sign matters.
    pub fn bar(self, mut values: Vec<f64>) -> ColorBar {
        values.retain(|value| value.is_finite());
        values.sort_by(f64::total_cmp);
        let last = values.len().saturating_sub(1) as f64;
        let at = |part: f64| values.get(part as usize).copied();
        // A few values far beyond all others would leave one colour for these.
        let extreme = |most: Option<f64>, usual: Option<f64>| match (most, usual) {
            (Some(most), Some(usual)) if most.abs() > OUTLIER * usual.abs() && usual != 0.0 => {
                Some(usual)
            }
            (most, _) => most,
        };
        let low = extreme(at(0.0), at((FEW * last).floor())).unwrap_or(0.0);
        let high = extreme(at(last), at(((1.0 - FEW) * last).ceil())).unwrap_or(0.0);
        let range = if self.is_signed() {
            let most = low.abs().max(high.abs());
            let most = if most > 0.0 { most } else { 1.0 };
            (-most, most)
        } else {
            (low.min(0.0), if high > 0.0 { high } else { 1.0 })
        };
        self.bar_over(range)
    }

    /// The bar of colours for a range.
    pub fn bar_over(self, range: (f64, f64)) -> ColorBar {
        let (label, unit) = self.label();
        ColorBar {
            map: match self.is_signed() {
                true => ColorMap::Diverging,
                false => ColorMap::Sequential,
            },
            range,
            label: label.to_owned(),
            unit: unit.to_owned(),
        }
    }

    /// Of how many successive frames, of `frames` with so many `nodes`, one tells the range.
    pub fn stride(frames: usize, nodes: usize) -> usize {
        (frames * nodes).div_ceil(ENOUGH).clamp(1, frames.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_and_misspelt_ones_guessed() {
        for field in Field::ALL {
            assert_eq!(Field::named(field.name()), Ok(field));
        }
        // As exports and the page call them.
        assert_eq!(Field::named("contact_force"), Ok(Field::Force));
        assert_eq!(Field::named("plain"), Ok(Field::One));
        let failure = Field::named("curvture").unwrap_err();
        let remedy = failure.remedy().unwrap();
        assert!(
            remedy.contains("`curvature`") && remedy.contains("speed"),
            "{remedy}"
        );
    }

    #[test]
    fn ranges_leave_out_what_is_far_beyond_all_others() {
        let mut values: Vec<f64> = (0..1000).map(|i| f64::from(i) / 1000.0).collect();
        assert_eq!(Field::Curvature.bar(values.clone()).range, (0.0, 0.999));
        values.push(50.0);
        let (low, high) = Field::Curvature.bar(values.clone()).range;
        assert!(low == 0.0 && high < 1.0, "{high}");
        assert_eq!(Field::Twist.bar(vec![-2.0, 1.0]).range, (-2.0, 2.0));
        for values in [vec![], vec![0.0; 4], vec![f64::NAN]] {
            assert_eq!(Field::Speed.bar(values.clone()).range, (0.0, 1.0));
            assert_eq!(Field::Stretch.bar(values).range, (-1.0, 1.0));
        }
    }
}
