import assert from "node:assert/strict";
import { test } from "node:test";
import { ribbons, streamlines } from "../../src/streamlines.js";

const SIZE = 41;

/** A field of codes with the given velocity at each point; a third component lies between, as in a block. */
function field(velocity) {
  const codes = new Int16Array(3 * SIZE * SIZE);
  for (let j = 0; j < SIZE; j++) {
    for (let i = 0; i < SIZE; i++) {
      const [u, v] = velocity(i, j);
      codes[3 * (i + SIZE * j) + 2] = Math.round(u);
      codes[3 * (i + SIZE * j)] = Math.round(v);
    }
  }
  return { codes, offset: 0, stride: 3, first: 2, second: 0, width: SIZE, height: SIZE, slowest: 4 };
}

const points = (line) => Array.from({ length: line.length / 2 }, (_, i) => line.slice(2 * i, 2 * i + 2));

test("streamlines of a rotation are circles, those of a uniform flow are straight", () => {
  const middle = (SIZE - 1) / 2;
  const round = streamlines(field((i, j) => [-1000 * (j - middle), 1000 * (i - middle)]));
  assert.ok(round.length > 8, `${round.length} lines`);
  for (const line of round) {
    const radii = points(line).map(([x, y]) => Math.hypot(x - middle, y - middle));
    assert.ok(Math.max(...radii) - Math.min(...radii) < 0.05 + 0.01 * Math.max(...radii), `${Math.min(...radii)} ${Math.max(...radii)}`);
    const [[ax, ay], [bx, by]] = points(line);
    assert.ok((ax - middle) * (by - ay) - (ay - middle) * (bx - ax) > 0, "points follow each other with the flow");
  }
  const straight = streamlines(field(() => [3000, 1000]));
  for (const line of straight) {
    for (const [x, y] of points(line)) assert.ok(Math.abs(y - line[1] - (x - line[0]) / 3) < 1e-3, `${x} ${y}`);
  }
});

test("lines keep apart, fill the plane, and stay in it; a flow at rest has none", () => {
  const lines = streamlines(field((i) => [0, 20000 + 10 * i]));
  const columns = lines.map((line) => line[0]).sort((a, b) => a - b);
  // Squares of 2: parallel lines, each in its own column of them, and no column empty.
  assert.equal(new Set(columns.map((x) => Math.floor(x / 2))).size, 21);
  for (const line of lines) for (const [x, y] of points(line)) assert.ok(x >= 0 && y >= 0 && x <= SIZE - 1 && y <= SIZE - 1);
  assert.deepEqual(streamlines(field(() => [2, 2])), []);
});

test("ribbons are triangles around their lines, and no more than there is room for", () => {
  const line = [1, 1, 2, 1, 3, 1];
  const out = new Float32Array(600);
  const corners = ribbons([line], out);
  // Two steps of two triangles, one arrowhead, which points ahead.
  assert.equal(corners, 15);
  const all = Array.from({ length: corners }, (_, i) => [...out.subarray(3 * i, 3 * i + 3)]);
  assert.ok(all.every(([x, y, z]) => z === 0 && x >= 0.9 && x < 4 && Math.abs(y - 1) < 0.5));
  const tip = all.find(([x]) => x > 3 || (x > 2 && x !== 3));
  assert.ok(Math.abs(tip[1] - 1) < 1e-6 && tip[0] > 2, `${tip}`);
  assert.equal(ribbons([line], new Float32Array(30)), 0);
});
