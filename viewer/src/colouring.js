// What colours mean: a field with its map and range, or one colour a rod, or one for all.

import { MAPS } from "./colours.js";

/** More rods than this begin in one colour: more would be confetti. */
const MOST_RODS_APART = 12;
/** Decades that a logarithmic range spans from its end, where the field reaches so far down. */
const DECADES = 4;

export class Colouring {
  constructor(run) {
    this.run = run;
    this.fields = run.setting.fields;
    this.name = run.rods.length > MOST_RODS_APART ? "plain" : "rod";
    this.log = false;
    /** Name of a map; null for the one that suits the field. */
    this.chosenMap = null;
    /** Ranges that somebody chose, by name of the field. */
    this.chosen = new Map();
  }

  /** All choices: `rod`, the fields, `plain`. */
  get names() {
    return ["rod", ...this.fields.map(({ name }) => name), "plain"];
  }

  /** Index of the field that colours; -1 where none does. */
  get index() {
    return this.fields.findIndex(({ name }) => name === this.name);
  }

  get field() {
    return this.fields[this.index] ?? null;
  }

  get mapName() {
    return this.chosenMap ?? (this.field?.signed && !this.log ? "diverging" : "sequential");
  }

  get map() {
    return MAPS[this.mapName].map;
  }

  /** Range of the colours: as chosen, or that of the run. On a logarithmic scale it is of sizes, and above zero. */
  get range() {
    const { index, field } = this;
    const range = this.chosen.get(field.name) ?? this.run.range(index);
    if (!this.log) return range;
    const high = Math.max(Math.abs(range.low), Math.abs(range.high)) || 1;
    const chosen = this.chosen.get(field.name);
    if (chosen && chosen.low > 0) return { low: chosen.low, high };
    return { low: Math.max(this.run.smallest(index), high * 10 ** -DECADES), high };
  }

  /** Chooses the range of the field that colours; what is none is not taken. */
  choose(low, high) {
    if (!this.field || !Number.isFinite(low) || !Number.isFinite(high) || !(high > low) || (this.log && !(low > 0))) return false;
    this.chosen.set(this.field.name, { low, high });
    return true;
  }

  reset() {
    this.chosen.delete(this.field?.name);
  }

  /** Takes the range from a frame, of the nodes that `counts` says yes to. */
  fromFrame(frame, counts) {
    const { codes, values } = this.run.field(this.index, frame);
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < codes.length; i++) {
      if (!counts(i)) continue;
      const value = this.log ? Math.abs(values[codes[i] + 32768]) : values[codes[i] + 32768];
      if (this.log && value === 0) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (this.field.signed && !this.log) {
      high = Math.max(Math.abs(low), Math.abs(high));
      low = -high;
    }
    return this.choose(low, high);
  }

  /** Takes a value to its place between the ends of the colours, 0 to 1; beyond them less or more. */
  get placed() {
    const { low, high } = this.range;
    if (!this.log) return (value) => (value - low) / (high - low);
    const [from, part] = [Math.log(low), 1 / Math.log(high / low)];
    return (value) => (value === 0 ? -1 : (Math.log(Math.abs(value)) - from) * part);
  }
}
