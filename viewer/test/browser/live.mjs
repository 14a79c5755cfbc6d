// The page of a run in progress.

import assert from "node:assert/strict";
import { join } from "node:path";

export async function follows(page, { writhe, root, out, spawn }) {
  const args = ["run", join(root, "examples/cantilever.toml"), "--out", join(out, "live"), "--live", "--no-open", "--set", "time.duration=1", "--set", "output.every=0.005", "--set", "scene.edges=20"];
  const run = spawn(writhe, args, { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((found, failed) => {
    let text = "";
    run.stdout.on("data", (data) => {
      text += data;
      const match = /http:\S+/.exec(text);
      if (match) found(match[0]);
    });
    run.on("exit", () => failed(new Error(`the run ended without an address: ${text}`)));
  });
  await page.goto(address);
  await page.waitForFunction(() => window.writhe?.run.ended, null, { timeout: 120_000 });
  const { frames, ended, frame } = await page.evaluate(() => ({ frames: window.writhe.run.frames, ended: window.writhe.run.ended, frame: window.writhe.frame }));
  assert.equal(ended, "finished");
  assert.equal(frames, 201);
  assert.equal(frame, 200, "the newest frame is shown");
  if (run.exitCode === null) await new Promise((done) => run.on("exit", done));
  assert.equal(run.exitCode, 0);
}
