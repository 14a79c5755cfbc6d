// The picture with all that is told in it, as one image: stills and the frames of films.

import { axesSeen, colourStrip, roundLength } from "./legend.js";

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
/** Distance from the edges, height of a line, width of a bar of colours, pixels. */
const EDGE = 18;
const LINE = 20;
const BAR = 230;

/** A canvas as large as the picture on the screen, for `compose`. Sides are even: some film formats ask for it. */
export function sheet(stage) {
  const even = (x) => Math.max(2, 2 * Math.floor(x / 2));
  const { canvas } = stage;
  return Object.assign(document.createElement("canvas"), { width: even(canvas.width), height: even(canvas.height) });
}

/** Draws ground, picture, legend, time, axes and scale. The picture must have been drawn in the same task. */
export function compose(canvas, { stage, items, time }) {
  // In the memory of the processor: a recorder takes what is there, and waits for no graphics processor.
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const ratio = stage.renderer.getPixelRatio();
  const [width, height] = [canvas.width / ratio, canvas.height / ratio];
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const glow = pen.createRadialGradient(0, 0, 0.3, 0, 0, 1);
  glow.addColorStop(0, colour("--ground"));
  glow.addColorStop(1, colour("--glow"));
  pen.save();
  // As in the style sheet: an ellipse through the farthest corner.
  pen.translate(0.5 * width, 0.42 * height);
  pen.scale(Math.SQRT2 * 0.5 * width, Math.SQRT2 * 0.58 * height);
  pen.fillStyle = glow;
  pen.fillRect(-2, -2, 4, 4);
  pen.restore();
  pen.drawImage(stage.canvas, 0, 0, stage.canvas.width / ratio, stage.canvas.height / ratio);
  const ink = colour("--ink");
  pen.fillStyle = pen.strokeStyle = ink;
  pen.textBaseline = "alphabetic";
  pen.font = `14px ${FONT}`;
  pen.textAlign = "left";
  pen.fillText(time, EDGE, EDGE + 12);
  let y = height - EDGE;
  for (const item of [...items].reverse()) {
    y -= drawItem(pen, item, EDGE, y, ink, colour("--mark"));
    pen.fillStyle = ink;
  }
  corner(pen, stage, width - EDGE, height - EDGE);
}

/** Draws an item of the legend above y; how high it is. */
function drawItem(pen, item, x, y, ink, mark) {
  pen.textAlign = "left";
  pen.font = `13.5px ${FONT}`;
  if (item.kind === "text") pen.fillText(item.text, x, y - 4);
  if (item.kind === "arrow") {
    pen.fillStyle = mark;
    pen.fill(new Path2D(`M${x} ${y - 10}h27v-3l13 4-13 4v-3h-27z`));
    pen.fillStyle = ink;
    pen.fillText(item.text, x + 48, y - 4);
  }
  if (item.kind === "rods") {
    let right = x;
    for (const { label, colour } of item.rods) {
      pen.fillStyle = colour;
      pen.beginPath();
      pen.arc(right + 6, y - 9, 6, 0, 2 * Math.PI);
      pen.fill();
      pen.fillStyle = ink;
      pen.fillText(label, right + 18, y - 4);
      right += 32 + pen.measureText(label).width;
    }
  }
  if (item.kind !== "bar") return LINE + 4;
  pen.drawImage(colourStrip(item.map), x, y - 32, BAR, 12);
  pen.font = `12.5px ${FONT}`;
  for (const { part, text } of item.ticks) {
    pen.textAlign = part === 0 ? "left" : part === 1 ? "right" : "center";
    pen.fillText(text, x + BAR * part, y - 4);
  }
  pen.textAlign = "left";
  pen.font = `600 13.5px ${FONT}`;
  pen.fillText(item.title, x, y - 38);
  return 32 + LINE + 4;
}

function corner(pen, stage, x, y) {
  const { text, pixels } = roundLength(stage);
  pen.lineWidth = 1.6;
  pen.beginPath();
  pen.moveTo(x - 80 - pixels, y - 8);
  pen.lineTo(x - 80 - pixels, y - 2);
  pen.lineTo(x - 80, y - 2);
  pen.lineTo(x - 80, y - 8);
  pen.stroke();
  pen.font = `12.5px ${FONT}`;
  pen.textAlign = "center";
  pen.fillText(text, x - 80 - pixels / 2, y - 12);
  pen.font = `600 11px ${FONT}`;
  pen.textBaseline = "middle";
  const [cx, cy] = [x - 30, y - 30];
  for (const axis of axesSeen(stage)) {
    pen.globalAlpha = axis.z < -0.15 ? 0.55 : 1;
    pen.beginPath();
    pen.moveTo(cx, cy);
    pen.lineTo(cx + 20 * axis.x, cy + 20 * axis.y);
    pen.stroke();
    pen.fillText(axis.name, cx + 29 * axis.x, cy + 29 * axis.y);
  }
  pen.globalAlpha = 1;
  pen.textBaseline = "alphabetic";
}

/** Hands a file to who looks. */
export function download(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
