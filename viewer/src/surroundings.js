// What rods are held by, what they touch, what they carry, and the joints of that.

import * as THREE from "three";

const STEEL = { light: 0x4a525e, dark: 0xaab4c2 };
const STONE = { light: 0xb9bfc8, dark: 0x5b6470 };
const BRASS = { light: 0xcda45c, dark: 0xcda45c };
/** How much is seen of the near side of what one looks into. */
const GLASS = 0.13;
/** How much is seen of the ground from below. */
const FROM_BELOW = 0.1;
/** An obstacle with so much of the rods in the box around it stands around them. */
const AROUND = 0.5;
/** Radius of a plane, in units of the picture, and where it begins to fade. */
const PLANE = 4;
const FADES = 0.3;

/** A mesh of the setting, m. */
function geometryOf({ vertices, normals, triangles }) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(vertices.flat(), 3));
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normals.flat(), 3));
  geometry.setIndex(triangles.flat());
  return geometry;
}

export class Surroundings {
  constructor(run, stage) {
    this.run = run;
    this.stage = stage;
    this.fixtures = new THREE.Group();
    this.obstacles = new THREE.Group();
    this.held = [];
    this.meshes = run.setting.meshes.map(geometryOf);
    this.moving = [];
    this.steel = new THREE.MeshStandardMaterial({ color: STEEL.light, roughness: 0.35, metalness: 0.2 });
    this.stone = new THREE.MeshStandardMaterial({ color: STONE.light, roughness: 0.8 });
    // Of what stands around rods the far side is solid, and the near side is glass.
    this.inside = { out: new THREE.MeshStandardMaterial({ roughness: 0.8, side: THREE.BackSide }), in: new THREE.MeshStandardMaterial({ roughness: 0.8, side: THREE.FrontSide }) };
    const glass = (side) => new THREE.MeshStandardMaterial({ roughness: 0.5, transparent: true, opacity: GLASS, side, depthWrite: false });
    this.glass = { out: glass(THREE.FrontSide), in: glass(THREE.BackSide) };
    this.planes = [];
    this.opaque = true;
    this.brass = new THREE.MeshStandardMaterial({ color: BRASS.light, roughness: 0.4, metalness: 0.15 });
    for (const fixture of run.setting.fixtures) this.addFixture(fixture);
    this.walls = [];
    run.setting.obstacles.forEach((obstacle, index) => this.addObstacle(obstacle, index));
    this.joints = run.setting.joints.map((joint) => this.addJoint(joint));
  }

  /** What holds a rod; a collar follows its edge. */
  addFixture({ mesh, nodes, collar }) {
    const part = new THREE.Mesh(this.meshes[mesh], this.steel);
    const [node] = nodes;
    const rod = this.run.rods.findIndex((rod) => node >= rod.firstNode && node < rod.firstNode + rod.nodes);
    part.userData = { nodes, collar, rod };
    part.castShadow = part.receiveShadow = true;
    part.scale.setScalar(this.stage.place.scale);
    this.fixtures.add(part);
    this.held.push(part);
  }

