// Rods as tubes. The processor hands over a few numbers a node; the graphics processor makes the surface from them: a smooth curve through the
// nodes, a circle of the true radius around it, turned with the material frame.

import * as THREE from "three";
import { RODS } from "./colours.js";

const WIDTH = 512;
/** More corners than this are not drawn: edges get fewer sides and pieces. */
const MOST_CORNERS = 400_000;

const PARAMETERS = /* glsl */ `
  uniform highp sampler2D uNodes;
  uniform highp sampler2D uDirectors;
  uniform float uStraight;
  attribute vec4 iNodes;
  attribute vec4 iEdges;
  attribute vec3 iRadii;
  varying float vScalar;
  varying float vAngle;
  varying float vRod;
  varying float vRadius;
  vec4 nodeAt(float i) { int k = int(i + 0.5); return texelFetch(uNodes, ivec2(k % ${WIDTH}, k / ${WIDTH}), 0); }
  vec3 directorAt(float i) { int k = int(i + 0.5); return texelFetch(uDirectors, ivec2(k % ${WIDTH}, k / ${WIDTH}), 0).xyz; }
  vec3 tubeNormal;
  vec3 tubePosition;
`;

/** attribute position: along the edge 0 to 1, angle from m1. Sets tubePosition and tubeNormal. */
const TUBE = /* glsl */ `
  void makeTube() {
    float u = position.x;
    vec4 n1 = nodeAt(iNodes.y), n2 = nodeAt(iNodes.z);
    vec3 p1 = n1.xyz, p2 = n2.xyz, e = p2 - p1;
    float l = max(length(e), 1e-12);
    // Slopes of the parabolas through three successive nodes; straight on at an open end.
    vec3 t1 = e / l, t2 = t1;
    if (iNodes.x >= 0.0) { vec3 d = p1 - nodeAt(iNodes.x).xyz; float k = max(length(d), 1e-12); t1 = (d / k * l + e / l * k) / (k + l); }
    if (iNodes.w >= 0.0) { vec3 d = nodeAt(iNodes.w).xyz - p2; float k = max(length(d), 1e-12); t2 = (d / k * l + e / l * k) / (k + l); }
    vec3 a = t1 * l, b = t2 * l;
    vec3 smoothPoint = ((2.0 * u - 3.0) * u * u + 1.0) * p1 + u * (1.0 - u) * (1.0 - u) * a + u * u * (3.0 - 2.0 * u) * p2 + u * u * (u - 1.0) * b;
    vec3 smoothSlope = 6.0 * u * (1.0 - u) * e + (1.0 - u) * (1.0 - 3.0 * u) * a + u * (3.0 * u - 2.0) * b;
    vec3 centre = mix(smoothPoint, mix(p1, p2, u), uStraight);
    vec3 tangent = normalize(mix(smoothSlope, mix(t1, t2, u), uStraight));
    // Directors and radii belong to the middles of edges.
    vec3 m = directorAt(iEdges.y);
    vec3 other = u < 0.5 ? directorAt(iEdges.x) : directorAt(iEdges.z);
    float part = abs(u - 0.5);
    vec3 d = mix(m, other, part);
    float radius = mix(iRadii.y, u < 0.5 ? iRadii.x : iRadii.z, part);
    d = normalize(d - tangent * dot(d, tangent));
    tubeNormal = cos(position.y) * d + sin(position.y) * cross(tangent, d);
    tubePosition = centre + radius * tubeNormal;
    vScalar = mix(n1.w, n2.w, u);
    vRadius = radius;
    vAngle = position.y;
    vRod = iEdges.w;
  }
`;

/** A half ball at an open end: iNodes.y is the end, iNodes.z its neighbour. */
const CAP = /* glsl */ `
  void makeTube() {
    vec4 end = nodeAt(iNodes.y);
    vec3 outward = normalize(end.xyz - nodeAt(iNodes.z).xyz);
    vec3 d = directorAt(iEdges.y);
    d = normalize(d - outward * dot(d, outward));
    vec3 side = cross(outward, d) * iNodes.w;
    tubeNormal = cos(position.x) * (cos(position.y) * d + sin(position.y) * side) + sin(position.x) * outward;
    tubePosition = end.xyz + iRadii.y * tubeNormal;
    vScalar = end.w;
    vRadius = iRadii.y;
    vAngle = position.y;
    vRod = iEdges.w;
  }
`;

const SURFACE = /* glsl */ `
  uniform sampler2D uMap;
  uniform vec3 uRods[${RODS.length}];
  uniform float uByRod;
  uniform float uStripes;
  varying float vScalar;
  varying float vAngle;
  varying float vRod;
  varying float vRadius;
  uniform float uPixel;
`;

