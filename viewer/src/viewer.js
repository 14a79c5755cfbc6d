// The viewer of a run: its state, and what changes it. Where a browser cannot draw, everything but the picture is there.

import { Clock, WHOLE_RUN } from "./clock.js";
import { Colouring } from "./colouring.js";
import { ColourControls } from "./colourcontrols.js";
import { Curves } from "./curves.js";
import { FlowControls } from "./flowcontrols.js";
import { number, quantity } from "./format.js";
import { KEYS, listen } from "./keys.js";
import { drawLegend, legendItems } from "./legend.js";
import { fromHash, toHash } from "./link.js";
import { columnList, keyTable, openPanel, parameters, radios, switches, togglePanel } from "./panel.js";
import { Picture } from "./picture.js";
import { tellContact, tellNode } from "./readout.js";
import { filmForm, MOST_RATE, record } from "./recorder.js";
import { Roster } from "./roster.js";
import { canDraw } from "./stage.js";
import { compose, download, sheet } from "./still.js";

const byId = (id) => document.getElementById(id);
const SHOWN = [
  { value: "stripes", label: "Twist stripes", key: "T" },
  { value: "marks", label: "Contacts", key: "C" },
  { value: "arrows", label: "Contact forces", key: "F" },
  { value: "fixtures", label: "Clamps and joints", key: "K" },
  { value: "obstacles", label: "Obstacles and bodies", key: "O" },
  { value: "opaque", label: "Opaque obstacles", key: "X" },
  { value: "smooth", label: "Smooth rods", key: "E" },
  { value: "ground", label: "Shadow on the ground" },
];
const WITHOUT =
  "The rods are not drawn, because this browser has no WebGL\u00a02 (it is switched off, or the graphics driver is not trusted); curves and parameters are here, and “writhe render” makes pictures without a browser.";

