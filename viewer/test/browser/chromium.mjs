// A headless Chromium that draws in three dimensions without a graphics processor.

import { execFileSync } from "node:child_process";
import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Path of the browser: `CHROMIUM`, which may be the name of a program. */
function executable() {
  const name = process.env.CHROMIUM ?? "chromium";
  return name.includes("/") ? name : execFileSync("sh", ["-c", 'command -v "$0"', name], { encoding: "utf8" }).trim();
}

export const open = () => chromium.launch({ executablePath: executable(), headless: true, args: FLAGS });

/** Opens a page and waits for its first picture. */
export async function show(page, address) {
  await page.goto("about:blank");
  await page.goto(address);
  await page.waitForFunction(() => window.writhe?.work.length > 0, null, { timeout: 120_000 });
}

/** What the page shows. */
export const state = (page) =>
  page.evaluate(() => {
    const v = window.writhe;
    v.catchUp();
    return { flow: v.flowControls.link, frame: v.frame, frames: v.run.frames, time: v.time, playing: v.playing, colour: v.colouring.name, shown: { ...v.shown }, view: v.stage.view, picked: v.contacts.picked, contacts: v.contacts.current.length, speed: v.speed, flat: v.stage.orthographic, loop: v.clock.loop.on, rod: v.roster.picked };
  });

/** Colours of the picture: how many of its pixels differ from the first. */
export const drawn = (page) =>
  page.evaluate(() => {
    const { canvas } = window.writhe.stage;
    window.writhe.draw();
    const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
    const pen = copy.getContext("2d");
    pen.drawImage(canvas, 0, 0);
    const { data } = pen.getImageData(0, 0, copy.width, copy.height);
    let count = 0;
    let sum = [0, 0, 0];
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] < 128) continue;
      count++;
      for (let k = 0; k < 3; k++) sum[k] += data[i + k];
    }
    return { pixels: count, mean: sum.map((x) => Math.round(x / Math.max(1, count))) };
  });
