// Where the picture is made: light, camera, what looks around.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const ANGLE = 30;
const TANGENT = Math.tan((ANGLE * Math.PI) / 360);
/** Of the height of the picture so much is left free around what is fitted. */
const ROOM = 1.12;
const AXES = () => [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)];

/** Whether this browser can draw in three dimensions. */
export function canDraw() {
  try {
    const context = document.createElement("canvas").getContext("webgl2");
    context?.getExtension("WEBGL_lose_context")?.loseContext();
    return Boolean(context);
  } catch {
    return false;
  }
}

export class Stage {
  /** `bounds` of the run and of its `rods` alone, m; `up` in the scene. Everything is drawn in units in which the run fits a ball of radius 1. */
  constructor(canvas, bounds, rods, up, radius) {
    const centre = bounds.low.map((x, i) => (x + bounds.high[i]) / 2);
    const size = Math.hypot(...bounds.low.map((x, i) => bounds.high[i] - x)) / 2 + radius;
    this.place = { centre, scale: 1 / (size || 1) };
    this.radius = radius;
    this.bounds = bounds;
    this.rods = rods;
    this.thickness = radius * this.place.scale;
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: false });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(ANGLE, 1, 0.01, 100);
    /** What draws without perspective: where the other one stands, as wide as that sees at its target. */
    this.flat = new THREE.OrthographicCamera();
    this.orthographic = false;
    this.resize();
    const top = new THREE.Vector3(...up);
    this.free = top.lengthSq() === 0;
    this.up = this.free ? this.roomyUp() : top.normalize();
    this.camera.up.copy(this.up);
    this.addLights();
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.minDistance = 0.02;
    this.controls.maxDistance = 30;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.onChange?.());
    this.controls.addEventListener("start", () => (this.fitted = null));
  }

  addLights() {
    this.scene.add(sky(this.up));
    this.key = new THREE.DirectionalLight(0xffffff, 1.7);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(2048, 2048);
    this.key.shadow.radius = 3;
    this.key.shadow.intensity = 0.7;
    this.fill = new THREE.DirectionalLight(0xdfe8ff, 0.45);
    for (const light of [this.key, this.fill]) this.scene.add(light, light.target);
  }

  /** Half sides of a box in units of the picture, with room for the rods' thickness. */
  half({ low, high }) {
    return high.map((x, i) => ((x - low[i]) / 2 + this.radius) * this.place.scale);
  }

  /** The axis to stand up where nothing says which: the longest sides of the run lie along those of the picture. */
  roomyUp() {
    const half = this.half(this.rods);
    const axes = AXES().map((axis, i) => ({ axis, thick: half[i] }));
    axes.sort((a, b) => b.thick - a.thick);
    return axes[this.camera.aspect < 1 ? 0 : 1].axis;
  }

  /** The default camera: across the widest side, a little from above, all of the outline in sight; `first` (m), where given, is on the left
   *  or on top. */
  open(first = this.first) {
    this.first = first;
    if (this.free && first) {
      const start = this.inPicture(first);
      if (this.camera.aspect < 1 && start.dot(this.up) < 0) this.up.negate();
      this.camera.up.copy(this.up);
    }
    // Across the widest side of the rods: what they bend in is seen from the front, whatever stands around them.
    const half = this.half(this.rods);
    const level = AXES()
      .map((axis, i) => ({ axis: axis.addScaledVector(this.up, -axis.dot(this.up)), thick: half[i] }))
      .filter(({ axis }) => axis.length() > 0.5)
      .sort((a, b) => a.thick - b.thick);
    const towards = level[0].axis.normalize();
    const aside = new THREE.Vector3().crossVectors(this.up, towards);
    if (first && this.inPicture(first).dot(aside) > 0) {
      towards.negate();
      aside.negate();
    }
    // What rods wind around hides them from the front.
    const [turn, rise] = this.around ? [0.62, 0.42] : [0.22, 0.24];
    this.look(towards.addScaledVector(aside, turn).addScaledVector(this.up, rise), this.outline);
  }

  /** Brings points into sight, m, from where the camera stands. */
  fit(points) {
    this.look(this.camera.position.clone().sub(this.controls.target), points);
  }

  /** Looks along an axis of the scene, 0 to 2, at points, m: from +x, -y or +z, as drawings do; from the other side where it does so already. */
  along(axis, points) {
    const direction = AXES()[axis];
    const now = this.camera.position.clone().sub(this.controls.target).normalize();
    // The camera cannot stand exactly above: which way is up would be lost.
    if (Math.abs(direction.dot(this.up)) > 0.999) direction.addScaledVector(this.aside(), 1e-3).normalize();
    if (axis === 1) direction.negate();
    this.look(now.dot(direction) > 0.9999 ? direction.negate() : direction, points);
  }

  /** A direction at right angles to up: towards the viewer of the plane spanned by up and the longest other axis. */
  aside() {
    const level = AXES().map((axis) => axis.addScaledVector(this.up, -axis.dot(this.up)));
    return level.sort((a, b) => b.length() - a.length())[0].normalize();
  }

  /** Looks at points, m, from a direction, so that they just fit and lie in the middle. */
  look(direction, points) {
    const { camera, controls } = this;
    const placed = points.map((point) => this.inPicture(point));
    direction.normalize();
    camera.position.copy(direction);
    camera.lookAt(0, 0, 0);
    camera.updateMatrixWorld();
    const axes = AXES();
    camera.matrixWorld.extractBasis(...axes);
    const seen = placed.map((point) => axes.map((axis) => point.dot(axis)));
    const span = (k) => [Math.min(...seen.map((point) => point[k])), Math.max(...seen.map((point) => point[k]))];
    const middle = [0, 1, 2].map((k) => (seen.length ? (span(k)[0] + span(k)[1]) / 2 : 0));
    let away = 1;
    // Where things are near they look larger: what is in the middle and what just fits are found together.
    for (let round = 0; round < 4; round++) {
      away = 0.02;
      for (const [x, y, z] of seen) {
        const wide = (Math.abs(x - middle[0]) + this.thickness) / camera.aspect;
        const high = Math.abs(y - middle[1]) + this.thickness;
        away = Math.max(away, Math.max(wide, high) / TANGENT + (z - middle[2]));
      }
      for (const k of [0, 1]) {
        const shown = seen.map((point) => (point[k] - middle[k]) / (away - (point[2] - middle[2])));
        if (shown.length) middle[k] += (away * (Math.min(...shown) + Math.max(...shown))) / 2;
      }
    }
    controls.target.set(0, 0, 0);
    axes.forEach((axis, k) => controls.target.addScaledVector(axis, middle[k]));
    camera.position.copy(controls.target).addScaledVector(direction, Math.min(30, ROOM * away));
    /** What is in sight, and from where: it stays so while the picture changes its size and nobody moves the camera. */
    this.fitted = { direction, points };
    controls.update();
    this.onChange?.();
  }

  /** Brings a ball around a point into sight, m. */
  focus(point, radius) {
    this.fitted = null;
    const offset = this.camera.position.clone().sub(this.controls.target);
    this.controls.target.copy(this.inPicture(point));
    const distance = (1.15 * radius * this.place.scale) / TANGENT / Math.min(1, this.camera.aspect);
    this.camera.position.copy(this.controls.target).add(offset.setLength(Math.max(0.02, distance)));
    this.controls.update();
    this.onChange?.();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.fitted) this.look(this.fitted.direction, this.fitted.points);
  }

  /** Turns around the target, rad: around up, and towards up. */
  orbit(around, over) {
    this.fitted = null;
    const offset = this.camera.position.clone().sub(this.controls.target);
    const turn = new THREE.Quaternion().setFromUnitVectors(this.camera.up, new THREE.Vector3(0, 1, 0));
    const spherical = new THREE.Spherical().setFromVector3(offset.applyQuaternion(turn));
    spherical.theta += around;
    spherical.phi = Math.min(Math.PI - 0.01, Math.max(0.01, spherical.phi + over));
    this.camera.position.copy(this.controls.target).add(offset.setFromSpherical(spherical).applyQuaternion(turn.invert()));
    this.controls.update();
    this.onChange?.();
  }

  zoom(factor) {
    this.fitted = null;
    const offset = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor);
    this.camera.position.copy(this.controls.target).add(offset.clampLength(0.02, 30));
    this.controls.update();
    this.onChange?.();
  }

  /** Camera and target, as in a link. */
  get view() {
    const round = (x) => Number(x.toFixed(4));
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()].map(round);
  }

  set view(numbers) {
    this.fitted = null;
    this.camera.position.fromArray(numbers);
    this.controls.target.fromArray(numbers, 3);
    this.controls.update();
    this.onChange?.();
  }

  /** The camera that draws. */
  get lens() {
    return this.orthographic ? this.flat : this.camera;
  }

  /** Distance of the camera from what it looks at. */
  get away() {
    return this.camera.position.distanceTo(this.controls.target);
  }

  /** Metres that a pixel spans at the target. */
  get metresPerPixel() {
    return (this.away * 2 * TANGENT) / this.canvas.clientHeight / this.place.scale;
  }

  /** Size of a pixel of the screen in units of the picture: what grows with the distance from the camera, and what does not. */
  get pixel() {
    const step = (2 * TANGENT) / (this.canvas.clientHeight * this.renderer.getPixelRatio());
    return this.orthographic ? [0, step * this.away] : [step, 0];
  }

  /** A point of the scene, m, in pixels of the canvas; null behind the camera. */
  project(point) {
    this.aim();
    const v = this.inPicture(point).project(this.lens);
    if (v.z > 1) return null;
    return [((v.x + 1) / 2) * this.canvas.clientWidth, ((1 - v.y) / 2) * this.canvas.clientHeight];
  }

  /** A point of the scene, m, in the units of the picture. */
  inPicture([x, y, z]) {
    const { centre, scale } = this.place;
    return new THREE.Vector3((x - centre[0]) * scale, (y - centre[1]) * scale, (z - centre[2]) * scale);
  }

  /** Puts both cameras where they stand, with the nearest and farthest that they see. */
  aim() {
    const { camera, flat, away } = this;
    camera.near = Math.max(0.002, away / 200);
    camera.far = away + 60;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    if (!this.orthographic) return;
    const height = away * TANGENT;
    [flat.top, flat.bottom] = [height, -height];
    [flat.right, flat.left] = [height * camera.aspect, -height * camera.aspect];
    // What lies behind the place of the camera is seen as well: there is no such place.
    [flat.near, flat.far] = [-60, away + 60];
    flat.position.copy(camera.position);
    flat.quaternion.copy(camera.quaternion);
    flat.updateProjectionMatrix();
    flat.updateMatrixWorld();
  }

  /** Half of what the shadow shows, units of the picture, and the size of one of its samples. */
  get shadowReach() {
    return Math.min(1.6, Math.max(0.05, 0.6 * this.away));
  }

  get shadowTexel() {
    return (2 * this.shadowReach) / this.key.shadow.mapSize.x;
  }

  render() {
    this.aim();
    // Light comes over the left shoulder of who looks.
    const { camera, controls, key, fill } = this;
    const right = new THREE.Vector3();
    const over = new THREE.Vector3();
    const back = new THREE.Vector3();
    camera.matrixWorld.extractBasis(right, over, back);
    const reach = this.shadowReach;
    for (const [light, x, y, z] of [[key, -0.55, 0.95, 0.75], [fill, 0.9, -0.2, 0.6]]) {
      light.target.position.copy(controls.target);
      light.position.copy(controls.target).addScaledVector(right, 4 * x).addScaledVector(over, 4 * y).addScaledVector(back, 4 * z);
    }
    const shadow = key.shadow.camera;
    [shadow.left, shadow.right, shadow.bottom, shadow.top, shadow.near, shadow.far] = [-reach, reach, -reach, reach, 0.5, 10];
    shadow.updateProjectionMatrix();
    // A texel of the shadow is about a thousandth of its reach.
    key.shadow.bias = -0.0006;
    key.shadow.normalBias = Math.max(0.005 * reach, 0.2 * this.thickness);
    this.renderer.render(this.scene, this.lens);
  }
}

