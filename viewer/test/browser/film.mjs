// What is taken along: a still with all that is told in it, and a film of what is played.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { show, state } from "./chromium.mjs";

const saved = async (page, press, to) => {
  const waits = page.waitForEvent("download", { timeout: 180_000 });
  await press();
  const download = await waits;
  await download.saveAs(to);
  return { name: download.suggestedFilename(), bytes: readFileSync(to) };
};

export async function stills(page, address, out) {
  await show(page, address);
  await page.keyboard.press("End");
  await page.keyboard.press("2");
  const to = join(out, "still.png");
  const { name, bytes } = await saved(page, () => page.keyboard.press("p"), to);
  assert.match(name, /\.png$/);
  assert.deepEqual([...bytes.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  // As large as the picture; opaque; with ink where the legend, the time and the scale are.
  const found = await page.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const ink = (x, y, width, height) => {
      const { data } = pen.getImageData(x, y, width, height);
      let [dark, clear] = [0, 0];
      for (let i = 0; i < data.length; i += 4) {
        if (data[i] + data[i + 1] + data[i + 2] < 300) dark++;
        if (data[i + 3] < 255) clear++;
      }
      return { dark, clear };
    };
    const { width, height } = canvas;
    return { size: [width, height], screen: [window.writhe.stage.canvas.width, window.writhe.stage.canvas.height], all: ink(0, 0, width, height), time: ink(10, 10, 160, 30), legend: ink(10, height - 80, 260, 70), corner: ink(width - 260, height - 80, 250, 70) };
  }, bytes.toString("base64"));
  found.size.forEach((x, i) => assert.ok(Math.abs(x - found.screen[i]) < 2, `${found.size} and ${found.screen}`));
  assert.equal(found.all.clear, 0, "a ground");
  for (const part of ["time", "legend", "corner"]) assert.ok(found[part].dark > 40, `${part}: ${found[part].dark} dark pixels`);
}

export async function films(page, address, out) {
  await page.setViewportSize({ width: 640, height: 520 });
  await show(page, address);
  await page.evaluate(() => {
    const { clock } = window.writhe;
    clock.mark("from", 2);
    clock.mark("to", 11);
    window.writhe.setSpeed(7);
    window.writhe.go(5);
  });
  const planned = await page.evaluate(() => window.writhe.clock.film(30));
  assert.deepEqual([planned.frames[0], planned.frames.at(-1)], [2, 11]);
  // Each frame that is drawn, in the order in which it is.
  await page.evaluate(() => {
    window.shownFrames = [];
    const { composed } = window.writhe;
    window.writhe.composed = function (canvas) {
      window.shownFrames.push(this.frame);
      return composed.call(this, canvas);
    };
  });
  const to = join(out, "film.webm");
  await page.click('[data-page="look"]');
  const { name, bytes } = await saved(page, () => page.click("#record"), to);
  assert.match(name, /\.webm$/);
  assert.deepEqual([...bytes.subarray(0, 4)], [0x1a, 0x45, 0xdf, 0xa3], "Matroska");
  const frames = await page.evaluate(() => window.shownFrames);
  // The first is drawn once more, for the recorder to begin with, and the last, to last.
  assert.deepEqual(frames, [planned.frames[0], ...planned.frames, planned.frames.at(-1)]);
  assert.equal((await state(page)).frame, 5, "the page is where it was");
  assert.ok(await page.isHidden("#recording"));
  // A browser plays it, and it moves.
  const film = await page.evaluate(async (data) => {
    const video = document.createElement("video");
    video.muted = true;
    video.src = URL.createObjectURL(await (await fetch(`data:video/webm;base64,${data}`)).blob());
    await new Promise((resolve, reject) => {
      video.onloadeddata = resolve;
      video.onerror = () => reject(new Error(video.error.message));
    });
    const canvas = Object.assign(document.createElement("canvas"), { width: video.videoWidth, height: video.videoHeight });
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    const look = () => {
      pen.drawImage(video, 0, 0);
      return pen.getImageData(0, 0, canvas.width, canvas.height).data;
    };
    const first = look();
    await video.play();
    await new Promise((resolve) => (video.onended = resolve));
    const last = look();
    let changed = 0;
    for (let i = 0; i < first.length; i += 4) if (Math.abs(first[i] - last[i]) > 40) changed++;
    return { size: [canvas.width, canvas.height], seconds: video.currentTime, changed };
  }, bytes.toString("base64"));
  const even = await page.evaluate(() => [window.writhe.stage.canvas.width, window.writhe.stage.canvas.height].map((x) => 2 * Math.floor(x / 2)));
  assert.deepEqual(film.size, even);
  assert.ok(film.changed > 50, `${film.changed} pixels changed`);
  assert.ok(film.seconds >= (0.8 * planned.frames.length) / planned.rate, `${film.seconds} s`);
  // It can be ended early; then the film has what there was.
  await page.evaluate(() => {
    window.writhe.setLoop(false);
    window.writhe.setSpeed(0);
  });
  const short = await saved(page, async () => {
    await page.click("#record");
    await page.waitForFunction(() => /frame [2-9]/.test(document.getElementById("recording").textContent), null, { timeout: 60_000 });
    assert.equal(await page.getAttribute("#record", "aria-pressed"), "true");
    await page.keyboard.press("Escape");
  }, join(out, "short.webm"));
  assert.ok(short.bytes.length > 500);
  return `${planned.frames.length} frames in ${film.seconds.toFixed(1)} s, ${(bytes.length / 1000).toFixed(0)} kB`;
}
