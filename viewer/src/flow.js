// The flow of a fluid on a plane: speed as colour, streamlines of what lies in the plane.

import * as THREE from "three";
import { sequential, table } from "./colours.js";
import { ribbons, streamlines } from "./streamlines.js";

/** Corners of all ribbons, at most. */
const CORNERS = 150_000;
/** Slower than so many units of a velocity's code, a streamline has no direction to follow. */
const SLOWEST = 4;
/** Of so many velocities those are read that tell how fast the flow is, and of these a part is slower than the end of the colours. */
const LOOKED_AT = 2e5;
const WITHIN = 0.998;

export class Flow {
  constructor(run, stage) {
    this.run = run;
    this.stage = stage;
    this.group = new THREE.Group();
    this.group.visible = false;
    this.group.matrixAutoUpdate = false;
    this.colours = table(sequential);
    let first = 0;
    this.planes = run.setting.planes.map((plane) => {
      const placed = { ...plane, first };
      first += plane.counts[0] * plane.counts[1];
      return placed;
    });
    this.normal = null;
    this.place = 0;
    this.sheet = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial({ side: THREE.DoubleSide, transparent: true, opacity: 0.86, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 2 }));
    const corners = new THREE.BufferAttribute(new Float32Array(3 * CORNERS), 3).setUsage(THREE.DynamicDrawUsage);
    this.lines = new THREE.Mesh(new THREE.BufferGeometry().setAttribute("position", corners), new THREE.MeshBasicMaterial({ side: THREE.DoubleSide, color: 0xffffff, transparent: true, opacity: 0.8, depthWrite: false }));
    for (const mesh of [this.sheet, this.lines]) mesh.frustumCulled = false;
    // Over the rods that are behind it, which are seen through it.
    [this.sheet.renderOrder, this.lines.renderOrder] = [2, 3];
    this.group.add(this.sheet, this.lines);
  }

  /** Whether there are planes at right angles to this axis. */
  has(normal) {
    return this.across(normal).length > 0;
  }

  across(normal) {
    return this.planes.filter((plane) => plane.normal === normal);
  }

  get plane() {
    return this.normal === null ? null : this.across(this.normal)[this.place];
  }

  /** Shows the plane of this number at right angles to an axis, or none for null. */
  choose(normal, place = this.middle(normal)) {
    this.normal = normal !== null && this.has(normal) ? normal : null;
    this.place = Math.min(this.across(this.normal).length - 1, Math.max(0, place));
    this.shown = undefined;
    if (this.plane) this.layOut();
  }

  middle(normal) {
    return this.across(normal).length >> 1;
  }

  /** The frame nearest to one that has a flow, while the flow is shown. */
  settle(frame) {
    const { flowFrames } = this.run;
    if (!this.plane || !flowFrames.length) return frame;
    const after = this.from(frame);
    const [a, b] = [flowFrames[Math.max(0, after - 1)], flowFrames[Math.min(flowFrames.length - 1, after)]];
    return Math.abs(b - frame) <= Math.abs(a - frame) ? b : a;
  }

  /** The frame so many frames on; of those with a flow, while the flow is shown. */
  stepped(frame, by) {
    const { flowFrames } = this.run;
    if (!this.plane || !flowFrames.length) return frame + by;
    const at = this.from(frame);
    return flowFrames[Math.min(flowFrames.length - 1, Math.max(0, at + by))];
  }

  /** Number of the first frame with a flow at or after this one. */
  from(frame) {
    const { flowFrames } = this.run;
    let [low, high] = [0, flowFrames.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (flowFrames[middle] < frame) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Speed at the end of the colours, m/s. */
  get fastest() {
    if (this.measured !== this.run.blocks.length) {
      this.measured = this.run.blocks.length;
      this.fast = this.measure();
    }
    return this.fast;
  }

  measure() {
    const { flowFrames } = this.run;
    const speeds = [];
    const points = this.planes.reduce((sum, { counts: [a, b] }) => sum + a * b, 0);
    const every = Math.max(1, Math.ceil((points * flowFrames.length) / LOOKED_AT));
    for (const frame of flowFrames) {
      const { codes, step } = this.run.flow(frame);
      for (let i = frame % every; i < points; i += every) speeds.push(step * Math.hypot(codes[3 * i], codes[3 * i + 1], codes[3 * i + 2]));
    }
    speeds.sort((a, b) => a - b);
    return speeds[Math.floor(WITHIN * (speeds.length - 1))] || 1;
  }

  /** Puts the sheet where the plane is; in its own axes a unit is the distance of two points. */
  layOut() {
    const { normal, at, low, spacing, counts: [width, height] } = this.plane;
    const [u, v] = [(normal + 1) % 3, (normal + 2) % 3];
    const corner = [at, at, at];
    [corner[u], corner[v]] = low;
    const axis = (k) => new THREE.Vector3(...[0, 1, 2].map((i) => (i === k ? 1 : 0)));
    const { scale } = this.stage.place;
    this.group.matrix.makeBasis(axis(u), axis(v), axis(normal)).scale(new THREE.Vector3(1, 1, 1).multiplyScalar(spacing * scale)).setPosition(this.stage.inPicture(corner));
    this.group.matrixWorldNeedsUpdate = true;
    const [x, y] = [width - 1, height - 1];
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute([0, 0, 0, x, 0, 0, x, y, 0, 0, y, 0], 3));
    // Points of the grid lie in the middles of texels.
    const [a, b, c, d] = [0.5 / width, 0.5 / height, 1 - 0.5 / width, 1 - 0.5 / height];
    geometry.setAttribute("uv", new THREE.Float32BufferAttribute([a, b, c, b, c, d, a, d], 2));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.sheet.geometry.dispose();
    this.sheet.geometry = geometry;
    this.texture?.dispose();
    this.texture = new THREE.DataTexture(new Uint8Array(4 * width * height), width, height, THREE.RGBAFormat, THREE.UnsignedByteType);
    this.texture.colorSpace = THREE.SRGBColorSpace;
    this.texture.magFilter = this.texture.minFilter = THREE.LinearFilter;
    this.sheet.material.map = this.texture;
    this.sheet.material.needsUpdate = true;
  }

  show(frame) {
    const flow = this.plane && this.run.flow(frame);
    this.group.visible = Boolean(flow);
    if (!flow || this.shown === frame) return;
    this.shown = frame;
    this.paint(flow);
    this.drawLines(flow);
  }

  paint({ codes, step }) {
    const { first, counts: [width, height] } = this.plane;
    const data = this.texture.image.data;
    const unit = (255 * step) / this.fastest;
    for (let i = 0, k = 3 * first; i < width * height; i++, k += 3) {
      const colour = 4 * Math.min(255, Math.round(unit * Math.hypot(codes[k], codes[k + 1], codes[k + 2])));
      for (let part = 0; part < 4; part++) data[4 * i + part] = this.colours[colour + part];
    }
    this.texture.needsUpdate = true;
  }

  /** The part of the flow that lies in the plane, as `streamlines` wants it. */
  field({ codes }) {
    const { normal, first, counts: [width, height] } = this.plane;
    return { codes, offset: 3 * first, stride: 3, first: (normal + 1) % 3, second: (normal + 2) % 3, width, height, slowest: SLOWEST };
  }

  drawLines(flow) {
    const position = this.lines.geometry.getAttribute("position");
    const corners = ribbons(streamlines(this.field(flow)), position.array);
    this.lines.geometry.setDrawRange(0, corners);
    position.clearUpdateRanges();
    position.addUpdateRange(0, 3 * corners);
    position.needsUpdate = true;
  }
}
