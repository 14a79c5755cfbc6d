// Curves of observables under the picture: a panel for each unit, with a mark that moves in time.

import { denoised, number, quantity, scaled } from "./format.js";
import { spoken } from "./names.js";

/** Colours of curves in a panel, good on light and on dark ground. */
const COLOURS = { light: ["#0067a5", "#b34700", "#00734d", "#9c3f78"], dark: ["#6ec1ff", "#ffb35c", "#5fd6a8", "#f0a3cd"] };
/** More panels than this are not shown. */
export const MOST_PANELS = 4;
const LEFT = 62;
const RIGHT = 10;
const TOP = 6;
const BOTTOM = 18;

export class Curves {
  constructor(host, run, onSeek) {
    this.host = host;
    this.run = run;
    this.onSeek = onSeek;
    this.names = spoken(run.setting.columns, run.rods.length);
    this.panels = [];
    this.chosen = [];
  }

  /** Names that are shown first: forces and energies, or whatever there is. */
  static defaults(run) {
    const { columns } = run.setting;
    const names = columns.map((column) => column.name);
    const varies = (name) => {
      const index = names.indexOf(name);
      const size = run.size(columns[index].unit);
      const values = run.curves[index].filter(Number.isFinite).map((value) => denoised(value, size));
      return values.some((value) => value !== values[0]);
    };
    const groups = [["rod0_pull_force", "contact_force"], ["energy_bend", "energy_twist", "energy_stretch", "energy_loads"]];
    const of = (takes) => groups.flatMap((group) => group.filter((name) => names.includes(name) && takes(name)).slice(0, 2));
    // What is at rest has energies none the less.
    const there = (name) => run.curves[names.indexOf(name)].some((value) => denoised(value, run.size(columns[names.indexOf(name)].unit)));
    const wanted = [of(varies), of(there)].find((found) => found.length);
    return wanted ?? names.filter(varies).slice(0, 2);
  }

  /** Shows these columns, by name; those of one unit share a panel. */
  choose(names) {
    const columns = this.run.setting.columns;
    const known = names.map((name) => columns.findIndex((c) => c.name === name)).filter((i) => i >= 0);
    const units = new Map();
    for (const index of known) {
      const { unit } = columns[index];
      if (!units.has(unit) && units.size === MOST_PANELS) continue;
      units.set(unit, [...(units.get(unit) ?? []), index]);
    }
    this.chosen = [...units.values()].flat().map((index) => columns[index].name);
    this.host.replaceChildren();
    this.host.hidden = units.size === 0;
    this.panels = [...units].map(([unit, indices]) => this.panel(unit, indices));
    this.draw();
  }

