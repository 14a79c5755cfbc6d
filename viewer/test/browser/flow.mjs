// The flow on a plane: chosen, moved, linked; and pages of long runs, of which frames are left out.

import assert from "node:assert/strict";
import { join } from "node:path";
import { drawn, show, state } from "./chromium.mjs";

/** Planes through the flow of a run that has it in every frame. */
export async function flows(page, address, out) {
  await show(page, address);
  await page.keyboard.press("End");
  const without = await drawn(page);
  assert.equal((await state(page)).flow, null);
  for (const axis of ["x", "y", "z"]) {
    await page.keyboard.press("g");
    assert.equal((await state(page)).flow, `${axis}2`);
    assert.match(await page.textContent("#legend"), new RegExp(`fluid speed \\(mm/s\\).*${axis} = .* m.*points .* mm apart`, "s"));
    assert.ok((await drawn(page)).pixels > without.pixels + 1000, "a plane is drawn");
    await page.screenshot({ path: join(out, `flow-${axis}.png`) });
  }
  const before = await drawn(page);
  await page.keyboard.press(".");
  assert.equal((await state(page)).flow, "z3");
  assert.notDeepEqual((await drawn(page)).mean, before.mean, "the plane moved");
  await page.click('[data-page="look"]');
  await page.selectOption("#flow-plane", "1");
  await page.locator("#flow-place").fill("0");
  assert.equal((await state(page)).flow, "y0");
  assert.match(await page.textContent("#flow-told"), /^y = /);
  await page.waitForFunction(() => location.hash.includes("flow=y0"));
  await show(page, await page.evaluate(() => location.href));
  assert.equal((await state(page)).flow, "y0");
  const work = await page.evaluate(() => {
    const viewer = window.writhe;
    const times = [];
    for (let round = 0; round < 5; round++) {
      for (let frame = 0; frame < viewer.run.frames; frame++) {
        viewer.go(frame);
        const start = performance.now();
        viewer.catchUp();
        times.push(performance.now() - start);
      }
    }
    return times.sort((a, b) => a - b);
  });
  await page.keyboard.press("g");
  await page.keyboard.press("g");
  assert.equal((await state(page)).flow, null);
  return `script time a frame ${work[work.length >> 1].toFixed(1)} ms (median of ${work.length}), 9 of 10 below ${work[Math.floor(0.9 * work.length)].toFixed(1)} ms`;
}

/** A run without a fluid says so. */
export async function flowless(page, address) {
  await show(page, address);
  await page.keyboard.press("g");
  assert.match(await page.textContent("#toast"), /no flow/);
  assert.equal((await state(page)).flow, null);
  await page.keyboard.press("h");
  assert.ok(await page.isHidden("#flow"));
}

/** A page that is to be small has fewer frames, all of the curves, and says so. */
export async function thinned(page, address, recorded) {
  await show(page, address);
  const found = await page.evaluate(() => {
    const { run } = window.writhe;
    return { frames: run.frames, rows: run.curveTimes.length, times: [...run.times], ends: [run.curveTimes[0], run.curveTimes.at(-1)] };
  });
  assert.equal(found.rows, recorded);
  assert.ok(found.frames < recorded / 2 && found.frames > 3, `${found.frames} frames`);
  assert.deepEqual([found.times[0], found.times.at(-1)], found.ends, "the first and the last frame are there");
  assert.match(await page.textContent("#notice"), /Every \w+ frame is shown, to keep the page small/);
  assert.ok(await page.isVisible("#notice"));
  // Steps and places in time lead to frames that are there.
  await page.keyboard.press("End");
  assert.equal((await state(page)).frame, found.frames - 1);
  await page.keyboard.press("ArrowLeft");
  assert.equal((await state(page)).time, found.times.at(-2));
  await page.evaluate((time) => window.writhe.seek(time), 0.6 * found.times[1] + 0.4 * found.times[2]);
  assert.equal((await state(page)).frame, 1);
  return `${found.frames} of ${recorded} frames`;
}

/** A page that is to be small has the flow in some frames; while it is shown, all ways lead to these. */
export async function thinFlow(page, address) {
  await show(page, address);
  const frames = await page.evaluate(() => window.writhe.run.flowFrames);
  const all = (await state(page)).frames;
  assert.ok(frames.length < all && frames.length > 2, `${frames}`);
  assert.match(await page.textContent("#notice"), /Every \w+ frame has the flow/);
  await page.keyboard.press("ArrowRight");
  assert.equal((await state(page)).frame, 1, "without the flow every frame is shown");
  await page.keyboard.press("g");
  assert.ok(frames.includes((await state(page)).frame));
  await page.keyboard.press("Home");
  for (const [key, wanted] of [["ArrowRight", 1], ["ArrowRight", 2], ["ArrowLeft", 1], ["End", frames.length - 1]]) {
    await page.keyboard.press(key);
    assert.equal((await state(page)).frame, frames[wanted], key);
  }
  await page.keyboard.press("Home");
  await page.selectOption("#speed", "7");
  await page.locator("#canvas").focus();
  await page.keyboard.press("Space");
  await page.waitForFunction((frame) => window.writhe.frame >= frame, frames[2], { timeout: 60_000 });
  await page.keyboard.press("Space");
  assert.ok(frames.includes((await state(page)).frame), "and it plays these");
  return `${frames.length} of ${all} frames`;
}
