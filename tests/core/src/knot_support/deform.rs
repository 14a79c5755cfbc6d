//! Changes of a polygon that keep its type: motions, new nodes, and deformations without crossing.

use writhe::glam::DVec3;
use writhe::kernels::distance::closest_points;

use super::Random;

/// Turned, moved and scaled.
pub fn moved(points: &[DVec3], random: &mut Random) -> Vec<DVec3> {
    let (rotation, shift) = (random.rotation(), 100.0 * random.vector());
    let scale = (3.0 * random.next()).exp();
    points
        .iter()
        .map(|x| rotation * (*x * scale) + shift)
        .collect()
}

/// Up to `most` new nodes on every edge, and another first node.
pub fn subdivided(points: &[DVec3], most: usize, random: &mut Random) -> Vec<DVec3> {
    let count = points.len();
    let mut out = Vec::new();
    for (i, a) in points.iter().enumerate() {
        let b = points[(i + 1) % count];
        let mut cuts: Vec<f64> = (0..random.below(most + 1))
            .map(|_| 0.5 + 0.49 * random.next())
            .collect();
        cuts.sort_by(f64::total_cmp);
        cuts.dedup_by(|x, y| *x - *y < 1e-3);
        out.push(*a);
        out.extend(cuts.iter().map(|s| a.lerp(b, *s)));
    }
    let first = random.below(out.len());
    out.rotate_left(first);
    out
}

/// Moves random nodes of a closed polygon, `steps` times, each by less than half the distance of
/// its two edges from all others, so that nothing passes through anything.
pub fn crumpled(points: &[DVec3], steps: usize, random: &mut Random) -> Vec<DVec3> {
    let mut x = points.to_vec();
    let count = x.len();
    for _ in 0..steps {
        let i = random.below(count);
        let (before, after) = ((i + count - 1) % count, (i + 1) % count);
        let mut room = f64::INFINITY;
        for j in 0..count {
            let next = (j + 1) % count;
            for edge in [before, i] {
                let end = (edge + 1) % count;
                let apart = j != edge && next != edge && j != end;
                if apart {
                    let d = closest_points(x[edge], x[end], x[j], x[next]).distance;
                    room = room.min(d);
                }
            }
        }
        let wanted = x[i] + random.in_ball() * 0.49 * room;
        // Neighbours must not fold onto each other.
        let [a, b] = [x[before] - wanted, x[after] - wanted];
        let [far, wide] = [(before + count - 1) % count, (after + 1) % count];
        let angle = |u: DVec3, v: DVec3| u.angle_between(v);
        if angle(a, b) > 0.2
            && angle(wanted - x[before], x[far] - x[before]) > 0.2
            && angle(wanted - x[after], x[wide] - x[after]) > 0.2
        {
            x[i] = wanted;
        }
    }
    x
}

/// The image under `count` random shears x_i += A sin(k x_j + phase), each a deformation of all
/// space; `points` must be fine.
pub fn sheared(points: &[DVec3], count: usize, random: &mut Random) -> Vec<DVec3> {
    let mut x = points.to_vec();
    for shear in 0..count {
        let (i, j) = (shear % 3, (shear + 1 + random.below(2)) % 3);
        let (size, rate, phase) = (
            1.5 * random.next(),
            1.0 + random.next(),
            10.0 * random.next(),
        );
        for x in &mut x {
            x[i] += size * (rate * x[j] + phase).sin();
        }
    }
    x
}