export class Viewer {
  constructor(run) {
    this.run = run;
    this.work = [];
    this.colouring = new Colouring(run);
    this.roster = new Roster(run.rods.length);
    this.picture = canDraw() ? new Picture(run, byId("canvas")) : null;
    const { stage, contacts, surroundings, tubes, flow } = this.picture ?? {};
    Object.assign(this, { stage, contacts, surroundings, tubes, flow });
    this.clock = new Clock(run, flow ?? { settle: (frame) => frame, stepped: (frame, by) => frame + by });
    // Where nothing weighs there is no ground, and on a plane of the scene things throw shadows of their own.
    const ground = Boolean(stage && !stage.free && !surroundings.hasGround);
    this.defaults = { ...Object.fromEntries(SHOWN.map(({ value }) => [value, true])), ground };
    this.shown = { ...this.defaults };
    this.curves = new Curves(byId("curves"), run, (time) => this.seek(time));
    this.setUpPage();
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.themeChosen || this.setTheme(dark.matches));
    this.setTheme(dark.matches);
    this.curves.choose(Curves.defaults(run));
    this.columnsToBoxes();
    const opening = location.hash || run.setting.opens || "";
    this.restore(fromHash(opening));
    addEventListener("hashchange", () => this.restore(fromHash(location.hash)));
    if (stage) {
      stage.onChange = () => this.ask();
      stage.controls.addEventListener("end", () => this.writeLink());
    }
    new ResizeObserver(() => this.resized()).observe(byId("picture"));
    window.writhe = this;
    this.ask();
  }

  // ---- The page -----------------------------------------------------------------------------------------------------

  setUpPage() {
    const { run, colouring } = this;
    const { setting } = run;
    const rods = `${run.rods.length} rod${run.rods.length === 1 ? "" : "s"}`;
    byId("name").textContent = setting.name;
    const outcome = setting.summary.find(([name]) => name === "outcome")?.[1] ?? (setting.live ? "running" : "not finished");
    byId("about").textContent = `${rods}, ${run.nodes} nodes, ${outcome}`;
    if (setting.notice) this.notice(setting.notice);
    const fields = setting.fields.map(({ name, label, unit }, i) => ({ value: name, label, unit: unit === "1" ? "" : unit, key: String(i + 2) }));
    const choices = [{ value: "rod", label: "rod", key: "1" }, ...fields, { value: "plain", label: "one colour" }];
    radios(byId("colours"), "colour", choices, (value) => this.setColour(value));
    switches(byId("shown"), SHOWN, (value, on) => this.setShown(value, on));
    this.colourControls = new ColourControls(colouring, { changed: () => this.recoloured(), ofMoment: () => this.rangeOfMoment() });
    if (this.flow) this.flowControls = new FlowControls(this.flow, () => this.flowChosen());
    columnList(run, this.curves.names, () => this.boxesToColumns());
    parameters(setting);
    keyTable(KEYS);
    for (const button of document.querySelectorAll("[data-page]")) button.addEventListener("click", () => togglePanel(button.dataset.page));
    openPanel(null);
    for (const [i, seconds] of WHOLE_RUN.entries()) byId("speed").append(new Option(this.speedText(seconds), String(i)));
    byId("speed").addEventListener("change", (event) => this.setSpeed(Number(event.target.value)));
    this.setSpeed(this.clock.speed);
    byId("time").max = String(run.frames - 1);
    byId("time").addEventListener("input", (event) => this.go(Number(event.target.value)));
    byId("time").addEventListener("change", () => this.writeLink());
    byId("rod").max = String(run.rods.length - 1);
    byId("rod").addEventListener("change", ({ target }) => this.pickRod(target.value === "" ? -1 : Number(target.value)));
    byId("rods").hidden = run.rods.length === 1;
    byId("flat").addEventListener("change", ({ target }) => this.setFlat(target.checked));
    byId("opening").addEventListener("change", ({ target }) => {
      this.playsOnOpening = target.checked;
      this.writeLink();
    });
    const actions = this.actions();
    const press = { play: "play", back: ["step", 0], forth: ["step", 1], loop: "loop", fit: "fit", whole: "whole", focus: "focus", theme: "theme", link: "link", save: "save", record: "record", close: "close", only: "only", hide: "hide", all: "all" };
    Object.assign(press, { "along-x": ["along", 0], "along-y": ["along", 1], "along-z": ["along", 2], "mark-from": ["mark", 0], "mark-to": ["mark", 1] });
    for (const [id, action] of Object.entries(press)) {
      const [name, index] = [action].flat();
      byId(id).addEventListener("click", (event) => actions[name](index ?? 0, event));
    }
    listen(this.picture ? actions : withoutPicture(actions, () => this.tell("This browser does not draw the rods.")));
    if (this.picture) this.listenToPointer();
    else this.goWithout();
    if (!filmForm()) byId("record").hidden = true;
  }

  /** What keys and buttons do. */
  actions() {
    const toggle = (name) => () => this.setShown(name, !this.shown[name]);
    return {
      play: () => this.play(!this.playing),
      step: (i, event) => this.step((i ? 1 : -1) * (event.shiftKey ? 10 : 1)),
      ends: (i) => this.go(i ? this.run.frames - 1 : 0),
      speed: (i) => this.setSpeed(this.speed + (i ? 1 : -1)),
      loop: () => this.setLoop(!this.clock.loop.on),
      mark: (i) => this.mark(i ? "to" : "from"),
      turn: (i) => this.stage.orbit(i ? 0.12 : -0.12, 0),
      tilt: (i) => this.stage.orbit(0, i ? -0.1 : 0.1),
      zoom: (i) => this.stage.zoom(i === 2 ? 1.15 : 1 / 1.15),
      fit: () => this.fit(),
      whole: () => this.whole(),
      along: (i) => this.along(i),
      flat: () => this.setFlat(!this.stage.orthographic),
      focus: () => this.focus(),
      colour: (i) => i <= this.run.setting.fields.length && this.setColour(this.colouring.names[i]),
      stripes: toggle("stripes"),
      marks: toggle("marks"),
      arrows: toggle("arrows"),
      fixtures: toggle("fixtures"),
      obstacles: toggle("obstacles"),
      opaque: toggle("opaque"),
      smooth: toggle("smooth"),
      flow: () => this.flowControls.cycle() || this.tell("This run has no flow to show."),
      plane: (i) => this.flowControls.move(i ? 1 : -1),
      pick: (i) => this.pickNext(i ? -1 : 1),
      rod: (i) => this.pickNextRod(i ? -1 : 1),
      only: () => this.only(),
      hide: () => this.hide(),
      all: () => this.showAll(),
      look: () => togglePanel("look"),
      curves: () => togglePanel("curves"),
      parameters: () => togglePanel("parameters"),
      theme: () => this.toggleTheme(),
      link: () => this.copyLink(),
      save: () => this.save(),
      record: () => this.record(),
      help: () => togglePanel("help"),
      close: () => this.close(),
    };
  }

  /** The page without the picture. */
  goWithout() {
    byId("app").classList.add("plain");
    byId("without").textContent = WITHOUT;
    byId("without").hidden = false;
    for (const id of ["canvas", "legend", "corner", "picked"]) byId(id).hidden = true;
    document.querySelector('[data-page="look"]').hidden = true;
  }

  speedText(seconds) {
    const [from, to] = [this.run.times[0], this.run.times.at(-1)];
    return to > from ? `${number((to - from) / seconds, 2)}×` : `${seconds} s`;
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

  get frame() {
    return this.clock.frame;
  }

  get time() {
    return this.clock.time;
  }

  get playing() {
    return this.clock.playing;
  }

  get speed() {
    return this.clock.speed;
  }

  go(frame) {
    this.clock.go(frame);
    this.changed = true;
    this.ask();
  }

  seek(time) {
    this.go(this.run.nearest(time));
    if (!this.playing) this.writeLink();
  }

  step(by) {
    this.play(false);
    this.clock.step(by);
    this.changed = true;
    this.ask();
    this.writeLink();
  }

  play(on) {
    if (this.playing === on) return;
    const { frame } = this.clock;
    if (on) this.clock.start();
    else this.clock.playing = false;
    if (frame !== this.frame) this.changed = true;
    this.tellPlaying();
    if (!on) this.writeLink();
    this.ask();
  }

  tellPlaying() {
    byId("play").setAttribute("aria-pressed", String(this.playing));
    byId("play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
  }

  setSpeed(speed) {
    this.clock.speed = Math.min(WHOLE_RUN.length - 1, Math.max(0, speed));
    byId("speed").value = String(this.speed);
  }

  setLoop(on) {
    this.clock.loop.on = on;
    if (!on) Object.assign(this.clock.loop, { from: 0, to: null });
    this.tellLoop();
    this.writeLink();
  }

  /** Begins or ends the loop at the frame shown. */
  mark(end) {
    this.clock.mark(end, this.frame);
    this.tellLoop();
    this.writeLink();
    const [first, last] = this.clock.span.map((frame) => quantity(this.run.times[frame], "s", 4));
    this.tell(`Plays from ${first} to ${last} over and over.`);
  }

  tellLoop() {
    const { on } = this.clock.loop;
    byId("loop").setAttribute("aria-pressed", String(on));
    const most = Math.max(1, this.run.frames - 1);
    const [first, last] = this.clock.span.map((frame) => (100 * frame) / most);
    byId("looped").hidden = !on;
    byId("looped").style.left = `${first}%`;
    byId("looped").style.width = `${last - first}%`;
  }

  advance(now) {
    const { frame } = this.clock;
    this.clock.advance(now);
    if (this.frame !== frame) this.changed = true;
    if (this.playing) return;
    this.tellPlaying();
    this.writeLink();
  }

  // ---- Where to look ------------------------------------------------------------------------------------------------

  /** Brings what the frame shows into sight; the whole run, if it is so already. */
  fit() {
    const { stage } = this;
    const before = stage.view.join();
    stage.fit(this.picture.outlineOf(this.frame, this.roster));
    if (stage.view.join() === before) stage.open();
    this.writeLink();
  }

  whole() {
    this.stage.open();
    this.writeLink();
  }

  along(axis) {
    this.stage.along(axis, this.picture.outlineOf(this.frame, this.roster));
    this.writeLink();
  }

  setFlat(on) {
    this.stage.orthographic = on;
    byId("flat").checked = on;
    this.ask();
    this.writeLink();
  }

  focus() {
    this.catchUp();
    if (this.picture.focus()) this.writeLink();
    else this.tell("Nothing touches here.");
  }

  // ---- Drawing ------------------------------------------------------------------------------------------------------

  /** Asks for a picture. */
  ask() {
    this.asked ??= requestAnimationFrame((now) => {
      this.asked = undefined;
      const start = performance.now();
      if (this.playing && !this.recording) this.advance(now);
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
    this.picture?.show(this.frame, this.colouring, this.roster);
    byId("time").value = String(this.frame);
    byId("now").textContent = this.timeText;
    byId("time").setAttribute("aria-valuetext", this.timeText);
    this.curves.moveTo(this.time);
    this.tellPicked();
  }

  get timeText() {
    return `t = ${quantity(this.time, "s", 4)}`;
  }

  draw() {
    this.catchUp();
    this.picture?.draw();
  }

  get legendItems() {
    const hasContacts = this.run.blocks.some((block) => block.marks.length);
    return legendItems({
      rods: this.roster.shown,
      colouring: this.colouring,
      arrow: this.shown.arrows && hasContacts ? this.contacts.strongForce : null,
      flow: this.flowControls.legend(),
    });
  }

  legend() {
    if (this.picture) drawLegend(byId("legend"), this.legendItems);
  }

  resized() {
    this.picture?.resize();
    this.curves.resize();
    this.ask();
  }

  // ---- Look ---------------------------------------------------------------------------------------------------------

  setColour(name) {
    if (!this.colouring.names.includes(name)) return;
    this.colouring.name = name;
    for (const input of document.querySelectorAll('input[name="colour"]')) input.checked = input.value === name;
    this.recoloured();
  }

  /** Colours mean something else. */
  recoloured() {
    this.colourControls.tell();
    this.legend();
    this.changed = true;
    this.ask();
    this.writeLink();
  }

  /** Takes the range of the colours from what is shown. */
  rangeOfMoment() {
    const owner = this.run.rods.flatMap((rod, index) => Array(rod.nodes).fill(index));
    return this.colouring.fromFrame(this.frame, (node) => this.roster.shows(owner[node]));
  }

  setShown(name, on) {
    if (!(name in this.shown)) return;
    this.shown[name] = on;
    for (const input of document.querySelectorAll('input[name="shown"]')) if (input.value === name) input.checked = on;
    this.picture?.choose(this.shown);
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
    this.picture?.dark(dark);
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
    if (this.recording) return this.record();
    if (panel.contains(document.activeElement)) this.stage?.canvas.focus();
    if (!panel.hidden) openPanel(null);
    else if (this.picture) this.pickRod(-1);
  }

  // ---- Pictures and films to take along -----------------------------------------------------------------------------

  /** Draws the frame with all that is told in it on a canvas. */
  composed(canvas) {
    this.draw();
    compose(canvas, { stage: this.stage, items: this.legendItems, time: this.timeText });
  }

  save() {
    const canvas = sheet(this.stage);
    this.composed(canvas);
    canvas.toBlob((blob) => download(blob, `${this.run.setting.name}.png`));
  }

  /** Records what is played, or ends the record that is being made. */
  async record() {
    if (this.recording) return this.recording.abort();
    if (!filmForm()) return this.tell("This browser records no films; `writhe render DIR --movie FILE` makes one.");
    this.play(false);
    this.recording = new AbortController();
    const { frame } = this.clock;
    const canvas = sheet(this.stage);
    const note = byId("recording");
    note.hidden = false;
    byId("record").setAttribute("aria-pressed", "true");
    byId("record").firstElementChild.textContent = "End the film";
    const draw = async (index) => {
      this.clock.go(index);
      this.changed = true;
      this.composed(canvas);
    };
    const tell = (done, all) => (note.textContent = `Recording: frame ${done} of ${all}. R or Esc ends it.`);
    try {
      const film = await record(canvas, { ...this.clock.film(MOST_RATE), draw, tell, signal: this.recording.signal });
      download(film, `${this.run.setting.name}.${film.type.split("/")[1]}`);
      this.tell("The film is saved.");
    } catch (error) {
      this.tell(`No film was made: ${error.message}`);
    } finally {
      this.recording = null;
      note.hidden = true;
      byId("record").setAttribute("aria-pressed", "false");
      byId("record").firstElementChild.textContent = "Record film";
      this.go(frame);
    }
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
    const { contact, rod } = this.picture.at(pixel, this.frame, this.roster, this.shown.marks);
    if (contact >= 0) return this.pick(contact);
    this.pickRod(rod?.rod ?? -1, rod);
  }

  pickNext(by) {
    this.catchUp();
    const count = this.contacts.current.length;
    if (!count) return this.tell("Nothing touches here.");
    this.play(false);
    this.pick(this.contacts.picked < 0 ? (by > 0 ? 0 : count - 1) : (this.contacts.picked + by + count) % count);
  }

  /** Picks a contact. */
  pick(index) {
    this.pickRod(-1);
    this.contacts.pick(index);
    this.tellPicked();
    this.ask();
  }

  /** Picks a rod, which is lit, and one of its nodes, whose numbers are told; none for -1. */
  pickRod(rod, touched = null) {
    this.contacts.pick(-1);
    this.roster.pick(Number.isInteger(rod) ? rod : -1);
    const { picked } = this.roster;
    this.touched = touched ?? (picked < 0 ? null : { rod: picked, node: this.run.rods[picked].firstNode });
    this.rosterChanged();
  }

  pickNextRod(by) {
    const { shown, picked } = this.roster;
    if (!shown.length) return;
    const at = shown.indexOf(picked);
    this.pickRod(shown[at < 0 ? (by > 0 ? 0 : shown.length - 1) : (at + by + shown.length) % shown.length]);
  }

  /** The picked rod alone, or all again. */
  only() {
    const { roster } = this;
    if (roster.hidden.size && (roster.picked < 0 || roster.shown.length === 1)) return this.showAll();
    if (roster.picked < 0) return this.tell("Pick a rod first: click it, or press '.");
    roster.only([roster.picked]);
    this.rosterChanged();
  }

  hide() {
    const { roster } = this;
    if (roster.picked < 0) return this.tell("Pick a rod first: click it, or press '.");
    roster.hide(roster.picked);
    this.touched = null;
    this.rosterChanged();
  }

  showAll() {
    this.roster.all();
    this.rosterChanged();
  }

  /** Other rods are shown, or another one is picked. */
  rosterChanged() {
    const { roster } = this;
    byId("rod").value = roster.picked < 0 ? "" : String(roster.picked);
    byId("only").setAttribute("aria-pressed", String(roster.hidden.size > 0));
    this.changed = true;
    this.legend();
    this.tellPicked();
    this.ask();
    this.writeLink();
  }

  tellPicked() {
    if (!this.picture) return;
    const box = byId("picked");
    const contact = this.contacts.current[this.contacts.picked];
    box.hidden = !contact && !this.touched;
    if (contact) tellContact(box, contact, this.contacts);
    else if (this.touched) tellNode(box, this.touched, this.run, this.frame);
  }

  // ---- Links, messages, growth ----------------------------------------------------------------------------------------

  get hash() {
    const { shown, defaults, roster, colouring, clock, stage } = this;
    const differs = (on) => Object.keys(shown).filter((name) => shown[name] === on && defaults[name] !== on);
    const range = colouring.field && colouring.chosen.get(colouring.name);
    const [first, last] = clock.span;
    return toHash({
      time: this.time,
      colour: colouring.name,
      view: stage?.view ?? null,
      hidden: differs(false),
      shown: differs(true),
      curves: this.curvesChosen ? this.curves.chosen : null,
      theme: this.themeChosen ? document.documentElement.dataset.theme : null,
      flow: this.flowControls?.link,
      rods: roster.link,
      rod: roster.picked < 0 ? null : roster.picked,
      map: colouring.chosenMap,
      log: colouring.log,
      range: range && [range.low, range.high],
      flat: stage?.orthographic,
      loop: clock.loop.on && last > first ? [this.run.times[first], this.run.times[last]] : null,
      speed: this.speed === 4 ? null : this.speed,
      play: this.playsOnOpening,
    });
  }

  writeLink() {
    if (this.playing || this.restoring || this.recording) return;
    // Some browsers refuse more than a hundred in half a minute.
    clearTimeout(this.linking);
    this.linking = setTimeout(() => history.replaceState(null, "", this.hash), 150);
  }

  restore(seen) {
    this.restoring = true;
    const { colouring, clock, run } = this;
    if (seen.theme) {
      this.themeChosen = true;
      this.setTheme(seen.theme === "dark");
    }
    if (seen.curves) {
      this.curvesChosen = true;
      this.curves.choose(seen.curves);
      this.columnsToBoxes();
    }
    const differs = (name) => (seen.hidden ?? []).includes(name) || (seen.shown ?? []).includes(name);
    for (const { value } of SHOWN) this.setShown(value, differs(value) ? (seen.shown ?? []).includes(value) : this.defaults[value]);
    if (this.picture) {
      this.roster.restore(seen.rods);
      this.pickRod(seen.rod ?? -1);
      this.setFlat(Boolean(seen.flat));
      if (seen.view) this.stage.view = seen.view;
      this.flowControls.restore(seen.flow);
    }
    colouring.log = Boolean(seen.log);
    colouring.chosenMap = this.colourControls.knows(seen.map) ? seen.map : null;
    this.setColour(colouring.names.includes(seen.colour) ? seen.colour : colouring.name);
    if (seen.range && colouring.choose(...seen.range)) this.recoloured();
    if (seen.speed !== undefined) this.setSpeed(seen.speed);
    clock.loop = seen.loop ? { on: true, from: run.nearest(seen.loop[0]), to: run.nearest(seen.loop[1]) } : { on: Boolean(seen.play), from: 0, to: null };
    this.tellLoop();
    this.go(seen.time === undefined ? this.frame : run.nearest(seen.time));
    this.playsOnOpening = Boolean(seen.play);
    byId("opening").checked = this.playsOnOpening;
    this.restoring = false;
    // Who wants less motion starts it himself.
    if (this.playsOnOpening && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.play(true);
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
    this.tellLoop();
    this.legend();
    this.changed = true;
    this.ask();
  }
}

/** What still means something where nothing is drawn. */
const PLAIN = ["play", "step", "ends", "speed", "loop", "mark", "curves", "parameters", "theme", "link", "help", "close"];

function withoutPicture(actions, tell) {
  return Object.fromEntries(Object.entries(actions).map(([name, action]) => [name, PLAIN.includes(name) ? action : tell]));
}
