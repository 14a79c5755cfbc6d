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

/** The node nearest to a pixel, of the rod in front; null where no rod is near. */
export function nearestRod(run, stage, frame, pixel) {
  const x = run.positions(frame);
  let best = null;
  let nearest = Infinity;
  run.rods.forEach((rod, index) => {
    for (let i = 0; i < rod.nodes; i++) {
      const node = rod.firstNode + i;
      const point = [x[3 * node], x[3 * node + 1], x[3 * node + 2]];
      const at = stage.project(point);
      if (!at) continue;
      const radius = run.setting.radius[Math.min(rod.firstEdge + i, rod.firstEdge + rod.edges - 1)];
      const reach = Math.max(REACH, 1.5 * (radius / stage.metresPerPixel));
      const away = Math.hypot(at[0] - pixel[0], at[1] - pixel[1]);
      // Of rods under the pointer the nearest to the eye, of its nodes the nearest to the pointer.
      const depth = stage.inPicture(point).distanceTo(stage.camera.position) + 0.02 * (away / reach);
      if (away < reach && depth < nearest) [best, nearest] = [{ rod: index, node }, depth];
    }
  });
  return best;
}
