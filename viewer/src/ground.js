// A soft shadow on the ground under all that is shown: how near things are to it, seen from below, and blurred. It depends on the frame, not on
// where one looks from, and is made anew only with the frame.

import * as THREE from "three";
import { plainNearness } from "./tubes.js";

const TEXELS = 512;
/** Half side of the ground, and the height over which things throw a shadow, in units of the picture. */
const HALF = 1.7;
const HIGH = 1.5;
/** Width of the blur, in units of the picture. */
const SOFT = 0.022;
const STRENGTH = { light: 0.5, dark: 0.85 };

const BLUR = {
  vertexShader: "varying vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }",
  fragmentShader: /* glsl */ `
    uniform sampler2D uMap;
    uniform vec2 uStep;
    varying vec2 at;
    void main() {
      float sum = 0.0;
      float all = 0.0;
      for (int i = -12; i <= 12; i++) {
        float weight = exp(-float(i * i) / 50.0);
        sum += weight * texture2D(uMap, at + uStep * float(i)).a;
        all += weight;
      }
      gl_FragColor = vec4(0.0, 0.0, 0.0, sum / all);
    }
  `,
};

export class Ground {
  /** `lowest` is the height of the ground along up, in units of the picture. */
  constructor(stage, lowest) {
    this.stage = stage;
    this.lowest = lowest;
    this.on = false;
    const target = () => new THREE.WebGLRenderTarget(TEXELS, TEXELS, { depthBuffer: true });
    this.targets = [target(), target()];
    // From below, looking up.
    this.camera = new THREE.OrthographicCamera(-HALF, HALF, HALF, -HALF, 0, HIGH);
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, -1), stage.up);
    this.camera.quaternion.copy(turn);
    this.camera.position.copy(stage.up).multiplyScalar(lowest);
    this.camera.updateMatrixWorld();
    this.blur = new THREE.ShaderMaterial({ ...BLUR, uniforms: { uMap: { value: null }, uStep: { value: new THREE.Vector2() } }, depthTest: false, depthWrite: false, blending: THREE.NoBlending });
    this.quad = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), this.blur);
    this.quad.frustumCulled = false;
    this.flat = new THREE.Scene();
    this.flat.add(this.quad);
    this.material = new THREE.MeshBasicMaterial({ map: this.targets[0].texture, transparent: true, depthWrite: false, side: THREE.BackSide, toneMapped: false });
    // The side that is seen from above is the back: its picture was made from below.
    this.sheet = new THREE.Mesh(new THREE.PlaneGeometry(2 * HALF, 2 * HALF), this.material);
    this.sheet.quaternion.copy(turn);
    this.sheet.position.copy(this.camera.position);
    this.sheet.renderOrder = -2;
    this.sheet.visible = false;
    this.plain = plainNearness();
  }

  dark(dark) {
    this.material.opacity = dark ? STRENGTH.dark : STRENGTH.light;
  }

  choose(on) {
    this.on = on;
    this.sheet.visible = on;
  }

  /** Makes the shadow of what the scene shows; `uniforms` are those of the tubes. */
  show(scene, uniforms) {
    if (!this.on) return;
    const { renderer } = this.stage;
    const kept = [];
    scene.traverse((thing) => {
      if (!thing.isMesh) return;
      kept.push([thing, thing.material, thing.visible]);
      if (thing.castShadow) thing.material = thing.userData.nearness ?? this.plain;
      else thing.visible = false;
    });
    const { autoUpdate } = renderer.shadowMap;
    renderer.shadowMap.autoUpdate = false;
    const least = uniforms.uLeast.value;
    uniforms.uLeast.value = (1.3 * 2 * HALF) / TEXELS;
    renderer.setRenderTarget(this.targets[0]);
    renderer.setClearColor(0x000000, 0);
    renderer.clear();
    renderer.render(scene, this.camera);
    uniforms.uLeast.value = least;
    for (const [thing, material, visible] of kept) [thing.material, thing.visible] = [material, visible];
    const step = SOFT / 5 / (2 * HALF);
    for (const [from, to, x, y] of [[0, 1, step, 0], [1, 0, 0, step]]) {
      this.blur.uniforms.uMap.value = this.targets[from].texture;
      this.blur.uniforms.uStep.value.set(x, y);
      renderer.setRenderTarget(this.targets[to]);
      renderer.render(this.flat, this.camera);
    }
    renderer.setRenderTarget(null);
    renderer.shadowMap.autoUpdate = autoUpdate;
  }
}