  panel(unit, indices) {
    const element = document.createElement("figure");
    element.className = "curve";
    const caption = document.createElement("figcaption");
    const items = indices.map((index) => {
      const item = document.createElement("span");
      const swatch = document.createElement("i");
      const value = document.createElement("output");
      item.append(swatch, `${this.names[index]} `, value);
      caption.append(item);
      return { index, swatch, value };
    });
    const plot = document.createElement("div");
    plot.className = "plot";
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${items.map(({ index }) => this.names[index]).join(", ")} over time`);
    const mark = document.createElement("div");
    mark.className = "mark";
    plot.append(canvas, mark);
    element.append(caption, plot);
    this.host.append(element);
    const seek = (event) => {
      const box = plot.getBoundingClientRect();
      const part = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
      const [from, to] = this.span;
      this.onSeek(from + Math.min(1, Math.max(0, part)) * (to - from));
    };
    plot.addEventListener("pointerdown", (event) => {
      plot.setPointerCapture(event.pointerId);
      seek(event);
    });
    plot.addEventListener("pointermove", (event) => event.buttons && seek(event));
    return { unit, items, plot, canvas, mark };
  }

  /** Times that the curves span, s. */
  get span() {
    const { times } = this.run;
    return [times[0] ?? 0, Math.max(times.at(-1) ?? 1, (times[0] ?? 0) + 1e-12)];
  }

  draw() {
    for (const panel of this.panels) this.drawPanel(panel);
    if (this.time !== undefined) this.moveTo(this.time);
  }

  drawPanel(panel) {
    const { canvas, plot, items, unit } = panel;
    const [width, height] = [plot.clientWidth, plot.clientHeight];
    if (width < 120 || height < 40) return;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const style = getComputedStyle(this.host);
    const ink = style.getPropertyValue("--soft").trim();
    const line = style.getPropertyValue("--line").trim();
    const colours = COLOURS[document.documentElement.dataset.theme] ?? COLOURS.light;
    let [low, high] = [Infinity, -Infinity];
    const size = this.run.size(unit);
    for (const { index } of items) {
      for (const exact of this.run.curves[index]) {
        const value = denoised(exact, size);
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    if (!(high > low)) [low, high] = Number.isFinite(low) ? [low - (Math.abs(low) || size || 1) / 2, low + (Math.abs(low) || size || 1) / 2] : [0, 1];
    const [from, to] = this.span;
    const x = (time) => LEFT + ((time - from) / (to - from)) * (width - LEFT - RIGHT);
    const y = (value) => height - BOTTOM - ((value - low) / (high - low)) * (height - TOP - BOTTOM);
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = ink;
    pen.strokeStyle = line;
    pen.lineWidth = 1;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    const prefix = scaled(Math.max(Math.abs(low), Math.abs(high)), unit);
    for (const tick of ticks(low, high, Math.max(3, Math.floor(height / 27)))) {
      pen.fillText(number(tick / prefix.size), LEFT - 6, y(tick));
      stroke(pen, [[LEFT, y(tick)], [width - RIGHT, y(tick)]]);
    }
    pen.textBaseline = "alphabetic";
    pen.textAlign = "center";
    const times = ticks(from, to, Math.max(2, Math.floor(width / 90)));
    times.forEach((tick, i) => pen.fillText(i === times.length - 1 ? `${number(tick)} s` : number(tick), Math.min(x(tick), width - 16), height - 4));
    pen.lineWidth = 1.6;
    pen.lineJoin = "round";
    items.forEach(({ index, swatch }, i) => {
      pen.strokeStyle = swatch.style.background = colours[i % colours.length];
      this.drawCurve(pen, this.run.curves[index], x, (value) => y(denoised(value, size)));
    });
    if (prefix.unit) {
      pen.textAlign = "left";
      pen.fillText(prefix.unit, 4, TOP + 9);
    }
  }

  drawCurve(pen, values, x, y) {
    const times = this.run.curveTimes;
    // Of the points in one column of pixels only the first, the extremes and the last are seen.
    pen.beginPath();
    let open = false;
    let column = NaN;
    let extremes = null;
    const flush = () => {
      if (extremes) for (const value of extremes) pen.lineTo(column, y(value));
      extremes = null;
    };
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (!Number.isFinite(value)) {
        flush();
        open = false;
        continue;
      }
      const at = Math.round(2 * x(times[i])) / 2;
      if (!open) {
        pen.moveTo(at, y(value));
        open = true;
        column = at;
      } else if (at === column) {
        extremes = extremes ? [Math.min(extremes[0], value), Math.max(extremes[1], value), value] : [value, value, value];
      } else {
        flush();
        pen.lineTo(at, y(value));
        column = at;
      }
    }
    flush();
    pen.stroke();
  }

  /** Moves the marks to a time, s. */
  moveTo(time) {
    this.time = time;
    const [from, to] = this.span;
    const row = this.rowAt(time);
    for (const { plot, mark, items, unit } of this.panels) {
      plot.width ??= plot.clientWidth;
      const x = LEFT + ((time - from) / (to - from)) * (plot.width - LEFT - RIGHT);
      mark.style.transform = `translateX(${x.toFixed(1)}px)`;
      for (const { index, value } of items) value.textContent = quantity(denoised(this.run.curves[index][row], this.run.size(unit)), unit);
    }
  }

  resize() {
    for (const { plot } of this.panels) plot.width = plot.clientWidth;
    this.draw();
  }

  /** The row at a time. */
  rowAt(time) {
    const times = this.run.curveTimes;
    let low = 0;
    let high = times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= time + 1e-12 * Math.abs(time)) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function stroke(pen, points) {
  pen.beginPath();
  points.forEach(([x, y], i) => (i ? pen.lineTo(x, Math.round(y) + 0.5) : pen.moveTo(x, Math.round(y) + 0.5)));
  pen.stroke();
}

/** About `count` round numbers between two. */
export function ticks(low, high, count) {
  const rough = (high - low) / count;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * decade).find((s) => s >= 0.7 * rough);
  const first = Math.ceil(low / step - 1e-9) + 0;
  const all = [];
  for (let i = first; i * step <= high + 1e-9 * step; i++) all.push(i * step);
  return all;
}
