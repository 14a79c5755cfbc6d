// Rods as tubes. The processor hands over a few numbers a node; the graphics processor makes the surface from them: a smooth curve through the
// nodes, a circle of the true radius around it, turned with the material frame.

import * as THREE from "three";
import { RODS } from "./colours.js";

const WIDTH = 512;
/** A rod is drawn at least so wide, pixels of the screen: what is narrower falls between its samples and breaks into dots. */
const LEAST_WIDTH = 1;
/** Which colour of rods all have where they have one. */
const PLAIN = { light: 0, dark: 4 };
/** How dark the dark stripe is and how light the light one, 0 to 1, on a light ground and on a dark one: away from the ground stripes are strong. */
const STRIPES = { light: [0.88, 0.55], dark: [0.55, 0.8] };
/** A rod that covers less of its pixels is fainter by that, down to this. */
const FAINTEST = 0.3;
/** More corners than this are not drawn: edges get fewer sides and pieces. */
const MOST_CORNERS = 400_000;

const PARAMETERS = /* glsl */ `
  uniform highp sampler2D uNodes;
  uniform highp sampler2D uDirectors;
  uniform sampler2D uRods;
  uniform float uStraight;
  uniform vec2 uPixel;
  uniform float uLeast;
  attribute vec4 iNodes;
  attribute vec4 iEdges;
  attribute vec3 iRadii;
  varying float vScalar;
  varying float vAngle;
  varying float vRod;
  varying float vRadius;
  varying float vCoverage;
  vec4 nodeAt(float i) { int k = int(i + 0.5); return texelFetch(uNodes, ivec2(k % ${WIDTH}, k / ${WIDTH}), 0); }
  vec3 directorAt(float i) { int k = int(i + 0.5); return texelFetch(uDirectors, ivec2(k % ${WIDTH}, k / ${WIDTH}), 0).xyz; }
  bool isHidden(float rod) { int k = int(rod + 0.5); return texelFetch(uRods, ivec2(k % ${WIDTH}, k / ${WIDTH}), 0).x < 0.5; }
  vec3 tubeNormal;
  vec3 tubePosition;
  /** The radius to draw at a point: not below half of what the screen, or the texture of a shadow, can show without holes. */
  float drawnRadius(vec3 centre, float radius) {
    vRadius = radius;
#ifdef FOR_SHADOW
    return max(radius, uLeast);
#else
    float pixel = uPixel.x * max(-(modelViewMatrix * vec4(centre, 1.0)).z, 0.0) + uPixel.y;
    float least = ${LEAST_WIDTH / 2} * pixel;
    vCoverage = min(1.0, max(${FAINTEST}, radius / least));
    return max(radius, least);
#endif
  }
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
    tubePosition = centre + drawnRadius(centre, radius) * tubeNormal;
    vScalar = mix(n1.w, n2.w, u);
    vAngle = position.y;
    vRod = iEdges.w;
    // All corners in one place: nothing to draw.
    if (isHidden(vRod)) tubePosition = vec3(0.0);
  }
`;

/** A half ball at an open end: iNodes.y is the end, iNodes.z its neighbour. */
const CAP = /* glsl */ `
  void makeTube() {
    vec4 end = nodeAt(iNodes.y);
    vec3 outward = normalize(end.xyz - nodeAt(iNodes.z).xyz);
    vec3 d = directorAt(iEdges.y);
    d = normalize(d - outward * dot(d, outward));
    vec3 side = cross(outward, d);
    tubeNormal = cos(position.x) * (cos(position.y) * d + sin(position.y) * side) + sin(position.x) * outward;
    tubePosition = end.xyz + drawnRadius(end.xyz, iRadii.y) * tubeNormal;
    vScalar = end.w;
    // Seen from outside the angle runs on at one end, and back at the other.
    vAngle = position.y * iNodes.w;
    vRod = iEdges.w;
    if (isHidden(vRod)) tubePosition = vec3(0.0);
  }
`;

const SURFACE = /* glsl */ `
  uniform sampler2D uMap;
  uniform vec3 uColours[${RODS.length}];
  uniform vec3 uPlain;
  uniform float uByRod;
  uniform float uStripes;
  uniform float uPicked;
  uniform float uLit;
  uniform vec3 uGround;
  uniform vec2 uStripeInk;
  uniform vec2 uPixel;
  varying float vScalar;
  varying float vAngle;
  varying float vRod;
  varying float vRadius;
  varying float vCoverage;
`;

