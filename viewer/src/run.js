// The run: what stays over it, and its frames in blocks.

import { MARK } from "./blocks.js";

/** Beyond so many times what 997 of 1,000 values stay within, values are outliers. */
const OUTLIER = 2.5;
/** An obstacle so many times as large as all that moves is ground or wall, not a thing to look at. */
const VAST = 3;

/** Radius of the ball around a body's shape, m; round ones have a pin that stands out. */
function reach({ kind, radius, half_length: half = 0, half: sides }) {
  if (kind === "box") return Math.hypot(...sides);
  return Math.max(1.6 * radius, Math.hypot(radius, half));
}

/** Points of an outline: so many of nodes, of the corners of a mesh, and of a circle. */
const NODES = 3000;
const CORNERS = 400;
const ROUND = 20;

/** Points that show how far a shape reaches, m; none of one without end. */
function outline(shape) {
  const { kind, radius, half_length: half = 0, vertices } = shape;
  const box = corners(shape);
  if (!box) return [];
  if (kind === "mesh") return vertices.filter((_, i) => i % Math.ceil(vertices.length / CORNERS) === 0);
  if (kind === "box") return Array.from({ length: 8 }, (_, corner) => box.map((ends, i) => ends[(corner >> i) & 1]));
  const circle = (r, z) => Array.from({ length: ROUND }, (_, i) => [r * Math.cos((2 * Math.PI * i) / ROUND), r * Math.sin((2 * Math.PI * i) / ROUND), z]);
  const rings = [-half, half].flatMap((z) => circle(radius, z));
  if (kind === "cylinder") return rings;
  const [cos, sin] = [Math.SQRT1_2 * radius, Math.SQRT1_2 * radius];
  return [...rings, ...circle(cos, half + sin), ...circle(cos, -half - sin), [0, 0, half + radius], [0, 0, -half - radius]];
}

/** Corners of a box around a shape, m; null for one without end. */
function corners({ kind, radius, half_length: half = 0, half: sides, vertices }) {
  if (kind === "plane") return null;
  if (kind === "mesh") {
    const along = (axis, pick) => vertices.reduce((found, vertex) => pick(found, vertex[axis]), vertices[0]?.[axis] ?? 0);
    return [0, 1, 2].map((axis) => [along(axis, Math.min), along(axis, Math.max)]);
  }
  const end = kind === "cylinder" ? half : radius + half;
  return (sides ?? [radius, radius, end]).map((x) => [-x, x]);
}

/** A point of a pose's own axes, quaternion x, y, z, w and translation, in those of the scene. */
function placed([x, y, z, w, ...at], point) {
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const axis = [x, y, z];
  const t = cross(axis, point).map((c) => 2 * c);
  const u = cross(axis, t);
  return point.map((c, i) => c + w * t[i] + u[i] + at[i]);
}

export class Run {
  constructor(setting) {
    this.setting = setting;
    this.rods = [];
    let node = 0;
    let edge = 0;
    for (const { nodes, closed } of setting.rods) {
      const edges = closed ? nodes : Math.max(0, nodes - 1);
      this.rods.push({ firstNode: node, nodes, firstEdge: edge, edges, closed });
      node += nodes;
      edge += edges;
    }
    this.nodes = node;
    this.edges = edge;
    this.blocks = [];
    this.times = [];
    /** Frames that have the flow of a fluid. */
    this.flowFrames = [];
    this.curveTimes = [];
    this.curves = setting.columns.map(() => []);
    this.ended = null;
    this.next = 0;
    /** Code of the length 1 in a director. */
    this.unit = 1;
    this.boxes = setting.obstacles.map(({ shape, body }) => (body ? null : corners(shape)));
  }

  get frames() {
    return this.times.length;
  }

  /** Adds the frames and the rows of curves of a block. */
  add(block) {
    this.next = block.next;
    this.ended = block.ended;
    for (const time of block.curveTimes) this.curveTimes.push(time);
    const columns = this.curves.length;
    for (let i = 0; i < block.curves.length; i++) this.curves[i % columns].push(block.curves[i]);
    this.sizes = undefined;
    if (block.frames === 0) return;
    block.start = this.frames;
    this.unit = block.unit;
    for (const time of block.times) this.times.push(time);
    for (const frame of block.flowFrames) this.flowFrames.push(block.start + frame);
    this.blocks.push(block);
    this.ranges = undefined;
    this.least = undefined;
  }

