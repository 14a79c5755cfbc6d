// Blocks of frames: their form is told in crates/writhe-viewer/src/block.rs.

const TYPES = { u8: Uint8Array, f64: Float64Array, f32: Float32Array, u32: Uint32Array, u16: Uint16Array, i16: Int16Array };
/** Numbers of a mark: both points, rods, arc lengths, gap, force. */
export const MARK = 12;
/** Values of a field: code 0 and 32768 codes on both sides. */
const CODES = 65536;

/** Bytes of a base64 text. */
export function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** A block from the text of a page: base64 of its deflated bytes. */
export async function unpacked(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return readBlock(await new Response(stream).arrayBuffer());
}

/** A block from its bytes. */
export function readBlock(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const start = Math.ceil((4 + length) / 8) * 8;
  const block = { frames: header.frames, unit: header.unit, next: header.next, ended: header.ended };
  for (const [name, [kind, offset, count]] of Object.entries(header.arrays)) {
    block[name] = new TYPES[kind](buffer, start + offset, count);
  }
  const codes = {};
  for (const [name, [offset, count, items, parts, planes]] of Object.entries(header.coded)) {
    codes[name] = predicted(new Uint8Array(buffer, start + offset, count * planes), count, items, parts, planes);
  }
  const { origin, quantum } = header;
  block.positions = Float32Array.from(codes.positions, (code, i) => origin[i % 3] + quantum * code);
  block.directors = Int16Array.from(codes.directors);
  block.poses = floats(codes.poses);
  block.curves = floats(codes.curves);
  block.flow = Int16Array.from(codes.flow);
  block.values = header.scales.map(values);
  header.scales.forEach((_, i) => (block[`field${i}`] = Int16Array.from(codes[`field${i}`])));
  block.marks = marks(codes.marks, header);
  return block;
}

/** Codes from byte planes of what is left over from prediction: by the item before, the frame before, and what both had in common. */
function predicted(bytes, count, items, parts, planes) {
  const codes = new Int32Array(count);
  for (let plane = 0; plane < planes; plane++) {
    const first = plane * count;
    const shift = 8 * plane;
    for (let i = 0; i < count; i++) codes[i] |= bytes[first + i] << shift;
  }
  const row = items * parts;
  for (let i = 0; i < count; i++) {
    const zigzag = codes[i];
    let code = (zigzag >>> 1) ^ -(zigzag & 1);
    const along = i % row >= parts;
    if (along) code += codes[i - parts];
    if (i >= row) code += codes[i - row] - (along ? codes[i - row - parts] : 0);
    codes[i] = code;
  }
  return codes;
}

/** Single-precision numbers from their bits, in an order that is theirs. */
function floats(codes) {
  for (let i = 0; i < codes.length; i++) if (codes[i] < 0) codes[i] ^= 0x7fffffff;
  return new Float32Array(codes.buffer);
}

/** Values of all codes of a scale: even steps about zero, even ratios far from it. */
function values({ least, steps }) {
  const table = new Float32Array(CODES);
  for (let i = 0; i < CODES; i++) table[i] = least * Math.sinh((i - CODES / 2) / steps);
  return table;
}

function marks(codes, { origin, quantum, gaps, forces }) {
  const of = ({ least, steps }, code) => least * Math.sinh(code / steps);
  return Float32Array.from(codes, (code, i) => {
    const part = i % MARK;
    if (part < 6) return origin[part % 3] + quantum * code;
    if (part < 8) return code;
    if (part < 10) return quantum * code;
    return of(part === 10 ? gaps : forces, code);
  });
}
