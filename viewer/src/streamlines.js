// Streamlines of a plane field, evenly spaced, as flat ribbons with arrowheads.
//
// All in units of the grid: point (i, j) of the field lies at (i, j). A line is followed along the direction of the flow, both ways from its seed,
// by the midpoint rule, and ends where it leaves the grid, where the flow is too slow to have a direction, or where another line is near.

/** Step along a line. */
const STEP = 0.5;
/** Sides of the squares of which each holds one line. */
const APART = 2;
/** A line is at least so long, and at most. */
const SHORTEST = 4;
const LONGEST = 120;
/** Steps within which it comes to another square, or it only turns. */
const TURNING = 10;
/** Half width of a ribbon, half width and length of an arrowhead, way between arrowheads. */
const HALF_WIDTH = 0.075;
const HEAD = [0.42, 1.1];
const BETWEEN_HEADS = 14;

/** Lines as lists of points x, y of a field with components `codes[stride * (i + width * j) + first]` and `+ second`; slower than `slowest` is still. */
export function streamlines({ codes, offset, stride, first, second, width, height, slowest }) {
  const at = (x, y, out) => {
    const i = Math.min(width - 2, Math.max(0, Math.floor(x)));
    const j = Math.min(height - 2, Math.max(0, Math.floor(y)));
    const [a, b] = [x - i, y - j];
    const k = offset + stride * (i + width * j);
    const up = k + stride * width;
    const mix = (c) => (1 - b) * ((1 - a) * codes[k + c] + a * codes[k + stride + c]) + b * ((1 - a) * codes[up + c] + a * codes[up + stride + c]);
    const [u, v] = [mix(first), mix(second)];
    const speed = Math.hypot(u, v);
    if (speed < slowest) return false;
    out[0] = u / speed;
    out[1] = v / speed;
    return true;
  };
  const columns = Math.ceil(width / APART);
  const rows = Math.ceil(height / APART);
  const owner = new Int32Array(columns * rows).fill(-1);
  const square = (x, y) => Math.floor(x / APART) + columns * Math.floor(y / APART);
  const inside = (x, y) => x >= 0 && y >= 0 && x <= width - 1 && y <= height - 1;
  const way = [0, 0];
  const follow = (x, y, sign, line, taken) => {
    const points = [];
    for (let n = 0, since = 0; n < LONGEST / STEP && since < TURNING; n++, since++) {
      if (!at(x, y, way)) break;
      const [mx, my] = [x + 0.5 * sign * STEP * way[0], y + 0.5 * sign * STEP * way[1]];
      if (!inside(mx, my) || !at(mx, my, way)) break;
      x += sign * STEP * way[0];
      y += sign * STEP * way[1];
      if (!inside(x, y)) break;
      const here = square(x, y);
      if (owner[here] >= 0 && owner[here] !== line) break;
      // A line that comes back to where it was goes round for ever.
      if (owner[here] === line && taken.at(-1) !== here && taken.indexOf(here) < taken.length - 4) break;
      if (owner[here] < 0) {
        owner[here] = line;
        taken.push(here);
        since = 0;
      }
      points.push(x, y);
    }
    return points;
  };
  const lines = [];
  // Seeds in an order that scatters them: steps by a number that shares no factor with that of the squares.
  const count = columns * rows;
  const by = coprime(Math.floor(0.618 * count), count);
  for (let n = 0, k = 0; n < count; n++, k = (k + by) % count) {
    if (owner[k] >= 0) continue;
    const x = Math.min(width - 1, (0.5 + (k % columns)) * APART);
    const y = Math.min(height - 1, (0.5 + Math.floor(k / columns)) * APART);
    const line = lines.length;
    owner[k] = line;
    const taken = [k];
    const behind = follow(x, y, -1, line, taken);
    const ahead = follow(x, y, 1, line, taken);
    const points = [];
    for (let i = behind.length - 2; i >= 0; i -= 2) points.push(behind[i], behind[i + 1]);
    points.push(x, y, ...ahead);
    if ((points.length / 2) * STEP >= SHORTEST) lines.push(points);
    else for (const mine of taken) owner[mine] = -1;
  }
  return lines;
}

function coprime(wanted, count) {
  const divisor = (a, b) => (b ? divisor(b, a % b) : a);
  let by = Math.max(1, wanted);
  while (divisor(by, count) !== 1) by++;
  return by;
}

/** Corners of the triangles of ribbons along lines, three numbers each, the third 0, into `out`; the number of corners. What has no room is left out. */
export function ribbons(lines, out) {
  let n = 0;
  const corner = (x, y) => {
    out[n++] = x;
    out[n++] = y;
    out[n++] = 0;
  };
  const quad = (ax, ay, bx, by, cx, cy, dx, dy) => {
    for (const [x, y] of [[ax, ay], [bx, by], [cx, cy], [bx, by], [dx, dy], [cx, cy]]) corner(x, y);
  };
  for (const line of lines) {
    const last = line.length / 2 - 1;
    if (n + 18 * (last + 1) + 9 * (last + 1) > out.length) break;
    const across = (i) => {
      const [a, b] = [2 * Math.max(0, i - 1), 2 * Math.min(last, i + 1)];
      const [x, y] = [line[b] - line[a], line[b + 1] - line[a + 1]];
      const size = Math.hypot(x, y) || 1;
      return [-y / size, x / size];
    };
    let [px, py] = across(0);
    const between = Math.round(BETWEEN_HEADS / STEP);
    const headAt = Math.floor((last % between) / 2) || Math.floor(last / 2);
    for (let i = 0; i < last; i++) {
      const [qx, qy] = across(i + 1);
      const w = HALF_WIDTH;
      const [x0, y0, x1, y1] = line.slice(2 * i, 2 * i + 4);
      quad(x0 + w * px, y0 + w * py, x0 - w * px, y0 - w * py, x1 + w * qx, y1 + w * qy, x1 - w * qx, y1 - w * qy);
      if (i % between === headAt % between) {
        // The normal across turned back by a right angle is the way ahead.
        const [half, long] = HEAD;
        corner(x0 + half * px, y0 + half * py);
        corner(x0 - half * px, y0 - half * py);
        corner(x0 + long * py, y0 - long * px);
      }
      [px, py] = [qx, qy];
    }
  }
  return n / 3;
}
