import assert from "node:assert/strict";
import { test } from "node:test";
import { ticks } from "../../src/curves.js";
import { denoised, niceBelow, number, quantity, typed } from "../../src/format.js";
import { KEYS } from "../../src/keys.js";
import { fromHash, toHash } from "../../src/link.js";
import { readBlock, unpacked } from "../../src/blocks.js";
import { Clock } from "../../src/clock.js";
import { Colouring } from "../../src/colouring.js";
import { spoken } from "../../src/names.js";
import { listed, Roster, unlisted } from "../../src/roster.js";
import { Run } from "../../src/run.js";

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

test("numbers are read as they are written", () => {
  for (const x of [0, -1234, 1.5e-7, -3.2e12, 0.25]) assert.equal(typed(number(x)), Number(x.toPrecision(3)));
  assert.deepEqual(["2,5", " 1e-3 ", "3 x 10^2", "−4"].map(typed), [2.5, 1e-3, 300, -4]);
  assert.ok(["", "a lot", "1 2"].every((text) => Number.isNaN(typed(text))));
});

test("what rounding leaves of zero is zero", () => {
  assert.equal(quantity(denoised(5e-36, 2e-3), "J"), "0 J");
  assert.equal(quantity(denoised(-5e-13, 1e-3), "J"), "−0.5 pJ");
  assert.equal(denoised(5e-36, 0), 5e-36);
});

test("names are what people say", () => {
  const names = (list, rods) => spoken(list.map((name) => ({ name })), rods);
  assert.deepEqual(names(["rod0_pull_force", "energy_bend", "contact_force", "clamp0_force_x", "clamp1_force_x", "body0_velocity_z"], 1), ["pull force", "bending energy", "contact force", "clamp 0 force x", "clamp 1 force x", "body velocity z"]);
  assert.deepEqual(names(["rod0_pull_force", "held_node3_force_y", "contacts"], 2), ["rod 0 pull force", "held node force y", "contacts"]);
});

test("rods are picked, hidden and shown again", () => {
  const roster = new Roster(5);
  roster.pick(3);
  roster.only([roster.picked]);
  assert.deepEqual([roster.shown, roster.picked, roster.link], [[3], 3, "3"]);
  roster.hide(3);
  assert.deepEqual([roster.shown, roster.picked], [[], -1]);
  roster.restore("0-2,4,9,x");
  assert.deepEqual([roster.shown, roster.link], [[0, 1, 2, 4], "0-2,4"]);
  roster.pick(3);
  assert.ok(roster.shows(3), "who is picked is shown");
  roster.all();
  roster.pick(99);
  assert.deepEqual([roster.link, roster.picked], [null, -1]);
  assert.deepEqual(unlisted(listed([0, 1, 5, 7, 8, 9]), 9), [0, 1, 5, 7, 8]);
});

test("axes have round numbers", () => {
  assert.deepEqual(ticks(0, 100, 5), [0, 20, 40, 60, 80, 100]);
  assert.ok(ticks(0.13, 0.94, 4).every((t) => t >= 0.13 && t <= 0.94));
});

test("a link says what is seen, and nonsense is left out", () => {
  const seen = { time: 12.5, colour: "twist", view: [1, 2, 3, 0, 0, 0.5], hidden: ["arrows"], curves: ["a", "b"], theme: "dark", flow: "y3" };
  assert.deepEqual(fromHash(toHash(seen)), seen);
  const more = { ...seen, shown: ["ground"], rods: "0-3,7", rod: 2, map: "ember", log: true, range: [-1e-3, 2.5], flat: true, loop: [1, 2], speed: 6, play: true };
  assert.deepEqual(fromHash(toHash(more)), more);
  assert.deepEqual(fromHash("#range=3,1&loop=2&speed=fast&rod=-1&log=yes&play=0"), {});
  assert.deepEqual(fromHash("#t=x&view=1,2,3&theme=blue"), {});
  assert.deepEqual(fromHash("#view=1,1,1,1,1,1"), {});
  assert.deepEqual(fromHash(""), {});
  // As pictures and exports call it.
  assert.deepEqual(fromHash("#colour=contact_force"), { colour: "force" });
  assert.deepEqual(fromHash("#colour=one"), { colour: "plain" });
});