  /** The block of a frame, and the frame's place in it. */
  find(frame) {
    let low = 0;
    let high = this.blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.blocks[middle].start <= frame) low = middle;
      else high = middle - 1;
    }
    return [this.blocks[low], frame - this.blocks[low].start];
  }

  /** Positions of a frame, m, three numbers a node. */
  positions(frame) {
    const [block, at] = this.find(frame);
    return block.positions.subarray(3 * this.nodes * at, 3 * this.nodes * (at + 1));
  }

  /** Directors of a frame, two codes an edge. */
  directors(frame) {
    const [block, at] = this.find(frame);
    return block.directors.subarray(2 * this.edges * at, 2 * this.edges * (at + 1));
  }

  /** Codes of a field at the nodes of a frame, with the values of all codes from -32768 on. */
  field(index, frame) {
    const [block, at] = this.find(frame);
    return { codes: block[`field${index}`].subarray(this.nodes * at, this.nodes * (at + 1)), values: block.values[index] };
  }

  /** A pose of a frame, by its number: quaternion and translation. */
  pose(pose, frame) {
    const [block, at] = this.find(frame);
    const first = 7 * (at * this.setting.poses + pose);
    return block.poses.subarray(first, first + 7);
  }

  /** Whether a joint holds in a frame. */
  holds(joint, frame) {
    const [block, at] = this.find(frame);
    return block.holding[at * this.setting.joints.length + joint] === 1;
  }

  /** Velocity of the fluid at the points of all planes, three codes each, with the value of a unit of them, m/s; null where a frame has none. */
  flow(frame) {
    const [block, at] = this.find(frame);
    const index = block.flowFrames.indexOf(at);
    if (index < 0) return null;
    const length = block.flow.length / block.flowFrames.length;
    return { codes: block.flow.subarray(length * index, length * (index + 1)), step: block.flowScales[index] };
  }

  /** Contacts of a frame. */
  contacts(frame) {
    const [block, at] = this.find(frame);
    const contacts = [];
    for (let i = block.markEnds[at]; i < block.markEnds[at + 1]; i++) {
      const [ax, ay, az, bx, by, bz, rodA, rodB, arcA, arcB, gap, force] = block.marks.subarray(MARK * i, MARK * (i + 1));
      contacts.push({ points: [[ax, ay, az], [bx, by, bz]], rods: [rodA, rodB], arcs: [arcA, arcB], gap, force });
    }
    return contacts;
  }

  /** Some of the values of a field over the run, in order: a tenth of a million tells quantiles well enough. */
  sample(index) {
    const values = [];
    const stride = Math.max(1, Math.floor((this.frames * this.nodes) / 1e5));
    for (const block of this.blocks) {
      const codes = block[`field${index}`];
      const table = block.values[index];
      for (let i = 0; i < codes.length; i += stride) values.push(table[codes[i] + 32768]);
    }
    return values.sort((a, b) => a - b);
  }

  /** Range of a field to spread colours over: from the least to the greatest value, but for outliers; symmetric where the sign matters. */
  range(index) {
    this.ranges ??= [];
    return (this.ranges[index] ??= this.measureRange(index));
  }

  measureRange(index) {
    const values = this.sample(index);
    // A few values far beyond all others would leave one colour for these.
    const extreme = (most, usual) => (Math.abs(most) > OUTLIER * Math.abs(usual) ? usual : most);
    const low = extreme(values[0] ?? 0, values[Math.floor(0.003 * (values.length - 1))]);
    const high = extreme(values.at(-1) ?? 1, values[Math.ceil(0.997 * (values.length - 1))]);
    if (this.setting.fields[index].signed) {
      const most = Math.max(Math.abs(low), Math.abs(high)) || 1;
      return { low: -most, high: most };
    }
    return { low: Math.min(0, low), high: high > 0 ? high : 1 };
  }

  /** Size that all but one in 50 values of a field, of those that are not zero, have at least; 0 where all are zero. */
  smallest(index) {
    this.least ??= [];
    return (this.least[index] ??= this.measureSmallest(index));
  }

  measureSmallest(index) {
    const sizes = this.sample(index).filter((value) => value !== 0).map(Math.abs);
    sizes.sort((a, b) => a - b);
    return sizes[Math.floor(0.02 * sizes.length)] ?? 0;
  }

  /** Size of the greatest number among the curves of a unit, by which others of that unit are told from rounding noise. */
  size(unit) {
    this.sizes ??= new Map();
    if (!this.sizes.has(unit)) {
      let most = 0;
      this.setting.columns.forEach((column, i) => {
        if (column.unit !== unit) return;
        for (const value of this.curves[i]) if (Math.abs(value) > most) most = Math.abs(value);
      });
      this.sizes.set(unit, most);
    }
    return this.sizes.get(unit);
  }

  /** Force that all but one of 200 contacts stay below, N. */
  get strongForce() {
    const forces = this.blocks.flatMap((block) => {
      const all = [];
      const stride = MARK * Math.max(1, Math.floor(block.marks.length / MARK / 2e4));
      for (let i = MARK - 1; i < block.marks.length; i += stride) all.push(block.marks[i]);
      return all;
    });
    forces.sort((a, b) => a - b);
    return forces[Math.ceil(0.995 * (forces.length - 1))] || 1;
  }

  /** The frame nearest to a time. */
  nearest(time) {
    let low = 0;
    let high = this.frames - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle;
    }
    return Math.abs(this.times[high] - time) < Math.abs(this.times[low] - time) ? high : low;
  }

  /** Corners of the box around all rods, m, over some frames of the run; with or without bodies and obstacles. */
  bounds(surroundings = true) {
    return this.boundsOf(this.someFrames, () => true, surroundings);
  }

  /** Some 60 frames, evenly over the run. */
  get someFrames() {
    const stride = Math.max(1, Math.floor(this.frames / 60));
    return Array.from({ length: Math.ceil(this.frames / stride) }, (_, i) => i * stride);
  }

  /** Points that show how far all reaches in these frames, m: some of the nodes of the rods that `shows` says yes to, and of what surrounds
   *  them, if that is asked for and not vast. */
  outlineOf(frames, shows, surroundings) {
    const points = [];
    const stride = Math.max(1, Math.floor((this.nodes * frames.length) / NODES));
    for (const frame of frames) {
      const x = this.positions(frame);
      this.rods.forEach(({ firstNode, nodes }, index) => {
        if (!shows(index)) return;
        // The ends of a rod count whatever is left out.
        for (let i = 0; i < nodes; i = i + 1 < nodes ? Math.min(nodes - 1, i + stride) : nodes) points.push([...x.subarray(3 * (firstNode + i), 3 * (firstNode + i + 1))]);
      });
    }
    if (!surroundings) return points;
    const { low, high } = this.boundsOf(frames, shows, false);
    const size = Math.hypot(...high.map((x, i) => x - low[i]));
    this.setting.obstacles.forEach(({ shape, body, pose }, index) => {
      const box = this.boxes[index];
      if (!body && (!box || Math.hypot(...box.map(([a, b]) => b - a)) > VAST * size)) return;
      const shown = outline(shape);
      // What stands still has one place.
      for (const frame of body || this.moves(pose, frames) ? frames : frames.slice(0, 1)) for (const point of shown) points.push(placed(this.pose(pose, frame), point));
    });
    return points;
  }

  /** Whether a pose changes over these frames. */
  moves(pose, frames) {
    const first = this.pose(pose, frames[0]);
    return frames.some((frame) => this.pose(pose, frame).some((x, i) => x !== first[i]));
  }

  /** The same of these frames and of the rods that `shows` says yes to; with or without what surrounds rods. */
  boundsOf(frames, shows, surroundings) {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const add = (value, axis, reach) => {
      low[axis] = Math.min(low[axis], value - reach);
      high[axis] = Math.max(high[axis], value + reach);
    };
    const { obstacles } = this.setting;
    for (const frame of frames) {
      const x = this.positions(frame);
      this.rods.forEach((rod, index) => {
        if (!shows(index)) return;
        for (let i = 3 * rod.firstNode; i < 3 * (rod.firstNode + rod.nodes); i++) add(x[i], i % 3, 0);
      });
      if (!surroundings) continue;
      for (const { shape, body, pose } of obstacles) if (body) this.pose(pose, frame).subarray(4).forEach((value, axis) => add(value, axis, reach(shape)));
    }
    const size = Math.hypot(...high.map((x, i) => x - low[i]));
    if (!surroundings || !(size >= 0)) return { low, high };
    // What stands still is part of the picture unless it is vast.
    obstacles.forEach(({ pose }, index) => {
      const box = this.boxes[index];
      if (!box || Math.hypot(...box.map(([a, b]) => b - a)) > VAST * size) return;
      for (const frame of frames) {
        for (let corner = 0; corner < 8; corner++) {
          const point = placed(this.pose(pose, frame), box.map((ends, i) => ends[(corner >> i) & 1]));
          point.forEach((value, axis) => add(value, axis, 0));
        }
      }
    });
    return { low, high };
  }

  /** Part of the nodes of the first frame that lie in the box around an obstacle. */
  within(index) {
    const box = this.boxes[index];
    if (!box || !this.nodes) return 0;
    const pose = [...this.pose(this.setting.obstacles[index].pose, 0)];
    // Back into the obstacle's own axes: the inverse turn of what is left after the shift.
    const turn = [-pose[0], -pose[1], -pose[2], pose[3], 0, 0, 0];
    const x = this.positions(0);
    let inside = 0;
    for (let i = 0; i < this.nodes; i++) {
      const own = placed(turn, [0, 1, 2].map((k) => x[3 * i + k] - pose[4 + k]));
      if (own.every((value, axis) => value >= box[axis][0] && value <= box[axis][1])) inside++;
    }
    return inside / this.nodes;
  }
}
