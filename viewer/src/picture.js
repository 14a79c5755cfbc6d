// The rods and all around them, drawn: what the viewer asks for, in three dimensions.

import * as THREE from "three";
import { MAPS, table } from "./colours.js";
import { Contacts } from "./contacts.js";
import { Flow } from "./flow.js";
import { Ground } from "./ground.js";
import { drawCorner } from "./legend.js";
import { nearestContact, nearestRod } from "./pick.js";
import { Stage } from "./stage.js";
import { Surroundings } from "./surroundings.js";
import { Tubes } from "./tubes.js";

const byId = (id) => document.getElementById(id);

export class Picture {
  constructor(run, canvas) {
    this.run = run;
    const { setting } = run;
    const bounds = run.bounds();
    this.stage = new Stage(canvas, bounds, run.bounds(false), setting.up, Math.max(...setting.radius, 0));
    this.tubes = new Tubes(run, this.stage.place);
    this.contacts = new Contacts(run, this.stage);
    this.surroundings = new Surroundings(run, this.stage);
    this.flow = new Flow(run, this.stage);
    this.ground = new Ground(this.stage, this.lowest(bounds));
    const { scene } = this.stage;
    scene.add(this.surroundings.obstacles, this.surroundings.fixtures, this.tubes.group, this.contacts.group, this.flow.group, this.ground.sheet);
    this.maps = Object.fromEntries(Object.entries(MAPS).map(([name, { map }]) => [name, mapTexture(map)]));
    this.stage.resize();
    this.stage.outline = run.outlineOf(run.someFrames, () => true, true);
    this.stage.around = this.surroundings.walls.length > 0;
    this.stage.open(this.firstPoint());
  }

  /** Height of the lowest corner of a box along up, units of the picture, a little below. */
  lowest({ low, high }) {
    const { stage } = this;
    let lowest = Infinity;
    for (let corner = 0; corner < 8; corner++) {
      const point = stage.inPicture([0, 1, 2].map((i) => ((corner >> i) & 1 ? high[i] : low[i])));
      lowest = Math.min(lowest, point.dot(stage.up));
    }
    return lowest - stage.thickness - 0.004;
  }

  /** Middle of what is held, m, or the first node: what the default camera has on the left or on top. */
  firstPoint() {
    const { run } = this;
    const x = run.positions(0);
    const node = (i) => [x[3 * i], x[3 * i + 1], x[3 * i + 2]];
    const held = run.setting.fixtures.map(({ nodes }) => node(nodes[0]));
    const points = held.length > 1 && run.rods.length > 1 ? held : [node(0)];
    return [0, 1, 2].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);
  }

  /** Points that show how far what a frame shows reaches, m: of some of the rods where others are hidden, or of all with what surrounds them. */
  outlineOf(frame, roster) {
    return this.run.outlineOf([frame], (rod) => roster.shows(rod), !roster.hidden.size && this.surroundings.obstacles.visible);
  }

  /** Brings the contacts into sight, or the one that is picked; false where nothing touches. */
  focus() {
    const { current, picked } = this.contacts;
    const points = (picked < 0 ? current : [current[picked]]).map(({ points: [a, b] }) => a.map((x, k) => (x + b[k]) / 2));
    if (!points.length) return false;
    const centre = [0, 1, 2].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);
    const size = Math.max(...points.map((point) => Math.hypot(...point.map((x, k) => x - centre[k]))));
    this.stage.focus(centre, 1.5 * size + 8 * Math.max(...this.run.setting.radius));
    return true;
  }

  show(frame, colouring, roster) {
    for (const part of [this.contacts, this.surroundings, this.flow]) part.show(frame, roster);
    this.tubes.choose(roster);
    this.tubes.uniforms.uMap.value = this.maps[colouring.mapName];
    this.tubes.show(frame, colouring);
    this.ground.show(this.stage.scene, this.tubes.uniforms);
  }

  choose(shown) {
    this.tubes.uniforms.uStripes.value = shown.stripes ? 1 : 0;
    this.tubes.uniforms.uStraight.value = shown.smooth ? 0 : 1;
    this.contacts.marksShown = shown.marks;
    this.contacts.arrowsShown = shown.arrows;
    this.surroundings.fixtures.visible = shown.fixtures;
    this.surroundings.obstacles.visible = shown.obstacles;
    this.surroundings.chooseOpaque(shown.opaque);
    this.ground.choose(shown.ground);
  }

  dark(dark) {
    for (const part of [this.contacts, this.surroundings, this.tubes, this.ground]) part.dark(dark);
  }

  draw() {
    const { stage } = this;
    this.tubes.uniforms.uPixel.value.set(...stage.pixel);
    // Narrower than this a rod would fall between the samples of the shadow, which would break into dots.
    this.tubes.uniforms.uLeast.value = 0.8 * stage.shadowTexel;
    this.contacts.face(stage.camera);
    this.surroundings.face(stage.camera);
    stage.render();
    const view = [...stage.view, stage.orthographic].join();
    if (view === this.drawnView) return;
    this.drawnView = view;
    drawCorner(byId("axes"), byId("scale"), stage);
  }

  resize() {
    this.stage.resize();
    this.drawnView = null;
  }

  /** What is at a pixel: the index of a contact, or a rod with its node. */
  at(pixel, frame, roster, marks) {
    const contact = marks ? nearestContact(this.stage, this.contacts.current, pixel) : -1;
    return { contact, rod: contact < 0 ? nearestRod(this.run, this.stage, frame, pixel, (rod) => roster.shows(rod)) : null };
  }
}

function mapTexture(map) {
  const texture = new THREE.DataTexture(table(map), 256, 1, THREE.RGBAFormat, THREE.UnsignedByteType);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.magFilter = texture.minFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}