const COLOUR = /* glsl */ `
  vec3 ofRod = uRods[int(mod(vRod + 0.5, ${RODS.length}.0))];
  vec3 ofMap = texture2D(uMap, vec2((clamp(vScalar, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb;
  diffuseColor.rgb = mix(ofMap, ofRod, uByRod);
  // Two stripes along the rod, a dark one at m1 and a light one at -m1: twist shows, and its sign.
  float away = abs(mod(vAngle + 3.14159265, 6.2831853) - 3.14159265);
  float soft = max(fwidth(vAngle), 1e-3);
  soft = soft > 1.0 ? 0.05 : soft;
  float dark = 1.0 - smoothstep(0.24 - soft, 0.24 + soft, away);
  float light = 1.0 - smoothstep(0.24 - soft, 0.24 + soft, 3.14159265 - away);
  diffuseColor.rgb = mix(diffuseColor.rgb, diffuseColor.rgb * 0.12, uStripes * dark);
  diffuseColor.rgb = mix(diffuseColor.rgb, mix(diffuseColor.rgb, vec3(1.0), 0.8), uStripes * light);
`;

/** Outlines: a surface seen from the side is darker, so that rods stand out from each other. */
const OUTLINE = /* glsl */ `
  float facing = saturate(dot(normal, normalize(vViewPosition)));
  // A rod of a few pixels has no room for an outline.
  float room = smoothstep(1.5, 5.0, vRadius / (uPixel * vViewPosition.z));
  outgoingLight *= mix(1.0, mix(0.38, 1.0, smoothstep(0.05, 0.4, facing)), room);
  #include <opaque_fragment>
`;

function patched(material, uniforms, shape) {
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    const standard = shader.fragmentShader.includes("#include <color_fragment>") && !material.isMeshDepthMaterial;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>\n${PARAMETERS}\n${shape}`)
      .replace("#include <begin_vertex>", `${standard ? "" : "makeTube();"} vec3 transformed = tubePosition;`);
    if (!standard) return;
    shader.vertexShader = shader.vertexShader.replace("#include <beginnormal_vertex>", "makeTube(); vec3 objectNormal = tubeNormal;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\n${SURFACE}`)
      .replace("#include <color_fragment>", `#include <color_fragment>\n${COLOUR}`)
      .replace("#include <opaque_fragment>", OUTLINE);
  };
  material.customProgramCacheKey = () => shape;
  return material;
}

function dataTexture(count) {
  const height = Math.max(1, Math.ceil(count / WIDTH));
  const texture = new THREE.DataTexture(new Float32Array(4 * WIDTH * height), WIDTH, height, THREE.RGBAFormat, THREE.FloatType);
  texture.needsUpdate = true;
  return texture;
}

/** A grid over two parameters as triangles. */
function grid(us, vs) {
  const geometry = new THREE.InstancedBufferGeometry();
  const points = us.flatMap((u) => vs.flatMap((v) => [u, v, 0]));
  const index = [];
  for (let i = 0; i + 1 < us.length; i++) {
    for (let j = 0; j + 1 < vs.length; j++) {
      const [a, b] = [i * vs.length + j, (i + 1) * vs.length + j];
      index.push(a, a + 1, b, a + 1, b + 1, b);
    }
  }
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  // Never read; without it facets would be flat.
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute(points, 3));
  geometry.setIndex(index);
  return geometry;
}

const steps = (n, from, to) => Array.from({ length: n + 1 }, (_, i) => from + ((to - from) * i) / n);

function instanced(geometry, attributes) {
  const count = attributes.iEdges.length / 4;
  geometry.instanceCount = count;
  for (const [name, values] of Object.entries(attributes)) {
    geometry.setAttribute(name, new THREE.InstancedBufferAttribute(new Float32Array(values), values.length / count || 1));
  }
  return geometry;
}

export class Tubes {
  /** `place` takes metres to the units of the picture: (x - centre) * scale. */
  constructor(run, place) {
    this.run = run;
    this.place = place;
    this.group = new THREE.Group();
    this.nodes = dataTexture(run.nodes);
    this.directors = dataTexture(run.edges);
    const linear = RODS.map(([r, g, b]) => new THREE.Color().setRGB(r / 255, g / 255, b / 255, THREE.SRGBColorSpace));
    this.uniforms = {
      uNodes: { value: this.nodes },
      uDirectors: { value: this.directors },
      uMap: { value: null },
      uRods: { value: linear.map((c) => new THREE.Vector3(c.r, c.g, c.b)) },
      uByRod: { value: 1 },
      uStripes: { value: 1 },
      uStraight: { value: 0 },
      // Size of a pixel over its distance.
      uPixel: { value: 1e-3 },
    };
    this.addTubes();
    this.addCaps();
  }

