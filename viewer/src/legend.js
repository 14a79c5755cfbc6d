// What colours and arrows mean, which way axes point, how long things are.

import { css, RODS, sequential, table } from "./colours.js";
import { niceBelow, number, quantity, scaled } from "./format.js";

/** More rods than this are not listed. */
const MOST_RODS = 10;

const element = (name, text = "") => Object.assign(document.createElement(name), { textContent: text });

/** What the colours mean, item by item: of `colouring`, of the flow on a plane, of the arrows of contact forces. */
export function legendItems({ rods, colouring, arrow, flow }) {
  const items = [];
  const { field } = colouring;
  if (field) {
    const unit = field.unit === "1" ? "" : ` (${field.unit})`;
    const size = colouring.log && field.signed ? `size of the ${field.label}` : field.label;
    items.push({ kind: "bar", title: `${size}${unit}`, map: colouring.map, ticks: ticks(colouring) });
  } else if (colouring.name === "rod" && rods.length > 1 && rods.length <= MOST_RODS) {
    items.push({ kind: "rods", rods: rods.map((rod) => ({ label: `rod ${rod}`, colour: css(RODS[rod % RODS.length]) })) });
  }
  if (flow) {
    const { unit, size } = scaled(flow.fastest, "m/s");
    const range = { low: 0, high: flow.fastest / size };
    items.push({ kind: "bar", title: `fluid speed (${unit})`, map: sequential, ticks: ticks({ range }) });
    items.push({ kind: "text", text: `${flow.place}, points ${quantity(flow.spacing, "m", 2)} apart` });
  }
  if (arrow) items.push({ kind: "arrow", text: `contact force up to ${quantity(arrow, "N", 2)}` });
  return items;
}

/** Places along a bar with their numbers: both ends and the middle. */
function ticks({ range: { low, high }, log }) {
  const value = (part) => (log ? low * (high / low) ** part : low + part * (high - low));
  return [0, 0.5, 1].map((part) => ({ part, text: number(value(part), 2) }));
}

/** Writes the items into the page. */
export function drawLegend(host, items) {
  host.replaceChildren(...items.flatMap(written));
}

function written(item) {
  if (item.kind === "bar") return bar(item);
  if (item.kind === "text") return [element("span", item.text)];
  if (item.kind === "arrow") {
    const line = element("div");
    line.className = "arrow";
    line.innerHTML = '<svg viewBox="0 0 40 10" aria-hidden="true"><path d="M0 4h27V1l13 4-13 4V6H0z"/></svg>';
    line.append(item.text);
    return [line];
  }
  const list = element("ul");
  for (const { label, colour } of item.rods) {
    const row = element("li");
    const swatch = element("i");
    swatch.style.background = colour;
    row.append(swatch, label);
    list.append(row);
  }
  return [list];
}

/** A bar of colours under its name, with numbers below. */
function bar({ title, map, ticks }) {
  const strip = element("div");
  strip.className = "ticks";
  for (const { part, text } of ticks) {
    const tick = element("span", text);
    tick.style.left = `${100 * part}%`;
    strip.append(tick);
  }
  return [element("b", title), colourStrip(map), strip];
}

/** A map as a strip of 256 colours. */
export function colourStrip(map) {
  const colours = element("canvas");
  [colours.width, colours.height] = [256, 1];
  colours.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(table(map)), 256, 1), 0, 0);
  return colours;
}

/** Axes as the camera sees them, those that point away from it first: their names and ends, x to the right, y down, of length 1. */
export function axesSeen(stage) {
  const matrix = stage.camera.matrixWorldInverse.elements;
  const axes = ["x", "y", "z"].map((name, i) => ({ name, x: matrix[4 * i], y: -matrix[4 * i + 1], z: matrix[4 * i + 2] }));
  return axes.sort((a, b) => a.z - b.z);
}

/** A round length that takes about 110 pixels: what it is called, and how many pixels it takes. */
export function roundLength(stage) {
  const metres = niceBelow(110 * stage.metresPerPixel);
  return { text: quantity(metres, "m"), pixels: metres / stage.metresPerPixel };
}

/** Draws the axes, and a bar of a round length. */
export function drawCorner(svg, scale, stage) {
  svg.innerHTML = axesSeen(stage)
    .map(({ name, x, y, z }) => {
      const [a, b] = [(20 * x).toFixed(1), (20 * y).toFixed(1)];
      const far = z < -0.15 ? 0.55 : 1;
      return `<g opacity="${far}"><path d="M0 0L${a} ${b}"/><text x="${(29 * x).toFixed(1)}" y="${(29 * y).toFixed(1)}">${name}</text></g>`;
    })
    .join("");
  const { text, pixels } = roundLength(stage);
  scale.querySelector("span").textContent = text;
  scale.querySelector("i").style.width = `${pixels.toFixed(1)}px`;
}
