// Where the picture is made: light, camera, what looks around.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const ANGLE = 30;
const AXES = () => [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)];

export class Stage {
  /** `bounds` of the run, m; `up` in the scene. Everything is drawn in units in which the run fits a ball of radius 1. */
  constructor(canvas, bounds, up, radius) {
    const centre = bounds.low.map((x, i) => (x + bounds.high[i]) / 2);
    const size = Math.hypot(...bounds.low.map((x, i) => bounds.high[i] - x)) / 2 + radius;
    this.place = { centre, scale: 1 / (size || 1) };
    this.thickness = radius * this.place.scale;
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: false });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(ANGLE, 1, 0.01, 100);
    this.half = bounds.high.map((x, i) => ((x - bounds.low[i]) / 2 + radius) * this.place.scale);
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
  }

  addLights() {
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xa4abb8, 1.7));
    this.key = new THREE.DirectionalLight(0xffffff, 1.75);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(2048, 2048);
    this.key.shadow.radius = 2;
    this.key.shadow.intensity = 0.7;
    this.fill = new THREE.DirectionalLight(0xdfe8ff, 0.55);
    for (const light of [this.key, this.fill]) this.scene.add(light, light.target);
  }

  /** The axis to stand up where nothing says which: the longest sides of the run lie along those of the picture. */
  roomyUp() {
    const axes = AXES().map((axis, i) => ({ axis, thick: this.half[i] }));
    axes.sort((a, b) => b.thick - a.thick);
    return axes[this.camera.aspect < 1 ? 0 : 1].axis;
  }

  /** The default camera: across the widest side, a little from above, all of the run in sight; `first` (m), where given, is on the left
   *  or on top. */
  fit(first = this.first) {
    this.first = first;
    if (this.free && first) {
      const start = this.inPicture(first);
      if (this.camera.aspect < 1 && start.dot(this.up) < 0) this.up.negate();
      this.camera.up.copy(this.up);
    }
    const axes = AXES();
    const level = axes
      .map((axis, i) => ({ axis: axis.addScaledVector(this.up, -axis.dot(this.up)), thick: this.half[i] }))
      .filter(({ axis }) => axis.length() > 0.5)
      .sort((a, b) => a.thick - b.thick);
    const towards = level[0].axis.normalize();
    const aside = new THREE.Vector3().crossVectors(this.up, towards);
    if (first && this.inPicture(first).dot(aside) > 0) {
      towards.negate();
      aside.negate();
    }
    const direction = towards.addScaledVector(aside, 0.22).addScaledVector(this.up, 0.24).normalize();
    this.controls.target.set(0, 0, 0);
    this.camera.position.copy(direction);
    this.camera.lookAt(0, 0, 0);
    this.camera.updateMatrixWorld();
    this.camera.position.copy(direction.multiplyScalar(this.distance()));
    this.controls.update();
    this.onChange?.();
  }

  /** Distance from which the box of the run just fits, for the direction in which the camera looks. */
  distance() {
    const right = new THREE.Vector3();
    const over = new THREE.Vector3();
    const back = new THREE.Vector3();
    this.camera.matrixWorld.extractBasis(right, over, back);
    const tangent = Math.tan((ANGLE * Math.PI) / 360);
    let distance = 0;
    for (let corner = 0; corner < 8; corner++) {
      const point = new THREE.Vector3(...this.half.map((h, i) => (corner & (1 << i) ? h : -h)));
      const wide = Math.abs(point.dot(right)) / this.camera.aspect;
      distance = Math.max(distance, Math.max(wide, Math.abs(point.dot(over))) / tangent + point.dot(back));
    }
    return 1.12 * distance;
  }

  /** Brings a ball around a point into sight, m. */
  focus(point, radius) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    this.controls.target.copy(this.inPicture(point));
    const distance = (1.15 * radius * this.place.scale) / Math.tan((ANGLE * Math.PI) / 360) / Math.min(1, this.camera.aspect);
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
  }

  /** Turns about the target by angles, rad. */
  orbit(left, over) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    offset.applyAxisAngle(this.up, left);
    const side = new THREE.Vector3().crossVectors(this.up, offset).normalize();
    const turned = offset.clone().applyAxisAngle(side, -over);
    // Not over the pole.
    if (turned.clone().normalize().cross(this.up).length() > 0.05) offset.copy(turned);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.onChange?.();
  }

  zoom(factor) {
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
    this.camera.position.fromArray(numbers);
    this.controls.target.fromArray(numbers, 3);
    this.controls.update();
    this.onChange?.();
  }

  /** Metres that a pixel spans at the target. */
  get metresPerPixel() {
    const distance = this.camera.position.distanceTo(this.controls.target);
    return (distance * this.pixel) / this.place.scale;
  }

  /** Size of a pixel over its distance from the camera. */
  get pixel() {
    return (2 * Math.tan((ANGLE * Math.PI) / 360)) / this.canvas.clientHeight;
  }

  /** A point of the scene, m, in pixels of the canvas; null behind the camera. */
  project(point) {
    const v = this.inPicture(point).project(this.camera);
    if (v.z > 1) return null;
    return [((v.x + 1) / 2) * this.canvas.clientWidth, ((1 - v.y) / 2) * this.canvas.clientHeight];
  }

  /** A point of the scene, m, in the units of the picture. */
  inPicture([x, y, z]) {
    const { centre, scale } = this.place;
    return new THREE.Vector3((x - centre[0]) * scale, (y - centre[1]) * scale, (z - centre[2]) * scale);
  }

  render() {
    // Light comes over the left shoulder of who looks.
    const { camera, controls, key, fill } = this;
    const right = new THREE.Vector3();
    const over = new THREE.Vector3();
    const back = new THREE.Vector3();
    camera.matrixWorld.extractBasis(right, over, back);
    const distance = camera.position.distanceTo(controls.target);
    const reach = Math.min(1.6, Math.max(0.05, 0.6 * distance));
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
    this.camera.near = Math.max(0.002, distance / 200);
    this.camera.far = distance + 20;
    this.camera.updateProjectionMatrix();
    this.renderer.render(this.scene, camera);
  }
}