test("no key has two meanings", () => {
  const all = KEYS.flatMap(({ keys }) => keys);
  assert.equal(new Set(all).size, all.length);
});

/** Bytes of codes by frame, item and part as crates/writhe-viewer/src/codes.rs writes them, with all four planes. */
function planes(codes, items, parts) {
  const row = items * parts;
  const rest = codes.map((code, i) => {
    const along = i % row >= parts;
    const guess = (along ? codes[i - parts] : 0) + (i >= row ? codes[i - row] - (along ? codes[i - row - parts] : 0) : 0);
    const x = (code - guess) | 0;
    return ((x << 1) ^ (x >> 31)) >>> 0;
  });
  return new Uint8Array([0, 8, 16, 24].flatMap((shift) => rest.map((r) => (r >>> shift) & 255)));
}

/** Bits of a number in single precision, in order. */
function ordered(x) {
  const [bits] = new Int32Array(new Float32Array([x]).buffer);
  return bits < 0 ? bits ^ 0x7fffffff : bits;
}

/** A block as crates/writhe-viewer/src/block.rs writes it: arrays as they are, and as codes with items of a frame and parts of an item. */
function block(arrays, coded, header) {
  const places = {};
  const bytes = [];
  let end = 0;
  const put = (values) => {
    bytes.push([end, values]);
    end += values.byteLength;
  };
  for (const [name, [kind, values]] of Object.entries(arrays)) {
    end = Math.ceil(end / 8) * 8;
    places[name] = [kind, end, values.length];
    put(values);
  }
  const codes = {};
  for (const [name, [values, items, parts]] of Object.entries(coded)) {
    codes[name] = [end, values.length, items, parts, 4];
    put(planes(values, items, parts));
  }
  const text = new TextEncoder().encode(JSON.stringify({ ...header, arrays: places, coded: codes }));
  const start = Math.ceil((4 + text.length) / 8) * 8;
  const all = new Uint8Array(start + end);
  new DataView(all.buffer).setUint32(0, text.length, true);
  all.set(text, 4);
  for (const [at, values] of bytes) all.set(new Uint8Array(values.buffer), start + at);
  return all.buffer;
}

/** Steps of positions, and the scale of values. */
const QUANTUM = 0.25;
const SCALE = { least: 1e-6, steps: 1000 };
const code = (x) => Math.round(SCALE.steps * Math.asinh(x / SCALE.least));

function frames(times, x0) {
  const n = times.length;
  const at = (x) => Math.round(x / QUANTUM);
  return readBlock(block({
    times: ["f64", new Float64Array(times)],
    holding: ["u8", new Uint8Array(times.map((t) => (t < 3 ? 1 : 0)))],
    flowFrames: ["u32", new Uint32Array(times.map((_, i) => i).filter((i) => i % 2 === 0))],
    flowScales: ["f32", new Float32Array(times.filter((_, i) => i % 2 === 0))],
    markEnds: ["u32", new Uint32Array([0, ...times.map((_, i) => i + 1)])],
    curveTimes: ["f64", new Float64Array(times)],
  }, {
    positions: [times.flatMap((t) => [x0, t, 0, x0 + 1, t, 0].map(at)), 2, 3],
    directors: [Array(2 * n).fill(0), 1, 2],
    poses: [[], 0, 0],
    flow: [times.filter((_, i) => i % 2 === 0).flatMap((t) => [t, 0, -t]), 1, 3],
    marks: [times.flatMap((t) => [0, 0, 0, 4, 0, 0, 0, 1, 2, 1, code(-1e-6), code(t)]), n, 12],
    curves: [times.flatMap((t) => [t, -0.5 * t]).map(ordered), n, 2],
    field0: [times.flatMap((t) => [code(t), code(-0.01)]), 2, 1],
  }, { frames: n, unit: 4095, origin: [0, 0, 0], quantum: QUANTUM, scales: [SCALE], gaps: SCALE, forces: SCALE, next: n, ended: null }));
}

const SETTING = { rods: [{ nodes: 2, closed: false }], radius: [0.1], columns: [{ name: "a", unit: "J" }, { name: "b", unit: "J" }], fields: [{ name: "f", signed: true }], obstacles: [], joints: [], poses: 0 };
const near = (found, wanted, part = 6e-4) => assert.ok(Math.abs(found - wanted) <= part * Math.abs(wanted), `${found} and ${wanted}`);