  addTubes() {
    const { run, place } = this;
    const radius = run.setting.radius.map((r) => r * place.scale);
    const attributes = { iNodes: [], iEdges: [], iRadii: [] };
    run.rods.forEach((rod, index) => {
      for (let i = 0; i < rod.edges; i++) {
        const node = (k) => rod.firstNode + ((k % rod.nodes) + rod.nodes) % rod.nodes;
        const edge = (k) => {
          const wrapped = rod.closed ? (k + rod.edges) % rod.edges : Math.min(rod.edges - 1, Math.max(0, k));
          return rod.firstEdge + wrapped;
        };
        const before = rod.closed || i > 0 ? node(i - 1) : -1;
        const after = rod.closed || i + 2 < rod.nodes ? node(i + 2) : -1;
        attributes.iNodes.push(before, node(i), node(i + 1), after);
        attributes.iEdges.push(edge(i - 1), edge(i), edge(i + 1), index);
        attributes.iRadii.push(radius[edge(i - 1)], radius[edge(i)], radius[edge(i + 1)]);
      }
    });
    const corners = (pieces, sides) => run.edges * (pieces + 1) * (sides + 1);
    const finenesses = [[6, 24], [5, 20], [4, 16], [3, 12], [2, 10], [1, 8]];
    const [pieces, sides] = finenesses.find(([p, s]) => corners(p, s) <= MOST_CORNERS) ?? finenesses.at(-1);
    this.add(instanced(grid(steps(pieces, 0, 1), steps(sides, -Math.PI, Math.PI)), attributes), TUBE);
  }

  addCaps() {
    const { run, place } = this;
    const attributes = { iNodes: [], iEdges: [], iRadii: [] };
    run.rods.forEach((rod, index) => {
      if (rod.closed || rod.edges === 0) return;
      const last = rod.firstNode + rod.nodes - 1;
      const ends = [[rod.firstNode, rod.firstNode + 1, rod.firstEdge, -1], [last, last - 1, rod.firstEdge + rod.edges - 1, 1]];
      for (const [end, inner, edge, side] of ends) {
        const radius = run.setting.radius[edge] * place.scale;
        attributes.iNodes.push(0, end, inner, side);
        attributes.iEdges.push(edge, edge, edge, index);
        attributes.iRadii.push(radius, radius, radius);
      }
    });
    if (attributes.iEdges.length) this.add(instanced(grid(steps(6, 0, Math.PI / 2), steps(24, -Math.PI, Math.PI)), attributes), CAP, true);
  }

  add(geometry, shape, twoSided = false) {
    const side = twoSided ? THREE.DoubleSide : THREE.FrontSide;
    const mesh = new THREE.Mesh(geometry, patched(new THREE.MeshStandardMaterial({ roughness: 0.42, metalness: 0, side }), this.uniforms, shape));
    mesh.customDepthMaterial = patched(new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking, side }), this.uniforms, shape);
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    this.group.add(mesh);
  }

  /** Shows a frame; `field` is the index of the field that colours, or null for one colour a rod. */
  show(frame, field) {
    const { run, place } = this;
    const x = run.positions(frame);
    const data = this.nodes.image.data;
    const { scale } = place;
    const [cx, cy, cz] = place.centre;
    for (let i = 0, j = 0, k = 0; i < run.nodes; i++, j += 3, k += 4) {
      data[k] = (x[j] - cx) * scale;
      data[k + 1] = (x[j + 1] - cy) * scale;
      data[k + 2] = (x[j + 2] - cz) * scale;
    }
    if (field !== null) {
      const { codes, low, step } = run.field(field, frame);
      const range = run.range(field);
      const unit = 1 / (range.high - range.low);
      for (let i = 0; i < run.nodes; i++) data[4 * i + 3] = (low + step * codes[i] - range.low) * unit;
    }
    this.nodes.needsUpdate = true;
    const codes = run.directors(frame);
    const directors = this.directors.image.data;
    for (let i = 0; i < run.edges; i++) {
      const u = codes[2 * i] / 32767;
      const v = codes[2 * i + 1] / 32767;
      const z = 1 - Math.abs(u) - Math.abs(v);
      const fold = Math.max(-z, 0);
      const a = u - (u < 0 ? -fold : fold);
      const b = v - (v < 0 ? -fold : fold);
      const norm = 1 / Math.sqrt(a * a + b * b + z * z);
      directors[4 * i] = a * norm;
      directors[4 * i + 1] = b * norm;
      directors[4 * i + 2] = z * norm;
    }
    this.directors.needsUpdate = true;
    this.uniforms.uByRod.value = field === null ? 1 : 0;
  }
}