  addObstacle({ shape, body, pose, hollow, pin }, index) {
    if (shape.kind === "plane") return this.addPlane(pose);
    const make = {
      sphere: () => new THREE.SphereGeometry(shape.radius, 64, 40),
      capsule: () => new THREE.CapsuleGeometry(shape.radius, 2 * shape.half_length, 24, 64).rotateX(Math.PI / 2),
      cylinder: () => new THREE.CylinderGeometry(shape.radius, shape.radius, 2 * shape.half_length, 96).rotateX(Math.PI / 2),
      box: () => new THREE.BoxGeometry(...shape.half.map((h) => 2 * h)),
      mesh: () => {
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.Float32BufferAttribute(shape.vertices.flat(), 3));
        geometry.setIndex(shape.triangles.flat());
        // A wall of revolution is smooth; the facets of a mesh are what rods touch.
        const faceted = hollow ? geometry : geometry.toNonIndexed();
        faceted.computeVertexNormals();
        return faceted;
      },
    };
    const geometry = make[shape.kind]();
    const mesh = new THREE.Mesh(geometry, body ? this.brass : this.stone);
    const parts = [mesh];
    // A pin shows how what is round turns.
    if (pin !== null) parts.push(new THREE.Mesh(this.meshes[pin], this.steel));
    for (const part of parts) part.castShadow = body;
    for (const part of parts) part.receiveShadow = true;
    if (!body) {
      const glass = new THREE.Mesh(geometry, this.glass[hollow ? "in" : "out"]);
      glass.renderOrder = 3;
      parts.push(glass);
      this.walls.push({ mesh, glass, hollow, around: hollow || (shape.kind === "mesh" && this.run.within(index) > AROUND) });
      this.chooseOpaque(this.opaque);
    }
    this.addMoving(this.obstacles, parts, pose);
  }

  /** A ground without end, which fades where it is far from what there is to see. */
  addPlane(pose) {
    const radius = PLANE / this.stage.place.scale;
    const geometry = new THREE.RingGeometry(0, radius, 96, 24);
    const at = geometry.getAttribute("position");
    const colours = Array.from({ length: at.count }, (_, i) => {
      const away = Math.hypot(at.getX(i), at.getY(i)) / radius;
      const t = Math.min(1, Math.max(0, (away - FADES) / (1 - FADES)));
      return [1, 1, 1, 1 - t * t * (3 - 2 * t)];
    });
    geometry.setAttribute("color", new THREE.Float32BufferAttribute(colours.flat(), 4));
    const material = new THREE.MeshStandardMaterial({ color: STONE.light, roughness: 0.9, transparent: true, vertexColors: true, side: THREE.DoubleSide });
    const mesh = new THREE.Mesh(geometry, material);
    mesh.receiveShadow = true;
    // Under all else.
    mesh.renderOrder = -1;
    const moving = this.addMoving(this.obstacles, [mesh], pose);
    this.planes.push({ mesh, moving });
  }

  /** Whether obstacles hide what is behind them; those around rods never do. */
  chooseOpaque(on) {
    this.opaque = on;
    for (const { mesh, glass, hollow, around } of this.walls) {
      const through = around || !on;
      glass.visible = through;
      mesh.material = through ? this.inside[hollow ? "in" : "out"] : this.stone;
    }
  }

  /** What depends on where one stands: from below, one sees through the ground. */
  face(camera) {
    for (const { mesh, moving } of this.planes) {
      const normal = new THREE.Vector3(0, 0, 1).applyQuaternion(moving.quaternion);
      const above = camera.position.clone().sub(moving.position).dot(normal) > 0;
      mesh.material.opacity = above ? 1 : FROM_BELOW;
      mesh.material.depthWrite = above;
    }
  }

  /** Where rods meet on a body, or bodies are joined. */
  addJoint({ mesh, pose, at, turn }) {
    const part = new THREE.Mesh(this.meshes[mesh], this.steel);
    part.position.set(...at);
    part.quaternion.set(...turn);
    part.castShadow = part.receiveShadow = true;
    return this.addMoving(this.fixtures, [part], pose);
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

  dark(dark) {
    this.steel.color.set(dark ? STEEL.dark : STEEL.light);
    const stones = [this.stone, this.inside.out, this.inside.in, this.glass.out, this.glass.in, ...this.planes.map(({ mesh }) => mesh.material)];
    for (const stone of stones) stone.color.set(dark ? STONE.dark : STONE.light);
  }

  show(frame, roster) {
    const x = this.run.positions(frame);
    const node = (i) => this.stage.inPicture([x[3 * i], x[3 * i + 1], x[3 * i + 2]]);
    for (const part of this.held) {
      const { nodes, collar, rod } = part.userData;
      part.visible = roster.shows(rod);
      const [a, b] = nodes.map(node);
      part.position.copy(a).add(b).multiplyScalar(0.5);
      if (collar) {
        const axis = b.sub(a);
        const { scale } = this.stage.place;
        const [least, most] = collar.lengths;
        part.scale.z = Math.min(Math.max(axis.length(), least * scale), most * scale) * collar.part;
        part.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), axis.normalize());
      }
    }
    this.joints.forEach((joint, i) => (joint.visible = this.run.holds(i, frame)));
    for (const { moving, pose } of this.moving) {
      const [x, y, z, w, ...at] = this.run.pose(pose, frame);
      moving.quaternion.set(x, y, z, w);
      moving.position.copy(this.stage.inPicture(at));
    }
    for (const { mesh, moving } of this.planes) {
      // The middle of the picture, on the plane.
      const middle = moving.position.clone().negate().applyQuaternion(moving.quaternion.clone().invert()).divideScalar(this.stage.place.scale);
      mesh.position.set(middle.x, middle.y, 0);
    }
  }

  /** Whether a plane lies where the ground would: what falls on it is shadow enough. */
  get hasGround() {
    return this.planes.length > 0;
  }
}
