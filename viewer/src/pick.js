// What is under the pointer.

/** Pixels within which something is hit. */
const REACH = 14;

/** Index of the contact nearest to a pixel, or -1. */
export function nearestContact(stage, contacts, pixel) {
  let best = -1;
  let least = REACH;
  contacts.forEach(({ points: [a, b] }, i) => {
    const at = stage.project(a.map((x, k) => (x + b[k]) / 2));
    const away = at ? Math.hypot(at[0] - pixel[0], at[1] - pixel[1]) : Infinity;
    if (away < least) [best, least] = [i, away];
  });
  return best;
}

/** Where along the segment from a to b a point is nearest, 0 to 1. */
function along(a, b, point) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const square = dx * dx + dy * dy;
  const part = square > 0 ? ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square : 0;
  return Math.min(1, Math.max(0, part));
}

/** The rod in front near a pixel, of those that `shows` says yes to, with its node that is nearest; null where no rod is near. */
export function nearestRod(run, stage, frame, pixel, shows) {
  const x = run.positions(frame);
  const pixels = stage.metresPerPixel;
  let best = null;
  let nearest = Infinity;
  run.rods.forEach((rod, index) => {
    if (!shows(index)) return;
    const points = Array.from({ length: rod.nodes }, (_, i) => {
      const node = 3 * (rod.firstNode + i);
      const point = [x[node], x[node + 1], x[node + 2]];
      return { at: stage.project(point), depth: stage.inPicture(point).distanceTo(stage.camera.position) };
    });
    for (let i = 0; i < rod.edges; i++) {
      const [a, b] = [points[i], points[(i + 1) % rod.nodes]];
      if (!a.at || !b.at) continue;
      const part = along(a.at, b.at, pixel);
      const away = Math.hypot(a.at[0] + part * (b.at[0] - a.at[0]) - pixel[0], a.at[1] + part * (b.at[1] - a.at[1]) - pixel[1]);
      const reach = Math.max(REACH, 1.5 * (run.setting.radius[rod.firstEdge + i] / pixels));
      // Of rods under the pointer the nearest to the eye, and of these the nearest to the pointer.
      const depth = a.depth + part * (b.depth - a.depth) + 0.02 * (away / reach);
      if (away < reach && depth < nearest) [best, nearest] = [{ rod: index, node: rod.firstNode + ((part < 0.5 ? i : i + 1) % rod.nodes) }, depth];
    }
  });
  return best;
}
