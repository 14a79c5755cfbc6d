// The viewer of a run: its state, and what changes it.

import * as THREE from "three";
import { diverging, sequential, table } from "./colours.js";
import { Contacts } from "./contacts.js";
import { Curves } from "./curves.js";
import { Flow } from "./flow.js";
import { FlowControls } from "./flowcontrols.js";
import { number, quantity } from "./format.js";
import { KEYS, listen } from "./keys.js";
import { drawCorner, drawLegend } from "./legend.js";
import { fromHash, toHash } from "./link.js";
import { columnList, keyTable, openPanel, parameters, radios, switches, togglePanel } from "./panel.js";
import { nearestContact, nearestRod } from "./pick.js";
import { tellContact, tellNode } from "./readout.js";
import { Stage } from "./stage.js";
import { Surroundings } from "./surroundings.js";
import { Tubes } from "./tubes.js";

const byId = (id) => document.getElementById(id);
/** Time that the whole run takes at each speed, s; the fifth is the default. */
const WHOLE_RUN = [240, 120, 60, 30, 15, 8, 4, 2];
const SHOWN = [
  { value: "stripes", label: "Twist stripes", key: "T" },
  { value: "marks", label: "Contacts", key: "C" },
  { value: "arrows", label: "Contact forces", key: "F" },
  { value: "fixtures", label: "Clamps and joints", key: "K" },
  { value: "obstacles", label: "Obstacles and bodies", key: "O" },
  { value: "smooth", label: "Smooth rods", key: "E" },
];

