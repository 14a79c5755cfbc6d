// How long a large run takes to load and to move. Times depend on the computer and on what else it does: they are printed, not judged.

import assert from "node:assert/strict";
import { show } from "./chromium.mjs";

export async function speed(page, address) {
  // A small picture: without a graphics processor large ones say how fast it is emulated.
  await page.setViewportSize({ width: 360, height: 400 });
  const start = Date.now();
  await show(page, address);
  const load = Date.now() - start;
  const found = await page.evaluate(async () => {
    const viewer = window.writhe;
    viewer.setColour("twist");
    viewer.work.length = 0;
    viewer.play(true);
    await new Promise((resolve) => setTimeout(resolve, 5000));
    viewer.play(false);
    const work = [...viewer.work].sort((a, b) => a - b);
    return { frames: viewer.run.frames, median: work[work.length >> 1], most: work.at(-1), count: work.length };
  });
  assert.equal(found.frames, 2500);
  assert.ok(found.count > 3, "it plays");
  return `loaded in ${(load / 1000).toFixed(1)} s; script time a frame ${found.median.toFixed(1)} ms (median of ${found.count}), at most ${found.most.toFixed(1)} ms`;
}
