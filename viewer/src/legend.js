// What colours and arrows mean, which way axes point, how long things are.

import { css, RODS, sequential, table } from "./colours.js";
import { niceBelow, number, quantity, scaled } from "./format.js";

/** More rods than this are not listed. */
const MOST_RODS = 10;

const element = (name, text = "") => Object.assign(document.createElement(name), { textContent: text });

/** Writes what the colours mean: `field` with its range and map, or one colour a rod; the plane of the flow, if there is one. */
export function drawLegend(host, { rods, field, range, map, arrow, flow }) {
  host.replaceChildren();
  if (field) {
    const unit = field.unit === "1" ? "" : ` (${field.unit})`;
    host.append(...bar(`${field.label}${unit}`, range, map));
  } else if (rods > 1 && rods <= MOST_RODS) {
    const list = element("ul");
    for (let i = 0; i < rods; i++) {
      const item = element("li");
      const swatch = element("i");
      swatch.style.background = css(RODS[i % RODS.length]);
      item.append(swatch, `rod ${i}`);
      list.append(item);
    }
    host.append(list);
  }
  if (flow) {
    const { unit, size } = scaled(flow.fastest, "m/s");
    const place = element("span", `${flow.place}, points ${quantity(flow.spacing, "m", 2)} apart`);
    host.append(...bar(`fluid speed (${unit})`, { low: 0, high: flow.fastest / size }, sequential), place);
  }
  if (arrow) {
    const line = element("div");
    line.className = "arrow";
    line.innerHTML = '<svg viewBox="0 0 40 10" aria-hidden="true"><path d="M0 4h27V1l13 4-13 4V6H0z"/></svg>';
    line.append(`contact force up to ${quantity(arrow, "N", 2)}`);
    host.append(line);
  }
}

/** A bar of colours under its name, with numbers below. */
function bar(name, { low, high }, map) {
  const colours = element("canvas");
  [colours.width, colours.height] = [256, 1];
  colours.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(table(map)), 256, 1), 0, 0);
  const ticks = element("div");
  ticks.className = "ticks";
  for (const part of [0, 0.5, 1]) {
    const tick = element("span", number(low + part * (high - low), 2));
    tick.style.left = `${100 * part}%`;
    ticks.append(tick);
  }
  return [element("b", name), colours, ticks];
}

/** Draws the axes as the camera sees them, and a bar of a round length. */
export function drawCorner(svg, scale, stage) {
  const matrix = stage.camera.matrixWorldInverse.elements;
  const axes = ["x", "y", "z"].map((name, i) => ({ name, x: matrix[4 * i], y: -matrix[4 * i + 1], z: matrix[4 * i + 2] }));
  axes.sort((a, b) => a.z - b.z);
  svg.innerHTML = axes
    .map(({ name, x, y, z }) => {
      const [a, b] = [(20 * x).toFixed(1), (20 * y).toFixed(1)];
      const far = z < -0.15 ? 0.55 : 1;
      return `<g opacity="${far}"><path d="M0 0L${a} ${b}"/><text x="${(29 * x).toFixed(1)}" y="${(29 * y).toFixed(1)}">${name}</text></g>`;
    })
    .join("");
  const metres = niceBelow(110 * stage.metresPerPixel);
  scale.querySelector("span").textContent = quantity(metres, "m");
  scale.querySelector("i").style.width = `${(metres / stage.metresPerPixel).toFixed(1)}px`;
}