export class Viewer {
  constructor(run) {
    this.run = run;
    // Who follows a run wants to see where it is.
    this.frame = run.setting.live ? run.frames - 1 : 0;
    this.playing = false;
    this.speed = 4;
    this.colour = "rod";
    this.shown = Object.fromEntries(SHOWN.map(({ value }) => [value, true]));
    this.work = [];
    const { setting } = run;
    const thick = Math.max(...setting.radius, 0);
    this.stage = new Stage(byId("canvas"), run.bounds(), setting.up, thick);
    this.tubes = new Tubes(run, this.stage.place);
    this.contacts = new Contacts(run, this.stage);
    this.surroundings = new Surroundings(run, this.stage);
    this.flow = new Flow(run, this.stage);
    this.stage.scene.add(this.surroundings.obstacles, this.surroundings.fixtures, this.tubes.group, this.contacts.group, this.flow.group);
    this.maps = { sequential: mapTexture(sequential), diverging: mapTexture(diverging) };
    this.curves = new Curves(byId("curves"), run, (time) => this.seek(time));
    this.setUpPage();
    this.stage.resize();
    this.stage.fit(this.firstPoint());
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.themeChosen || this.setTheme(dark.matches));
    this.setTheme(dark.matches);
    this.curves.choose(Curves.defaults(run));
    this.columnsToBoxes();
    this.restore(fromHash(location.hash));
    addEventListener("hashchange", () => this.restore(fromHash(location.hash)));
    this.stage.onChange = () => this.ask();
    this.stage.controls.addEventListener("end", () => this.writeLink());
    new ResizeObserver(() => this.resized()).observe(byId("picture"));
    window.writhe = this;
    this.ask();
  }

  // ---- The page -----------------------------------------------------------------------------------------------------

  setUpPage() {
    const { run } = this;
    const { setting } = run;
    const rods = `${run.rods.length} rod${run.rods.length === 1 ? "" : "s"}`;
    byId("name").textContent = setting.name;
    const outcome = setting.summary.find(([name]) => name === "outcome")?.[1] ?? (setting.live ? "running" : "not finished");
    byId("about").textContent = `${rods}, ${run.nodes} nodes, ${outcome}`;
    if (setting.notice) this.notice(setting.notice);
    this.colours = ["rod", ...setting.fields.map((field) => field.name)];
    const fields = setting.fields.map(({ name, label, unit }, i) => ({ value: name, label, unit: unit === "1" ? "" : unit, key: String(i + 2) }));
    radios(byId("colours"), "colour", [{ value: "rod", label: "rod", key: "1" }, ...fields], (value) => this.setColour(value));
    switches(byId("shown"), SHOWN, (value, on) => this.setShown(value, on));
    this.flowControls = new FlowControls(this.flow, () => this.flowChosen());
    columnList(run, () => this.boxesToColumns());
    parameters(setting);
    keyTable(KEYS);
    for (const button of document.querySelectorAll("[data-page]")) button.addEventListener("click", () => togglePanel(button.dataset.page));
    openPanel(null);
    for (const [i, seconds] of WHOLE_RUN.entries()) byId("speed").append(new Option(this.speedText(seconds), String(i)));
    byId("speed").value = String(this.speed);
    byId("speed").addEventListener("change", (event) => this.setSpeed(Number(event.target.value)));
    byId("time").max = String(run.frames - 1);
    byId("time").addEventListener("input", (event) => this.go(Number(event.target.value)));
    byId("time").addEventListener("change", () => this.writeLink());
    const press = { play: () => this.play(!this.playing), back: () => this.step(-1), forth: () => this.step(1), fit: () => this.stage.fit(), focus: () => this.focus(), theme: () => this.toggleTheme(), link: () => this.copyLink(), save: () => this.save(), close: () => this.close() };
    for (const [id, action] of Object.entries(press)) byId(id).addEventListener("click", action);
    this.listenToKeys();
    this.listenToPointer();
  }

  speedText(seconds) {
    const [from, to] = [this.run.times[0], this.run.times.at(-1)];
    return to > from ? `${number((to - from) / seconds, 2)}×` : `${seconds} s`;
  }

  listenToKeys() {
    const toggle = (name) => () => this.setShown(name, !this.shown[name]);
    listen({
      play: () => this.play(!this.playing),
      step: (i, event) => this.step((i ? 1 : -1) * (event.shiftKey ? 10 : 1)),
      ends: (i) => this.go(i ? this.run.frames - 1 : 0),
      speed: (i) => this.setSpeed(this.speed + (i ? 1 : -1)),
      turn: (i) => this.stage.orbit(i ? 0.12 : -0.12, 0),
      tilt: (i) => this.stage.orbit(0, i ? -0.1 : 0.1),
      zoom: (i) => this.stage.zoom(i === 2 ? 1.15 : 1 / 1.15),
      fit: () => this.stage.fit(),
      focus: () => this.focus(),
      colour: (i) => this.colours[i] && this.setColour(this.colours[i]),
      stripes: toggle("stripes"),
      marks: toggle("marks"),
      arrows: toggle("arrows"),
      fixtures: toggle("fixtures"),
      obstacles: toggle("obstacles"),
      smooth: toggle("smooth"),
      flow: () => this.flowControls.cycle() || this.tell("This run has no flow to show."),
      plane: (i) => this.flowControls.move(i ? 1 : -1),
      pick: (i) => this.pickNext(i ? -1 : 1),
      look: () => togglePanel("look"),
      curves: () => togglePanel("curves"),
      parameters: () => togglePanel("parameters"),
      theme: () => this.toggleTheme(),
      link: () => this.copyLink(),
      save: () => this.save(),
      help: () => togglePanel("help"),
      close: () => this.close(),
    });
  }

  listenToPointer() {
    const { canvas } = this.stage;
    let down = null;
    canvas.addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
    canvas.addEventListener("pointerup", (event) => {
      if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 5) return;
      const box = canvas.getBoundingClientRect();
      this.pickAt([event.clientX - box.left, event.clientY - box.top]);
    });
  }

  // ---- Time ---------------------------------------------------------------------------------------------------------

  get time() {
    return this.run.times[this.frame];
  }

  go(frame) {
    this.frame = this.flow.settle(Math.min(this.run.frames - 1, Math.max(0, Math.round(frame))));
    this.playedTime = this.time;
    this.changed = true;
    this.ask();
  }

  seek(time) {
    this.go(this.run.nearest(time));
    if (!this.playing) this.writeLink();
  }

  step(by) {
    this.play(false);
    this.go(this.flow.stepped(this.frame, by));
    this.writeLink();
  }

  play(on) {
    if (this.playing === on) return;
    this.playing = on;
    if (on && this.frame === this.run.frames - 1 && !this.run.setting.live) this.go(0);
    this.playedTime = this.time;
    this.last = undefined;
    const button = byId("play");
    button.setAttribute("aria-pressed", String(on));
    button.setAttribute("aria-label", on ? "Pause" : "Play");
    if (!on) this.writeLink();
    this.ask();
  }

  setSpeed(speed) {
    this.speed = Math.min(WHOLE_RUN.length - 1, Math.max(0, speed));
    byId("speed").value = String(this.speed);
  }

  advance(now) {
    const seconds = Math.min(0.1, (now - (this.last ?? now)) / 1000);
    this.last = now;
    const { times } = this.run;
    const end = times.at(-1);
    this.playedTime += (seconds * (end - times[0])) / WHOLE_RUN[this.speed];
    const frame = this.flow.settle(this.run.nearest(this.playedTime));
    if (frame !== this.frame) {
      this.frame = frame;
      this.changed = true;
    }
    if (this.playedTime >= end) {
      this.playedTime = end;
      if (!this.run.setting.live || this.run.ended) this.play(false);
    }
  }

  // ---- Where to look ------------------------------------------------------------------------------------------------

  /** Middle of what is held, m, or the first node: what the default camera has on the left or on top. */
  firstPoint() {
    const { run } = this;
    const x = run.positions(0);
    const node = (i) => [x[3 * i], x[3 * i + 1], x[3 * i + 2]];
    const held = run.setting.fixtures.map(({ kind, index }) => node(kind === "pin" ? index : this.surroundings.nodesOf(index)[0]));
    const points = held.length > 1 && run.rods.length > 1 ? held : [node(0)];
    return [0, 1, 2].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);
  }

  /** Brings the contacts into sight, or the one that is picked. */
  focus() {
    this.catchUp();
    const { current, picked } = this.contacts;
    const points = (picked < 0 ? current : [current[picked]]).map(({ points: [a, b] }) => a.map((x, k) => (x + b[k]) / 2));
    if (!points.length) return this.tell("Nothing touches here.");
    const centre = [0, 1, 2].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);
    const size = Math.max(...points.map((point) => Math.hypot(...point.map((x, k) => x - centre[k]))));
    this.stage.focus(centre, 1.5 * size + 8 * Math.max(...this.run.setting.radius));
    this.writeLink();
  }

  // ---- Drawing ------------------------------------------------------------------------------------------------------

  /** Asks for a picture. */
  ask() {
    this.asked ??= requestAnimationFrame((now) => {
      this.asked = undefined;
      const start = performance.now();
      if (this.playing) this.advance(now);
      this.draw();
      this.work.push(performance.now() - start);
      if (this.work.length > 600) this.work.shift();
      if (this.playing) this.ask();
    });
  }

  /** Brings all parts to the frame, if it has changed. */
  catchUp() {
    if (!this.changed) return;
    this.changed = false;
    const field = this.colour === "rod" ? null : this.colours.indexOf(this.colour) - 1;
    for (const part of [this.contacts, this.surroundings, this.flow]) part.show(this.frame);
    this.tubes.show(this.frame, field);
    byId("time").value = String(this.frame);
    const text = `t = ${quantity(this.time, "s", 4)}`;
    byId("now").textContent = text;
    byId("time").setAttribute("aria-valuetext", text);
    this.curves.moveTo(this.time);
    this.tellPicked();
  }

  draw() {
    this.catchUp();
    this.tubes.uniforms.uPixel.value = this.stage.pixel;
    this.contacts.face(this.stage.camera);
    this.stage.render();
    const view = this.stage.view.join();
    if (view !== this.drawnView) {
      this.drawnView = view;
      drawCorner(byId("axes"), byId("scale"), this.stage);
    }
  }

  legend() {
    const field = this.run.setting.fields.find(({ name }) => name === this.colour);
    const index = this.run.setting.fields.indexOf(field);
    const hasContacts = this.run.blocks.some((block) => block.marks.length);
    drawLegend(byId("legend"), {
      rods: this.run.rods.length,
      field,
      range: field && this.run.range(index),
      map: field?.signed ? diverging : sequential,
      arrow: this.shown.arrows && hasContacts ? this.contacts.strongForce : null,
      flow: this.flowControls.legend(),
    });
  }

  resized() {
    this.stage.resize();
    this.curves.resize();
    this.drawnView = null;
    this.ask();
  }

  // ---- Look ---------------------------------------------------------------------------------------------------------

  setColour(name) {
    if (!this.colours.includes(name)) return;
    this.colour = name;
    const field = this.run.setting.fields.find((f) => f.name === name);
    this.tubes.uniforms.uMap.value = field?.signed ? this.maps.diverging : this.maps.sequential;
    for (const input of document.querySelectorAll('input[name="colour"]')) input.checked = input.value === name;
    this.legend();
    this.changed = true;
    this.ask();
    this.writeLink();
  }

  setShown(name, on) {
    if (!(name in this.shown)) return;
    this.shown[name] = on;
    for (const input of document.querySelectorAll('input[name="shown"]')) if (input.value === name) input.checked = on;
    this.tubes.uniforms.uStripes.value = this.shown.stripes ? 1 : 0;
    this.tubes.uniforms.uStraight.value = this.shown.smooth ? 0 : 1;
    this.contacts.marksShown = this.shown.marks;
    this.contacts.arrowsShown = this.shown.arrows;
    this.surroundings.fixtures.visible = this.shown.fixtures;
    this.surroundings.obstacles.visible = this.shown.obstacles;
    this.legend();
    this.changed = true;
    this.ask();
    this.writeLink();
  }

  /** Another plane shows the flow, or none. */
  flowChosen() {
    this.go(this.frame);
    this.legend();
    this.writeLink();
  }

  setTheme(dark) {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    this.contacts.dark(dark);
    this.surroundings.dark(dark);
    this.curves.draw();
    this.ask();
  }

  toggleTheme() {
    this.themeChosen = true;
    this.setTheme(document.documentElement.dataset.theme !== "dark");
    this.writeLink();
  }

  close() {
    const panel = byId("panel");
    if (panel.contains(document.activeElement)) this.stage.canvas.focus();
    if (!panel.hidden) openPanel(null);
    else this.pick(-1);
  }

  save() {
    this.draw();
    this.stage.canvas.toBlob((blob) => {
      const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: `${this.run.setting.name}.png` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }

  // ---- Curves -------------------------------------------------------------------------------------------------------

  columnsToBoxes() {
    for (const input of document.querySelectorAll('input[name="column"]')) input.checked = this.curves.chosen.includes(input.value);
  }

  boxesToColumns() {
    const names = [...document.querySelectorAll('input[name="column"]:checked')].map((input) => input.value);
    this.curves.choose(names);
    this.curvesChosen = true;
    this.columnsToBoxes();
    this.writeLink();
  }

  // ---- Picking ------------------------------------------------------------------------------------------------------

  pickAt(pixel) {
    const contact = this.shown.marks ? nearestContact(this.stage, this.contacts.current, pixel) : -1;
    this.pick(contact);
    if (contact < 0) {
      this.touched = nearestRod(this.run, this.stage, this.frame, pixel);
      this.tellPicked();
    }
  }

  pickNext(by) {
    this.catchUp();
    const count = this.contacts.current.length;
    if (!count) return this.tell("Nothing touches here.");
    this.play(false);
    this.pick(this.contacts.picked < 0 ? (by > 0 ? 0 : count - 1) : (this.contacts.picked + by + count) % count);
  }

  pick(index) {
    this.touched = null;
    this.contacts.pick(index);
    this.tellPicked();
    this.ask();
  }

  tellPicked() {
    const box = byId("picked");
    const contact = this.contacts.current[this.contacts.picked];
    box.hidden = !contact && !this.touched;
    if (contact) tellContact(box, contact, this.contacts);
    else if (this.touched) tellNode(box, this.touched, this.run, this.frame);
  }

  // ---- Links, messages, growth ----------------------------------------------------------------------------------------

  get hash() {
    const hidden = Object.keys(this.shown).filter((name) => !this.shown[name]);
    const theme = this.themeChosen ? document.documentElement.dataset.theme : null;
    return toHash({ time: this.time, colour: this.colour, view: this.stage.view, hidden, curves: this.curvesChosen ? this.curves.chosen : null, theme, flow: this.flowControls.link });
  }

  writeLink() {
    if (this.playing || this.restoring) return;
    // Some browsers refuse more than a hundred in half a minute.
    clearTimeout(this.linking);
    this.linking = setTimeout(() => history.replaceState(null, "", this.hash), 150);
  }

  restore(seen) {
    this.restoring = true;
    if (seen.theme) {
      this.themeChosen = true;
      this.setTheme(seen.theme === "dark");
    }
    if (seen.curves) {
      this.curvesChosen = true;
      this.curves.choose(seen.curves);
      this.columnsToBoxes();
    }
    if (seen.view) this.stage.view = seen.view;
    for (const { value } of SHOWN) this.setShown(value, !(seen.hidden ?? []).includes(value));
    this.setColour(this.colours.includes(seen.colour) ? seen.colour : this.colour);
    this.flowControls.restore(seen.flow);
    this.go(seen.time === undefined ? this.frame : this.run.nearest(seen.time));
    this.restoring = false;
  }

  copyLink() {
    const address = location.href.replace(/#.*/, "") + this.hash;
    history.replaceState(null, "", this.hash);
    const told = () => this.tell("Link copied.");
    const shown = () => this.tell("The address of this page is the link.");
    if (navigator.clipboard) navigator.clipboard.writeText(address).then(told, shown);
    else shown();
  }

  tell(message) {
    const toast = byId("toast");
    toast.textContent = message;
    toast.hidden = false;
    clearTimeout(this.telling);
    this.telling = setTimeout(() => (toast.hidden = true), 4000);
  }

  notice(text) {
    byId("notice").textContent = text;
    byId("notice").hidden = false;
  }

  /** More frames have come. */
  grown() {
    const atEnd = this.frame >= Number(byId("time").max);
    byId("time").max = String(this.run.frames - 1);
    if (atEnd && !this.playing) this.go(this.run.frames - 1);
    this.curves.draw();
    this.legend();
    this.changed = true;
    this.ask();
  }
}

function mapTexture(map) {
  const texture = new THREE.DataTexture(table(map), 256, 1, THREE.RGBAFormat, THREE.UnsignedByteType);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.magFilter = texture.minFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}
