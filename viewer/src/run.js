// The run: what stays over it, and its frames in blocks (their form: crates/writhe-viewer/src/block.rs).

const TYPES = { u8: Uint8Array, f64: Float64Array, f32: Float32Array, u32: Uint32Array, u16: Uint16Array, i16: Int16Array };
/** Numbers of a mark: both points, rods, arc lengths, gap, force. */
const MARK = 12;
/** Beyond so many times what 997 of 1,000 values stay within, values are outliers. */
const OUTLIER = 2.5;

/** Bytes of a base64 text. */
export function decoded(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text).buffer;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}

/** A block from its bytes, without copying them. */
export function readBlock(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const start = Math.ceil((4 + length) / 8) * 8;
  const block = { frames: header.frames, scales: header.scales, next: header.next, ended: header.ended };
  for (const [name, [kind, offset, count]] of Object.entries(header.arrays)) {
    block[name] = new TYPES[kind](buffer, start + offset, count);
  }
  return block;
}

/** Radius of the ball around a body's shape, m; round ones have a pin that stands out. */
function reach({ kind, radius, half_length: half = 0, half: sides }) {
  if (kind === "box") return Math.hypot(...sides);
  return Math.max(1.6 * radius, Math.hypot(radius, half));
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
  }

  get frames() {
    return this.times.length;
  }

  /** Adds the frames and the rows of curves of a block. */
  add(block) {
    this.next = block.next;
    this.ended = block.ended;
    const rows = block.curveTimes.length;
    for (const time of block.curveTimes) this.curveTimes.push(time);
    this.curves.forEach((curve, i) => {
      for (const value of block.curves.subarray(i * rows, (i + 1) * rows)) curve.push(value);
    });
    if (block.frames === 0) return;
    block.start = this.frames;
    for (const time of block.times) this.times.push(time);
    for (const frame of block.flowFrames) this.flowFrames.push(block.start + frame);
    this.blocks.push(block);
    this.ranges = undefined;
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

  /** Codes of a field at the nodes of a frame, with the value of code 0 and that of a unit. */
  field(index, frame) {
    const [block, at] = this.find(frame);
    const codes = block[`field${index}`].subarray(this.nodes * at, this.nodes * (at + 1));
    return { codes, low: block.scales[index].low, step: block.scales[index].step };
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

  /** Range of a field to spread colours over: from the least to the greatest value, but for outliers; symmetric where the sign matters. */
  range(index) {
    this.ranges ??= [];
    return (this.ranges[index] ??= this.measureRange(index));
  }

  measureRange(index) {
    const values = [];
    // A tenth of a million values tells quantiles well enough.
    const total = this.frames * this.nodes;
    const stride = Math.max(1, Math.floor(total / 1e5));
    for (const block of this.blocks) {
      const { low, step } = block.scales[index];
      const codes = block[`field${index}`];
      for (let i = 0; i < codes.length; i += stride) values.push(low + step * codes[i]);
    }
    values.sort((a, b) => a - b);
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

  /** Corners of the box around all rods and bodies, m, over some frames of the run. */
  bounds() {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const add = (value, axis, reach) => {
      low[axis] = Math.min(low[axis], value - reach);
      high[axis] = Math.max(high[axis], value + reach);
    };
    const bodies = this.setting.obstacles.filter(({ body }) => body);
    const stride = Math.max(1, Math.floor(this.frames / 60));
    for (let frame = 0; frame < this.frames; frame += stride) {
      const x = this.positions(frame);
      for (let i = 0; i < x.length; i++) add(x[i], i % 3, 0);
      for (const { shape, pose } of bodies) this.pose(pose, frame).subarray(4).forEach((value, axis) => add(value, axis, reach(shape)));
    }
    return { low, high };
  }
}