const COLOUR = /* glsl */ `
  // uByRod: 0 a field, 1 one colour a rod, 2 one colour for all.
  vec3 ofRod = uByRod > 1.5 ? uPlain : uColours[int(mod(vRod + 0.5, ${RODS.length}.0))];
  vec3 ofMap = texture2D(uMap, vec2((clamp(vScalar, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb;
  diffuseColor.rgb = uByRod > 0.5 ? ofRod : ofMap;
  diffuseColor.a = vCoverage;
  float width = vRadius / (uPixel.x * vViewPosition.z + uPixel.y);
  // Two stripes along the rod, a dark one at m1 and a light one at -m1: twist shows, and its sign. On a rod of two pixels they would be noise.
  float away = abs(mod(vAngle + 3.14159265, 6.2831853) - 3.14159265);
  float soft = max(fwidth(vAngle), 1e-3);
  soft = soft > 1.0 ? 0.05 : soft;
  float strength = uStripes * smoothstep(1.0, 2.5, width);
  float dark = 1.0 - smoothstep(0.24 - soft, 0.24 + soft, away);
  float light = 1.0 - smoothstep(0.24 - soft, 0.24 + soft, 3.14159265 - away);
  // Stripes end before the outline, which keeps the colour of the rod: none may melt into the ground.
  float front = saturate(dot(normalize(vNormal), isOrthographic ? vec3(0.0, 0.0, 1.0) : normalize(vViewPosition)));
  strength *= smoothstep(0.15, 0.6, front);
  diffuseColor.rgb *= 1.0 - strength * dark * uStripeInk.x;
  diffuseColor.rgb = mix(diffuseColor.rgb, vec3(1.0), strength * light * uStripeInk.y);
`;

/** Outlines: a surface seen from the side is darker, so that rods stand out from each other. A picked rod is lit, and the others step back. */
const OUTLINE = /* glsl */ `
  float facing = saturate(dot(normal, geometryViewDir));
  // A rod of a few pixels has no room for an outline.
  float room = smoothstep(1.5, 5.0, width);
  // It is more than a pixel wide: what is less is a row of dots.
  float inner = max(0.0, 1.0 - 1.4 / max(width, 1.4));
  float rim = max(0.4, sqrt(1.0 - inner * inner));
  outgoingLight *= mix(1.0, mix(0.38, 1.0, smoothstep(0.05, rim, facing)), room);
  if (uPicked >= 0.0) {
    bool picked = abs(vRod - uPicked) < 0.5;
    if (!picked) outgoingLight = mix(outgoingLight, uGround, 0.52);
    else outgoingLight = outgoingLight * 1.12 + uLit * mix(0.1, 0.75, pow(1.0 - facing, 2.0)) * vec3(1.0, 0.86, 0.45);
  }
  #include <opaque_fragment>
`;

function patched(material, uniforms, shape) {
  const standard = !material.isMeshDepthMaterial;
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>\n${standard ? "" : "#define FOR_SHADOW"}\n${PARAMETERS}\n${shape}`)
      .replace("#include <begin_vertex>", `${standard ? "" : "makeTube();"} vec3 transformed = tubePosition;`);
    if (!standard) return asNearness(shader, material);
    shader.vertexShader = shader.vertexShader.replace("#include <beginnormal_vertex>", "makeTube(); vec3 objectNormal = tubeNormal;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\n${SURFACE}`)
      .replace("#include <color_fragment>", `#include <color_fragment>\n${COLOUR}`)
      .replace("#include <opaque_fragment>", OUTLINE);
  };
  material.customProgramCacheKey = () => `${shape}${material.userData.nearness ?? ""}`;
  return material;
}

/** For the shadow on the ground: black, the denser the nearer a thing is to it; what is drawn wider than it is, is thinner by that. */
function asNearness(shader, material) {
  if (!material.userData.nearness) return;
  shader.fragmentShader = shader.fragmentShader.replace("gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );", `float near = 1.0 - fragCoordZ; gl_FragColor = vec4(vec3(0.0), ${material.userData.thin ? "min(1.0, 1.6 * vRadius / uLeast) * " : ""}near * near);`);
  if (material.userData.thin) shader.fragmentShader = shader.fragmentShader.replace("#include <common>", "#include <common>\nuniform float uLeast;\nvarying float vRadius;");
}