test("bodies count for the box around a run", () => {
  const bodies = [
    { shape: { kind: "sphere", radius: 1 }, body: true, pose: 1 },
    { shape: { kind: "box", half: [0, 3, 4] }, body: true, pose: 2 },
    { shape: { kind: "plane" }, body: false, pose: 0 },
  ];
  const run = new Run({ ...SETTING, obstacles: bodies, poses: 3 });
  const block = frames([0], 0);
  block.poses = new Float32Array([0, 0, 0, 1, -99, -99, -99, 0, 0, 0, 1, 10, 0, 0, 0, 0, 0, 1, 0, 0, 20]);
  run.add(block);
  assert.deepEqual([...run.pose(2, 0)], [0, 0, 0, 1, 0, 0, 20]);
  // The ball's pin reaches 1.6 radii out, the box 5.
  const { low, high } = run.bounds();
  assert.deepEqual(low, [-5, -5, -1.6]);
  assert.deepEqual(high, [11.6, 5, 25]);
});

test("obstacles count for the box around a run unless they are vast, and rods lie within them or not", () => {
  const turned = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
  const obstacles = [
    { shape: { kind: "cylinder", radius: 1, half_length: 2 }, body: false, pose: 0 },
    { shape: { kind: "sphere", radius: 1e3 }, body: false, pose: 1 },
    { shape: { kind: "mesh", vertices: [[4, -1, -1], [7, 1, 1]], triangles: [] }, body: false, pose: 2 },
  ];
  const run = new Run({ ...SETTING, obstacles, poses: 3 });
  const block = frames([0, 3], 5);
  block.poses = new Float32Array([...turned, 5, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0].flatMap((x) => x));
  block.poses = new Float32Array([...block.poses, ...block.poses]);
  run.add(block);
  const { low, high } = run.bounds();
  [4, -1, -2].forEach((x, i) => assert.ok(Math.abs(low[i] - x) < 1e-6, `${low}`));
  [7, 3, 2].forEach((x, i) => assert.ok(Math.abs(high[i] - x) < 1e-6, `${high}`));
  assert.deepEqual(run.boundsOf([1], () => true, false), { low: [5, 3, 0], high: [6, 3, 0] });
  assert.deepEqual([0, 1, 2].map((i) => run.within(i)), [1, 1, 1]);
  assert.equal(new Run({ ...SETTING, obstacles: [{ shape: { kind: "plane" }, body: false, pose: 0 }] }).within(0), 0);
});

test("frames are found across blocks", () => {
  const run = new Run({ ...SETTING, joints: [{}] });
  run.add(frames([0, 1, 2], 5));
  run.add(frames([3, 4], 7));
  run.add(frames([], 0));
  assert.equal(run.frames, 5);
  assert.deepEqual([...run.positions(4)], [7, 4, 0, 8, 4, 0]);
  assert.deepEqual([...run.positions(1)], [5, 1, 0, 6, 1, 0]);
  assert.equal(run.nearest(2.6), 3);
  assert.equal(run.nearest(-9), 0);
  assert.deepEqual(run.curves, [[0, 1, 2, 3, 4], [-0, -0.5, -1, -1.5, -2]]);
  assert.equal(run.size("J"), 4);
  const [contact] = run.contacts(3);
  near(contact.force, 3);
  near(contact.gap, -1e-6, 1e-3);
  assert.deepEqual(contact.points, [[0, 0, 0], [1, 0, 0]]);
  assert.deepEqual([contact.rods, contact.arcs], [[0, 1], [0.5, 0.25]]);
  const { codes, values } = run.field(0, 1);
  near(values[codes[0] + 32768], 1);
  near(values[codes[1] + 32768], -0.01);
  near(run.range(0).high, 4);
  assert.equal(run.range(0).low, -run.range(0).high);
  near(run.smallest(0), 0.01);
  assert.deepEqual([2, 3].map((frame) => run.holds(0, frame)), [true, false]);
  assert.deepEqual(run.flowFrames, [0, 2, 3]);
  assert.equal(run.flow(1), null);
  assert.deepEqual([...run.flow(3).codes, run.flow(3).step], [3, 0, -3, 3]);
  assert.deepEqual(run.bounds(), { low: [5, 0, 0], high: [8, 4, 0] });
});

