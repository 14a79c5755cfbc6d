//! Lines cut off at the frame, and freed of points that no one sees.

use crate::frame::Frame;

/// Points nearer than this to a straight line are left out, points (1/72 inch).
const UNSEEN: f64 = 0.05;

/// The parts of a polygonal line inside the frame.
pub(crate) fn clipped(line: &[[f64; 2]], frame: &Frame) -> Vec<Vec<[f64; 2]>> {
    let mut parts: Vec<Vec<[f64; 2]>> = Vec::new();
    let mut joined = false;
    for pair in line.windows(2) {
        let Some((from, to)) = segment(pair[0], pair[1], frame) else {
            joined = false;
            continue;
        };
        match parts.last_mut() {
            Some(part) if joined => part.push(to),
            _ => parts.push(vec![from, to]),
        }
        joined = to == pair[1];
    }
    parts
}

/// The part of a segment inside the frame (Liang and Barsky 1984).
fn segment(a: [f64; 2], b: [f64; 2], frame: &Frame) -> Option<([f64; 2], [f64; 2])> {
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    let d = [b[0] - a[0], b[1] - a[1]];
    for (step, room) in [
        (-d[0], a[0] - frame.left),
        (d[0], frame.right - a[0]),
        (-d[1], a[1] - frame.top),
        (d[1], frame.bottom - a[1]),
    ] {
        if step == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if step < 0.0 {
            first = first.max(room / step);
        } else {
            last = last.min(room / step);
        }
    }
    let at = |t: f64| {
        if t == 1.0 {
            b
        } else {
            [a[0] + t * d[0], a[1] + t * d[1]]
        }
    };
    (first <= last).then(|| (at(first), at(last)))
}

/// The line without points that lie on it anyhow (Douglas and Peucker 1973).
pub(crate) fn simplified(line: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let Some(last) = line.len().checked_sub(1) else {
        return Vec::new();
    };
    let mut kept = vec![false; line.len()];
    (kept[0], kept[last]) = (true, true);
    let mut open = vec![(0, last)];
    while let Some((from, to)) = open.pop() {
        let distance = |i: &usize| to_segment(line[*i], line[from], line[to]);
        let farthest = (from + 1..to).max_by(|a, b| distance(a).total_cmp(&distance(b)));
        if let Some(i) = farthest.filter(|i| distance(i) > UNSEEN) {
            kept[i] = true;
            open.extend([(from, i), (i, to)]);
        }
    }
    let points = line.iter().zip(&kept).filter(|(_, kept)| **kept);
    points.map(|(point, _)| *point).collect()
}

/// Distance of a point from a segment.
fn to_segment(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (d, r) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let square = d[0] * d[0] + d[1] * d[1];
    let t = if square > 0.0 {
        ((r[0] * d[0] + r[1] * d[1]) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (r[0] - t * d[0]).hypot(r[1] - t * d[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame = Frame {
        left: 0.0,
        top: 0.0,
        right: 10.0,
        bottom: 10.0,
    };

    #[test]
    fn what_leaves_and_comes_back_is_two_parts() {
        let line = [[5.0, 5.0], [5.0, 15.0], [7.0, 15.0], [7.0, 5.0], [8.0, 5.0]];
        let parts = clipped(&line, &FRAME);
        assert_eq!(
            parts,
            [
                vec![[5.0, 5.0], [5.0, 10.0]],
                vec![[7.0, 10.0], [7.0, 5.0], [8.0, 5.0]]
            ]
        );
        assert!(clipped(&[[-1.0, -1.0], [-1.0, 11.0]], &FRAME).is_empty());
        assert_eq!(
            clipped(&[[-5.0, 5.0], [15.0, 5.0]], &FRAME),
            [vec![[0.0, 5.0], [10.0, 5.0]]]
        );
    }

    #[test]
    fn corners_stay_and_straight_parts_go() {
        let line: Vec<[f64; 2]> = (0..=100)
            .map(|i| 0.1 * f64::from(i))
            .map(|x| [x, (x - 5.0).abs()])
            .collect();
        assert_eq!(simplified(&line), [[0.0, 5.0], [5.0, 0.0], [10.0, 5.0]]);
        assert_eq!(simplified(&[]), Vec::<[f64; 2]>::new());
        assert_eq!(simplified(&[[1.0, 1.0]; 5]), [[1.0, 1.0]; 2]);
    }
}