/** A material for the shadow of tubes on the ground. */
function nearness() {
  const material = new THREE.MeshDepthMaterial({ side: THREE.DoubleSide });
  material.userData = { nearness: "nearness", thin: true };
  return material;
}

/** The same for what is no tube. */
export function plainNearness() {
  const material = nearness();
  material.userData.thin = false;
  material.onBeforeCompile = (shader) => asNearness(shader, material);
  material.customProgramCacheKey = () => "nearness";
  return material;
}

function dataTexture(count, parts = 4) {
  const height = Math.max(1, Math.ceil(count / WIDTH));
  const texture = new THREE.DataTexture(new Float32Array(parts * WIDTH * height), WIDTH, height, parts === 4 ? THREE.RGBAFormat : THREE.RedFormat, THREE.FloatType);
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
    this.rods = dataTexture(run.rods.length, 1);
    const linear = (this.linear = RODS.map(([r, g, b]) => new THREE.Color().setRGB(r / 255, g / 255, b / 255, THREE.SRGBColorSpace)));
    this.uniforms = {
      uNodes: { value: this.nodes },
      uDirectors: { value: this.directors },
      uRods: { value: this.rods },
      uMap: { value: null },
      uColours: { value: linear.map((c) => new THREE.Vector3(c.r, c.g, c.b)) },
      uPlain: { value: linear[PLAIN.light] },
      uByRod: { value: 1 },
      uStripes: { value: 1 },
      uStraight: { value: 0 },
      uPicked: { value: -1 },
      uLit: { value: 1 },
      uGround: { value: new THREE.Color() },
      // How dark the dark stripe is, and how light the light one.
      uStripeInk: { value: new THREE.Vector2(...STRIPES.light) },
      // Size of a pixel over its distance, and what is added to it.
      uPixel: { value: new THREE.Vector2(1e-3, 0) },
      // Least radius in a shadow, units of the picture.
      uLeast: { value: 0 },
    };
    this.rods.image.data.fill(1);
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
    if (attributes.iEdges.length) this.add(instanced(grid(steps(6, 0, Math.PI / 2), steps(24, -Math.PI, Math.PI)), attributes), CAP);
  }

  add(geometry, shape) {
    const side = THREE.FrontSide;
    const mesh = new THREE.Mesh(geometry, patched(new THREE.MeshStandardMaterial({ roughness: 0.42, metalness: 0, side, transparent: true }), this.uniforms, shape));
    mesh.customDepthMaterial = patched(new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking, side }), this.uniforms, shape);
    mesh.userData.nearness = patched(nearness(), this.uniforms, shape);
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    // After what is opaque, before what one sees through.
    mesh.renderOrder = 1;
    this.group.add(mesh);
  }

  /** Shows these rods alone, and one of them as picked, or none for -1. */
  choose(roster) {
    const { data } = this.rods.image;
    for (let rod = 0; rod < this.run.rods.length; rod++) data[rod] = roster.shows(rod) ? 1 : 0;
    this.rods.needsUpdate = true;
    this.uniforms.uPicked.value = roster.picked;
  }

  dark(dark) {
    this.uniforms.uGround.value.set(dark ? 0x191e25 : 0xf2f5f8);
    this.uniforms.uLit.value = dark ? 1 : 0.6;
    this.uniforms.uStripeInk.value.set(...(dark ? STRIPES.dark : STRIPES.light));
    this.uniforms.uPlain.value = this.linear[dark ? PLAIN.dark : PLAIN.light];
  }

  /** Shows a frame, in these colours. */
  show(frame, colouring) {
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
    if (colouring.field) {
      const { codes, values } = run.field(colouring.index, frame);
      const { placed } = colouring;
      for (let i = 0; i < run.nodes; i++) data[4 * i + 3] = placed(values[codes[i] + 32768]);
    }
    this.nodes.needsUpdate = true;
    const codes = run.directors(frame);
    const directors = this.directors.image.data;
    for (let i = 0; i < run.edges; i++) {
      const u = codes[2 * i] / run.unit;
      const v = codes[2 * i + 1] / run.unit;
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
    this.uniforms.uByRod.value = colouring.field ? 0 : colouring.name === "plain" ? 2 : 1;
  }
}
