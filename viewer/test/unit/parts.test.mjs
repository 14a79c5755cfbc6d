import assert from "node:assert/strict";
import { test } from "node:test";
import { ticks } from "../../src/curves.js";
import { niceBelow, number, quantity } from "../../src/format.js";
import { KEYS } from "../../src/keys.js";
import { fromHash, toHash } from "../../src/link.js";
import { readBlock, Run } from "../../src/run.js";

test("numbers are written for readers", () => {
  assert.equal(number(0), "0");
  assert.equal(number(-1234.5), "−1230");
  assert.equal(number(1.5e-7), "1.5 × 10⁻⁷");
  assert.equal(number(NaN), "–");
  assert.equal(quantity(0.00123, "m"), "1.23 mm");
  assert.equal(quantity(2.5e-5, "N"), "25 µN");
  assert.equal(quantity(-3, "1"), "−3");
  assert.equal(quantity(12, "1/m"), "12 1/m");
  assert.equal(niceBelow(0.0734), 0.05);
});

test("axes have round numbers", () => {
  assert.deepEqual(ticks(0, 100, 5), [0, 20, 40, 60, 80, 100]);
  assert.ok(ticks(0.13, 0.94, 4).every((t) => t >= 0.13 && t <= 0.94));
});

test("a link says what is seen, and nonsense is left out", () => {
  const seen = { time: 12.5, colour: "twist", view: [1, 2, 3, 0, 0, 0.5], hidden: ["arrows"], curves: ["a", "b"], theme: "dark", flow: "y3" };
  assert.deepEqual(fromHash(toHash(seen)), seen);
  assert.deepEqual(fromHash("#t=x&view=1,2,3&theme=blue"), {});
  assert.deepEqual(fromHash("#view=1,1,1,1,1,1"), {});
  assert.deepEqual(fromHash(""), {});
});

test("no key has two meanings", () => {
  const all = KEYS.flatMap(({ keys }) => keys);
  assert.equal(new Set(all).size, all.length);
});

/** A block as crates/writhe-viewer/src/block.rs writes it. */
function block(arrays, header) {
  const places = {};
  let end = 0;
  for (const [name, [kind, values]] of Object.entries(arrays)) {
    end = Math.ceil(end / 8) * 8;
    places[name] = [kind, end, values.length];
    end += values.byteLength;
  }
  const text = new TextEncoder().encode(JSON.stringify({ ...header, arrays: places }));
  const start = Math.ceil((4 + text.length) / 8) * 8;
  const bytes = new Uint8Array(start + end);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  for (const [name, [, values]] of Object.entries(arrays)) bytes.set(new Uint8Array(values.buffer), start + places[name][1]);
  return bytes.buffer;
}

function frames(times, x0) {
  const n = times.length;
  return readBlock(block({
    times: ["f64", new Float64Array(times)],
    positions: ["f32", new Float32Array(times.flatMap((t) => [x0, t, 0, x0 + 1, t, 0]))],
    directors: ["i16", new Int16Array(2 * n)],
    poses: ["f32", new Float32Array(0)],
    holding: ["u8", new Uint8Array(times.map((t) => (t < 3 ? 1 : 0)))],
    flowFrames: ["u32", new Uint32Array(times.map((_, i) => i).filter((i) => i % 2 === 0))],
    flowScales: ["f32", new Float32Array(times.filter((_, i) => i % 2 === 0))],
    flow: ["i16", new Int16Array(times.filter((_, i) => i % 2 === 0).flatMap((t) => [t, 0, -t]))],
    markEnds: ["u32", new Uint32Array([0, ...times.map((_, i) => i + 1)])],
    marks: ["f32", new Float32Array(times.flatMap((t) => [0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0.25, -1e-6, t]))],
    curveTimes: ["f64", new Float64Array(times)],
    curves: ["f32", new Float32Array(times)],
    field0: ["u16", new Uint16Array(2 * n).map((_, i) => i)],
  }, { frames: n, scales: [{ low: -1, step: 0.5 }], next: n, ended: null }));
}

test("bodies count for the box around a run", () => {
  const bodies = [
    { shape: { kind: "sphere", radius: 1 }, body: true, pose: 1 },
    { shape: { kind: "box", half: [0, 3, 4] }, body: true, pose: 2 },
    { shape: { kind: "plane" }, body: false, pose: 0 },
  ];
  const run = new Run({ rods: [{ nodes: 2, closed: false }], radius: [0.1], columns: [{ name: "a", unit: "1" }], fields: [{ name: "f", signed: true }], obstacles: bodies, joints: [], poses: 3 });
  const block = frames([0], 0);
  block.poses = new Float32Array([0, 0, 0, 1, -99, -99, -99, 0, 0, 0, 1, 10, 0, 0, 0, 0, 0, 1, 0, 0, 20]);
  run.add(block);
  assert.deepEqual([...run.pose(2, 0)], [0, 0, 0, 1, 0, 0, 20]);
  // The ball's pin reaches 1.6 radii out, the box 5.
  const { low, high } = run.bounds();
  assert.deepEqual(low, [-5, -5, -1.6]);
  assert.deepEqual(high, [11.6, 5, 25]);
});

test("frames are found across blocks", () => {
  const run = new Run({ rods: [{ nodes: 2, closed: false }], radius: [0.1], columns: [{ name: "a", unit: "1" }], fields: [{ name: "f", signed: true }], obstacles: [], joints: [{}], poses: 0 });
  run.add(frames([0, 1, 2], 5));
  run.add(frames([3, 4], 7));
  run.add(frames([], 0));
  assert.equal(run.frames, 5);
  assert.deepEqual([...run.positions(4)], [7, 4, 0, 8, 4, 0]);
  assert.deepEqual([...run.positions(1)], [5, 1, 0, 6, 1, 0]);
  assert.equal(run.nearest(2.6), 3);
  assert.equal(run.nearest(-9), 0);
  assert.deepEqual(run.curves[0], [0, 1, 2, 3, 4]);
  const [contact] = run.contacts(3);
  assert.equal(contact.force, 3);
  assert.deepEqual([contact.rods, contact.arcs], [[0, 1], [0.5, 0.25]]);
  assert.deepEqual([...run.field(0, 1).codes], [2, 3]);
  assert.deepEqual(run.range(0), { low: -1.5, high: 1.5 });
  assert.deepEqual([2, 3].map((frame) => run.holds(0, frame)), [true, false]);
  assert.deepEqual(run.flowFrames, [0, 2, 3]);
  assert.equal(run.flow(1), null);
  assert.deepEqual([...run.flow(3).codes, run.flow(3).step], [3, 0, -3, 3]);
  assert.deepEqual(run.bounds(), { low: [5, 0, 0], high: [8, 4, 0] });
});