test("a block comes out of the text of a page", async () => {
  const bytes = block({ times: ["f64", new Float64Array([1.5])], flowFrames: ["u32", new Uint32Array(0)], flowScales: ["f32", new Float32Array(0)], holding: ["u8", new Uint8Array(0)], markEnds: ["u32", new Uint32Array([0, 0])], curveTimes: ["f64", new Float64Array(0)] }, { positions: [[1, 2, 3], 1, 3], directors: [[], 0, 2], poses: [[], 0, 0], flow: [[], 0, 3], marks: [[], 0, 12], curves: [[], 0, 0] }, { frames: 1, unit: 4095, origin: [10, 0, 0], quantum: 0.5, scales: [], gaps: SCALE, forces: SCALE, next: 1, ended: null });
  const packed = new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate")));
  const found = await unpacked(Buffer.from(await packed.arrayBuffer()).toString("base64"));
  assert.deepEqual([[...found.positions], [...found.times]], [[10.5, 1, 1.5], [1.5]]);
});

/** A run of five frames of which all may be shown. */
function shown() {
  const run = new Run({ ...SETTING, joints: [{}] });
  run.add(frames([0, 1, 2, 3, 4], 5));
  return run;
}
const free = { settle: (frame) => frame, stepped: (frame, by) => frame + by };

test("a clock plays once, or a part over and over", () => {
  const clock = new Clock(shown(), free);
  clock.speed = 7;
  const play = (seconds) => {
    const seen = [];
    // Twenty ticks a second; the whole run takes two.
    for (let tick = 0; tick <= 20 * seconds; tick++) {
      clock.advance(50 * tick);
      seen.push(clock.frame);
    }
    return seen;
  };
  clock.start();
  assert.deepEqual([...new Set(play(3))], [0, 1, 2, 3, 4]);
  assert.equal(clock.playing, false, "it ends at the end");
  clock.mark("from", 1);
  clock.mark("to", 3);
  assert.deepEqual(clock.span, [1, 3]);
  clock.start();
  assert.equal(clock.frame, 1, "from outside it begins at the beginning");
  const seen = play(4);
  assert.equal(clock.playing, true);
  assert.deepEqual([...new Set(seen)].sort(), [1, 2, 3]);
  assert.ok(seen.join("").includes("321") || seen.join("").includes("31"), "over and over");
  clock.mark("from", 3);
  assert.deepEqual(clock.span, [3, 4], "the other end gives way");
});

test("a film has the frames that are played, at their pace", () => {
  const clock = new Clock(shown(), free);
  // The whole run takes 15 s: five frames are shown for 15 / 4 s each, and a film has a frame a second at least.
  const slow = clock.film(30);
  assert.equal(slow.rate, 1);
  assert.equal(slow.frames.length, 16);
  clock.speed = 7;
  const fast = clock.film(30);
  assert.deepEqual(fast, { frames: [0, 1, 2, 3, 4], rate: 2 });
  clock.mark("from", 1);
  clock.mark("to", 2);
  assert.deepEqual(clock.film(30).frames, [1, 2]);
});

test("colours spread over a range of the run, one that is chosen, or decades", () => {
  const colouring = new Colouring(shown());
  assert.equal(colouring.name, "rod");
  colouring.name = "f";
  assert.equal(colouring.mapName, "diverging");
  near(colouring.placed(4), 1);
  near(colouring.placed(0), 0.5);
  assert.equal(colouring.choose(2, 1), false);
  assert.equal(colouring.choose(NaN, 1), false);
  assert.ok(colouring.choose(0, 2));
  assert.deepEqual([0, 1, 3].map(colouring.placed), [0, 0.5, 1.5]);
  colouring.reset();
  colouring.log = true;
  assert.equal(colouring.mapName, "sequential", "sizes have no sign");
  near(colouring.range.low, 0.01);
  near(colouring.placed(-0.2), 0.5, 2e-3);
  assert.equal(colouring.placed(0), -1);
  assert.equal(colouring.choose(-1, 1), false, "no logarithm of these");
  assert.ok(colouring.fromFrame(2, () => true));
  near(colouring.range.high, 2);
  const many = new Run({ ...SETTING, rods: Array(13).fill({ nodes: 2, closed: false }) });
  assert.equal(new Colouring(many).name, "plain", "thirteen rods in seven colours are confetti");
});
