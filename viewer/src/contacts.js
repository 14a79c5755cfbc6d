// Contacts as marks, their normal forces as arrows on both rods.

import * as THREE from "three";

/** Length of the arrow of a strong force, in radii of the rods and as a part of the picture: the smaller counts. */
const LONGEST = 0.16;
const MARK_COLOUR = { light: 0xc2185b, dark: 0xff6f9f };

export class Contacts {
  constructor(run, stage) {
    this.run = run;
    this.stage = stage;
    this.group = new THREE.Group();
    this.marksShown = true;
    this.arrowsShown = true;
    this.current = [];
    this.picked = -1;
    const radii = run.setting.radius;
    this.radius = (radii.reduce((a, b) => a + b, 0) / (radii.length || 1)) * stage.place.scale;
    this.material = new THREE.MeshBasicMaterial({ color: MARK_COLOUR.light, depthTest: false, transparent: true, opacity: 0.95 });
    this.pickedMaterial = new THREE.MeshBasicMaterial({ color: 0x000000, depthTest: false, transparent: true });
    this.arrowMaterial = new THREE.MeshBasicMaterial({ color: MARK_COLOUR.light });
    const ring = new THREE.TorusGeometry(1.1, 0.11, 8, 40);
    this.ring = new THREE.Mesh(ring, this.pickedMaterial);
    this.ring.visible = false;
    this.ring.renderOrder = 5;
    this.group.add(this.ring);
    this.reserve(64);
  }

  reserve(count) {
    for (const mesh of [this.marks, this.shafts, this.heads]) {
      if (mesh) {
        this.group.remove(mesh);
        mesh.dispose();
      }
    }
    this.room = count;
    this.marks = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 12, 8), this.material, count);
    this.marks.renderOrder = 4;
    this.shafts = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), this.arrowMaterial, 2 * count);
    this.heads = new THREE.InstancedMesh(new THREE.ConeGeometry(1, 1, 14).translate(0, 0.5, 0), this.arrowMaterial, 2 * count);
    for (const mesh of [this.marks, this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
  }

  dark(dark) {
    const colour = dark ? MARK_COLOUR.dark : MARK_COLOUR.light;
    this.material.color.set(colour);
    this.arrowMaterial.color.set(colour);
    this.pickedMaterial.color.set(dark ? 0xffffff : 0x000000);
  }

  /** Force of the longest arrow, N. */
  get strongForce() {
    if (this.measured !== this.run.blocks.length) {
      this.measured = this.run.blocks.length;
      this.strong = this.run.strongForce;
    }
    return this.strong;
  }

  /** Length of the longest arrow, units of the picture. */
  get longest() {
    return Math.min(LONGEST, 9 * this.radius);
  }

  show(frame, roster) {
    this.current = this.run.contacts(frame).filter(({ rods }) => rods.every((rod) => roster.shows(rod)));
    if (this.current.length > this.room) this.reserve(2 * this.current.length);
    const matrix = new THREE.Matrix4();
    const turn = new THREE.Quaternion();
    const up = new THREE.Vector3(0, 1, 0);
    const at = new THREE.Vector3();
    const scale = new THREE.Vector3();
    const dot = 0.3 * this.radius;
    const thin = 0.11 * this.radius;
    this.current.forEach((contact, i) => {
      const [a, b] = contact.points.map((point) => this.stage.inPicture(point));
      const normal = a.clone().sub(b).normalize();
      at.copy(a).add(b).multiplyScalar(0.5);
      this.marks.setMatrixAt(i, matrix.compose(at, turn.identity(), scale.setScalar(dot)));
      const length = this.longest * Math.min(1, contact.force / this.strongForce);
      [[a, normal], [b, normal.clone().negate()]].forEach(([point, direction], k) => {
        turn.setFromUnitVectors(up, direction);
        const head = Math.min(0.45 * length, 0.75 * this.radius);
        at.copy(point).addScaledVector(direction, this.radius);
        this.shafts.setMatrixAt(2 * i + k, matrix.compose(at, turn, scale.set(thin, length - head, thin)));
        at.addScaledVector(direction, length - head);
        const wide = Math.min(2.6 * thin, 0.6 * head);
        this.heads.setMatrixAt(2 * i + k, matrix.compose(at, turn, scale.set(wide, head, wide)));
      });
    });
    this.marks.count = this.marksShown ? this.current.length : 0;
    this.shafts.count = this.heads.count = this.arrowsShown ? 2 * this.current.length : 0;
    for (const mesh of [this.marks, this.shafts, this.heads]) mesh.instanceMatrix.needsUpdate = true;
    if (this.picked >= this.current.length) this.picked = -1;
    this.showPicked();
  }

  pick(index) {
    this.picked = index;
    this.showPicked();
  }

  showPicked() {
    const contact = this.current[this.picked];
    this.ring.visible = Boolean(contact);
    if (!contact) return;
    const [a, b] = contact.points.map((point) => this.stage.inPicture(point));
    this.ring.position.copy(a).add(b).multiplyScalar(0.5);
    this.ring.scale.setScalar(this.radius);
  }

  /** The ring faces who looks. */
  face(camera) {
    this.ring.quaternion.copy(camera.quaternion);
  }
}
