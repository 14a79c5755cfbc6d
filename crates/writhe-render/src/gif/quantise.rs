//! Few colours for many.
//!
//! Boxes of colours are cut in two, always the one with the largest spread, across its longest
//! extent at its mean (Wu 1992 without the table). A rare colour that is far from all others soon
//! has a box of its own, which a small neural quantiser may deny it.

/// A colour, sRGB bytes, and how often it is there.
type Counted = ([u8; 3], u64);

/// At most `most` colours that stand for all of `colors`: they themselves, if they are so few.
pub(super) fn quantised(colors: &[Counted], most: usize) -> Vec<[u8; 3]> {
    if colors.len() <= most {
        return colors.iter().map(|(color, _)| *color).collect();
    }
    let mut boxes = vec![Cut::new(colors.to_vec())];
    while boxes.len() < most {
        let spreads = boxes.iter().map(|b| b.spread.iter().sum::<f64>());
        let widest = spreads.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
        // Different colours always have a spread.
        let Some((widest, _)) = widest.filter(|(_, spread)| *spread > 0.0) else {
            break;
        };
        let (low, high) = boxes.swap_remove(widest).halves();
        boxes.extend([low, high]);
    }
    boxes
        .iter()
        .map(|b| b.mean.map(|m| (m + 0.5) as u8))
        .collect()
}

/// Colours that one stands for.
struct Cut {
    colors: Vec<Counted>,
    /// Weighted mean, in bytes.
    mean: [f64; 3],
    /// Weighted sum of squared distances from the mean, by channel.
    spread: [f64; 3],
}

impl Cut {
    fn new(colors: Vec<Counted>) -> Self {
        let weights = || colors.iter().map(|(color, count)| (color, weight(*count)));
        let total: f64 = weights().map(|(_, weight)| weight).sum();
        let mean = std::array::from_fn(|k| {
            let sum: f64 = weights().map(|(c, weight)| weight * f64::from(c[k])).sum();
            sum / total.max(1.0)
        });
        let spread = std::array::from_fn(|k| {
            let from_mean = |c: &[u8; 3]| (f64::from(c[k]) - mean[k]).powi(2);
            weights().map(|(c, weight)| weight * from_mean(c)).sum()
        });
        Self {
            colors,
            mean,
            spread,
        }
    }

    /// Both sides of the mean along the channel with the largest spread; both have colours if there
    /// is any spread.
    fn halves(self) -> (Self, Self) {
        let [r, g, b] = self.spread;
        let channel = if r >= g && r >= b {
            0
        } else if g >= b {
            1
        } else {
            2
        };
        let below = |(color, _): &Counted| f64::from(color[channel]) <= self.mean[channel];
        let (low, high) = self.colors.into_iter().partition(below);
        (Self::new(low), Self::new(high))
    }
}

/// Weight of a colour in the choice: a large plain area counts, and does not push out what is
/// small.
fn weight(count: u64) -> f64 {
    (count as f64).sqrt()
}