/** How bright the sky is. */
const BRIGHTNESS = 0.5;
/** Directions in which the sky is looked at. */
const LOOKS = 600;

/** Light from all around: a bright sky, a wide window above to one side, a dim ground; as spherical harmonics, which cost a pixel little. */
function sky(up) {
  const smooth = (low, high, x) => {
    const t = Math.min(1, Math.max(0, (x - low) / (high - low)));
    return t * t * (3 - 2 * t);
  };
  const [, aside] = AXES().map((axis) => axis.addScaledVector(up, -axis.dot(up))).sort((a, b) => b.length() - a.length());
  const coefficients = new THREE.SphericalHarmonics3();
  const basis = Array(9).fill(0);
  const direction = new THREE.Vector3();
  for (let i = 0; i < LOOKS; i++) {
    // A spiral of equal areas.
    const z = 1 - (2 * i + 1) / LOOKS;
    const around = i * Math.PI * (3 - Math.sqrt(5));
    const across = Math.sqrt(1 - z * z);
    direction.set(across * Math.cos(around), across * Math.sin(around), z);
    const height = direction.dot(up);
    const light = 0.5 + 0.6 * smooth(-0.7, 0.8, height) + 1.6 * smooth(0.45, 0.95, height) * smooth(-0.4, 0.7, direction.dot(aside));
    THREE.SphericalHarmonics3.getBasisAt(direction, basis);
    coefficients.coefficients.forEach((c, k) => c.addScaledVector(new THREE.Vector3(light, light, light), (basis[k] * 4 * Math.PI) / LOOKS));
  }
  return new THREE.LightProbe(coefficients, BRIGHTNESS);
}
