// What rods are held by, what they touch, what they carry, and the joints of that.

import * as THREE from "three";

const STEEL = { light: 0x4a525e, dark: 0xaab4c2 };
const STONE = { light: 0xb9bfc8, dark: 0x5b6470 };
const BRASS = { light: 0xcda45c, dark: 0xcda45c };

export class Surroundings {
  constructor(run, stage) {
    this.run = run;
    this.stage = stage;
    this.fixtures = new THREE.Group();
    this.obstacles = new THREE.Group();
    this.collars = [];
    this.moving = [];
    this.steel = new THREE.MeshStandardMaterial({ color: STEEL.light, roughness: 0.35, metalness: 0.2 });
    this.stone = new THREE.MeshStandardMaterial({ color: STONE.light, roughness: 0.8, transparent: true, opacity: 0.55, side: THREE.DoubleSide, depthWrite: false });
    this.brass = new THREE.MeshStandardMaterial({ color: BRASS.light, roughness: 0.4, metalness: 0.15 });
    for (const fixture of run.setting.fixtures) this.addFixture(fixture);
    for (const obstacle of run.setting.obstacles) this.addObstacle(obstacle);
    this.joints = run.setting.joints.map((joint) => this.addJoint(joint));
  }

  addFixture({ kind, index }) {
    const { scale } = this.stage.place;
    let mesh;
    if (kind === "pin") {
      const edge = this.edgeAt(index);
      mesh = new THREE.Mesh(new THREE.IcosahedronGeometry(1.6 * this.run.setting.radius[edge] * scale, 1), this.steel);
      mesh.userData.nodes = [index, index];
    } else {
      const radius = this.run.setting.radius[index] * scale;
      const around = kind === "clamp" ? 2.1 * radius : 1.7 * radius;
      const long = kind === "clamp" ? 1 : 0.35;
      // A collar around the edge, of length 1 along y until it is placed.
      const profile = [[0.98 * radius, -0.5], [around, -0.5], [around, 0.5], [0.98 * radius, 0.5]];
      mesh = new THREE.Mesh(new THREE.LatheGeometry(profile.map(([x, y]) => new THREE.Vector2(x, y)), kind === "clamp" ? 6 : 24), this.steel);
      if (kind === "clamp") {
        mesh.geometry = mesh.geometry.toNonIndexed();
        mesh.geometry.computeVertexNormals();
      }
      mesh.userData = { nodes: this.nodesOf(index), edge: index, shortest: 3 * radius * long, long };
    }
    mesh.castShadow = mesh.receiveShadow = true;
    this.fixtures.add(mesh);
    this.collars.push(mesh);
  }

  addObstacle({ shape, body, pose }) {
    const { scale } = this.stage.place;
    const make = {
      plane: () => new THREE.CircleGeometry(4 / scale, 64),
      sphere: () => new THREE.SphereGeometry(shape.radius, 48, 32),
      capsule: () => new THREE.CapsuleGeometry(shape.radius, 2 * shape.half_length, 16, 48).rotateX(Math.PI / 2),
      cylinder: () => new THREE.CylinderGeometry(shape.radius, shape.radius, 2 * shape.half_length, 64).rotateX(Math.PI / 2),
      box: () => new THREE.BoxGeometry(...shape.half.map((h) => 2 * h)),
      mesh: () => {
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.Float32BufferAttribute(shape.vertices.flat(), 3));
        geometry.setIndex(shape.triangles.flat());
        const flat = geometry.toNonIndexed();
        flat.computeVertexNormals();
        return flat;
      },
    };
    const mesh = new THREE.Mesh(make[shape.kind](), body ? this.brass : this.stone);
    const parts = [mesh];
    // What is round looks the same from all sides: a pin through it along x, longer on one side, shows how it turns, as in `writhe render`.
    if (body && shape.kind !== "box") {
      const { radius } = shape;
      const thin = Math.min(0.12 * radius, shape.half_length ? 0.4 * shape.half_length : Infinity);
      const pin = new THREE.CylinderGeometry(thin, thin, 2.85 * radius, 24).rotateZ(-Math.PI / 2).translate(0.175 * radius, 0, 0);
      parts.push(new THREE.Mesh(pin, this.steel));
    }
    for (const part of parts) part.castShadow = body;
    for (const part of parts) part.receiveShadow = true;
    this.addMoving(this.obstacles, parts, pose);
  }

  /** Where rods meet on a body, or bodies are joined: a ball, a cube for a weld; the axis of a hinge as a pin, with drums if it is driven. */
  addJoint({ kind, pose, at, axis, radius, half_length: half }) {
    const ball = () => new THREE.SphereGeometry(radius, 24, 16);
    const along = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(...axis).normalize());
    const cylinder = (r, length, y) => new THREE.CylinderGeometry(r, r, length, 32).translate(0, y, 0).applyQuaternion(along);
    const pin = () => cylinder(0.42 * radius, 2 * half, 0);
    const drums = () => [-1, 1].map((side) => cylinder(1.35 * radius, 1.1 * radius, side * (half - 0.55 * radius)));
    const make = { rods: () => [ball()], ball: () => [ball()], weld: () => [new THREE.BoxGeometry(...[1, 1, 1].map((side) => 1.8 * side * radius))], hinge: () => [pin(), ball()], motor: () => [pin(), ...drums()] };
    const parts = make[kind]().map((geometry) => new THREE.Mesh(geometry.translate(...at), this.steel));
    for (const part of parts) part.castShadow = part.receiveShadow = true;
    return this.addMoving(this.fixtures, parts, pose);
  }

  /** Parts in metres that follow a pose of the frames, or stand still for null. */
  addMoving(group, parts, pose) {
    const moving = new THREE.Group();
    moving.add(...parts);
    moving.scale.setScalar(this.stage.place.scale);
    moving.position.copy(this.stage.inPicture([0, 0, 0]));
    group.add(moving);
    if (pose !== null) this.moving.push({ moving, pose });
    return moving;
  }

  nodesOf(edge) {
    const rod = this.run.rods.find((r) => edge >= r.firstEdge && edge < r.firstEdge + r.edges);
    const i = edge - rod.firstEdge;
    return [rod.firstNode + i, rod.firstNode + ((i + 1) % rod.nodes)];
  }

  edgeAt(node) {
    const rod = this.run.rods.find((r) => node >= r.firstNode && node < r.firstNode + r.nodes);
    return rod.firstEdge + Math.min(rod.edges - 1, node - rod.firstNode);
  }

  dark(dark) {
    this.steel.color.set(dark ? STEEL.dark : STEEL.light);
    this.stone.color.set(dark ? STONE.dark : STONE.light);
  }

  show(frame) {
    const x = this.run.positions(frame);
    const node = (i) => this.stage.inPicture([x[3 * i], x[3 * i + 1], x[3 * i + 2]]);
    for (const mesh of this.collars) {
      const { nodes, long, shortest } = mesh.userData;
      const [a, b] = nodes.map(node);
      mesh.position.copy(a).add(b).multiplyScalar(0.5);
      if (long) {
        const axis = b.sub(a);
        mesh.scale.y = Math.max(axis.length() * long, shortest);
        mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), axis.normalize());
      }
    }
    this.joints.forEach((joint, i) => (joint.visible = this.run.holds(i, frame)));
    for (const { moving, pose } of this.moving) {
      const [x, y, z, w, ...at] = this.run.pose(pose, frame);
      moving.quaternion.set(x, y, z, w);
      moving.position.copy(this.stage.inPicture(at));
    }
  }
}
