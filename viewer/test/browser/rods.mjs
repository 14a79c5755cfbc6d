// One rod among several: picked, lit, alone, hidden; colours over a range; the camera; time over and over.

import assert from "node:assert/strict";
import { join } from "node:path";
import { drawn, show, state } from "./chromium.mjs";

/** Numbers of a frame in the page that tests ask for. */
const rods = (page) =>
  page.evaluate(() => {
    const { roster, tubes } = window.writhe;
    return { picked: roster.picked, shown: roster.shown, lit: tubes.uniforms.uPicked.value, drawn: [...tubes.rods.image.data].slice(0, roster.count) };
  });

export async function picksRods(page, address, out) {
  await show(page, address);
  const before = await drawn(page);
  // Where the middle of rod 1 is drawn.
  const at = await page.evaluate(() => {
    const { run, stage, frame } = window.writhe;
    const { firstNode, nodes } = run.rods[1];
    const node = firstNode + (nodes >> 1);
    const { positions } = run.blocks[0];
    const first = 3 * (frame * run.nodes + node);
    return stage.project([...positions.subarray(first, first + 3)]);
  });
  const box = await page.locator("#canvas").boundingBox();
  await page.mouse.click(box.x + at[0], box.y + at[1]);
  const picked = await rods(page);
  assert.equal(picked.picked, 1);
  assert.equal(picked.lit, 1, "the rod is lit");
  assert.match(await page.textContent("#picked"), /Rod 1, node \d+.*curvature/s);
  const lit = await drawn(page);
  assert.notDeepEqual(lit.mean, before.mean, "others step back");
  await page.screenshot({ path: join(out, "rods-picked.png") });
  // Alone, and all again.
  await page.keyboard.press("j");
  assert.deepEqual((await rods(page)).shown, [1]);
  const alone = await drawn(page);
  assert.ok(alone.pixels < 0.7 * lit.pixels, `${alone.pixels} of ${lit.pixels} pixels`);
  assert.deepEqual((await rods(page)).drawn, [0, 1, 0]);
  assert.equal(await page.textContent("#legend"), "", "of one rod nothing is to be told");
  await page.keyboard.press("j");
  assert.deepEqual((await rods(page)).shown, [0, 1, 2]);
  assert.equal((await drawn(page)).pixels, lit.pixels);
  // Hidden, which a link keeps.
  await page.keyboard.press("u");
  const hidden = await rods(page);
  assert.deepEqual([hidden.shown, hidden.picked], [[0, 2], -1]);
  assert.ok((await drawn(page)).pixels < lit.pixels);
  await page.waitForFunction(() => location.hash.includes("rods=0,2"));
  await show(page, await page.evaluate(() => location.href));
  assert.deepEqual((await rods(page)).shown, [0, 2]);
  await page.keyboard.press("y");
  assert.deepEqual((await rods(page)).shown, [0, 1, 2]);
  // By the keyboard, and by number in the panel.
  await page.keyboard.press("'");
  await page.keyboard.press("'");
  assert.equal((await rods(page)).picked, 1);
  await page.keyboard.press("h");
  await page.fill("#rod", "2");
  await page.keyboard.press("Enter");
  assert.equal((await rods(page)).picked, 2);
  await page.click("#only");
  assert.equal(await page.getAttribute("#only", "aria-pressed"), "true");
  await page.click("#all");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  assert.equal((await rods(page)).picked, -1);
}

/** Stripes show on the rods, and none looks like the ground around them. */
export async function stripes(page, address, out) {
  for (const [theme, ground] of [["light", [242, 245, 248]], ["dark", [25, 30, 37]]]) {
    await show(page, `${address}#theme=${theme}&t=6`);
    const look = (on) =>
      page.evaluate(
        ([on, ground]) => {
          const viewer = window.writhe;
          viewer.setShown("stripes", on);
          viewer.draw();
          const { canvas } = viewer.stage;
          const pen = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height }).getContext("2d");
          pen.drawImage(canvas, 0, 0);
          const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
          let [like, sum] = [0, 0];
          for (let i = 0; i < data.length; i += 4) {
            if (data[i + 3] < 255) continue;
            const away = Math.hypot(...ground.map((x, k) => data[i + k] - x));
            if (away < 45) like++;
            sum += away;
          }
          return { like, sum };
        },
        [on, ground],
      );
    const [off, on] = [await look(false), await look(true)];
    assert.notEqual(on.sum, off.sum, "stripes show");
    assert.ok(on.like <= off.like + 20, `${on.like} pixels of stripes look like the ${theme} ground, ${off.like} without`);
    await page.screenshot({ path: join(out, `stripes-${theme}.png`) });
  }
}

export async function ranges(page, address, out) {
  await show(page, address);
  await page.keyboard.press("End");
  await page.click('[data-page="look"]');
  assert.ok(await page.isHidden("#range"), "colours of rods have no range");
  await page.check('input[value="curvature"]');
  const whole = await drawn(page);
  const before = await page.evaluate(() => window.writhe.colouring.range);
  await page.fill("#high", String(before.high / 10));
  await page.keyboard.press("Enter");
  const found = await page.evaluate(() => window.writhe.colouring.range);
  assert.ok(Math.abs(found.high - before.high / 10) < 1e-9 * before.high, JSON.stringify(found));
  assert.notDeepEqual((await drawn(page)).mean, whole.mean, "colours changed");
  const low = await page.textContent("#legend .ticks span:last-child");
  assert.equal(Number(low.replace("−", "-")), Number((before.high / 10).toPrecision(2)), "the legend says so");
  // What is no range is not taken, and shows.
  await page.fill("#low", "a lot");
  await page.keyboard.press("Enter");
  assert.equal(await page.getAttribute("#low", "aria-invalid"), "true");
  assert.deepEqual(await page.evaluate(() => window.writhe.colouring.range), found);
  await page.click("#range-run");
  assert.deepEqual(await page.evaluate(() => window.writhe.colouring.range), before);
  assert.deepEqual((await drawn(page)).mean, whole.mean, "and back");
  await page.click("#range-now");
  const now = await page.evaluate(() => window.writhe.colouring.range);
  const most = await page.evaluate(() => {
    const { run, frame } = window.writhe;
    const { codes, values } = run.field(0, frame);
    return Math.max(...[...codes].map((code) => values[code + 32768]));
  });
  assert.equal(now.high, most, "to the greatest value of the moment");
  await page.click("#range-run");
  // Decades, and another map.
  await page.check("#log");
  const log = await page.evaluate(() => window.writhe.colouring.range);
  assert.ok(log.low > 0 && log.high > log.low);
  const decades = await drawn(page);
  assert.notDeepEqual(decades.mean, whole.mean);
  await page.selectOption("#map", "grey");
  const grey = await drawn(page);
  assert.notDeepEqual(grey.mean, decades.mean);
  await page.screenshot({ path: join(out, "range.png") });
  await page.waitForFunction(() => /map=grey.*log=1/.test(location.hash));
  await show(page, await page.evaluate(() => location.href));
  assert.deepEqual((await drawn(page)).mean, grey.mean, "a link keeps them");
}

export async function cameras(page, address, out) {
  await show(page, address);
  await page.keyboard.press("End");
  const view = async () => (await state(page)).view;
  const seen = async () => {
    const [x, y, z, a, b, c] = await view();
    const away = Math.hypot(x - a, y - b, z - c);
    return [x - a, y - b, z - c].map((part) => part / away);
  };
  const near = (found, wanted) => found.forEach((x, i) => assert.ok(Math.abs(x - wanted[i]) < 5e-3, `${found} and ${wanted}`));
  for (const [key, wanted] of [["7", [1, 0, 0]], ["8", [0, -1, 0]], ["9", [0, 0, 1]]]) {
    await page.keyboard.press(key);
    near(await seen(), wanted);
    await page.keyboard.press(key);
    near(await seen(), wanted.map((x) => -x));
  }
  // What is on now lies within the picture, and fills it.
  await page.keyboard.press("7");
  const extent = () =>
    page.evaluate(() => {
      const { run, stage, frame } = window.writhe;
      const x = run.positions(frame);
      const points = Array.from({ length: run.nodes }, (_, i) => stage.project([...x.subarray(3 * i, 3 * i + 3)]));
      const [width, height] = [stage.canvas.clientWidth, stage.canvas.clientHeight];
      return { inside: points.every(([a, b]) => a > 0 && b > 0 && a < width && b < height), wide: (Math.max(...points.map(([a]) => a)) - Math.min(...points.map(([a]) => a))) / width, high: (Math.max(...points.map(([, b]) => b)) - Math.min(...points.map(([, b]) => b))) / height };
    });
  for (let i = 0; i < 12; i++) await page.keyboard.press("-");
  await page.keyboard.press("0");
  const fitted = await extent();
  assert.ok(fitted.inside && Math.max(fitted.wide, fitted.high) > 0.6, JSON.stringify(fitted));
  await page.keyboard.press("q");
  const flat = await extent();
  assert.ok(flat.inside, JSON.stringify(flat));
  // Without perspective a shift along the view changes nothing.
  const shift = await page.evaluate(() => {
    const { stage } = window.writhe;
    const { centre, scale } = stage.place;
    const back = stage.camera.position.clone().sub(stage.controls.target).normalize();
    const off = centre.map((x, i) => x + [0.1, -0.2, 0.15][i] / scale);
    const moved = off.map((x, i) => x + (0.2 * back.getComponent(i)) / scale);
    const [[a, b], [c, d]] = [off, moved].map((point) => stage.project(point));
    return Math.hypot(a - c, b - d);
  });
  assert.ok(shift < 0.01, `${shift} pixels`);
  await page.screenshot({ path: join(out, "flat.png") });
  await page.waitForFunction(() => location.hash.includes("flat=1"));
  await show(page, await page.evaluate(() => location.href));
  assert.equal(await page.evaluate(() => window.writhe.stage.orthographic), true);
  await page.keyboard.press("q");
  const before = await view();
  await page.keyboard.press("0");
  await page.keyboard.press("0");
  assert.notDeepEqual(await view(), before, "again for the whole run");
}

export async function loops(page, address) {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await show(page, address);
  await page.evaluate(() => window.writhe.go(4));
  await page.keyboard.press("<");
  await page.evaluate(() => window.writhe.go(9));
  await page.keyboard.press(">");
  assert.match(await page.textContent("#toast"), /Plays from .* to .* over and over/);
  assert.equal(await page.getAttribute("#loop", "aria-pressed"), "true");
  assert.ok(await page.isVisible("#looped"));
  await page.selectOption("#speed", "7");
  await page.click("#play");
  const seen = await page.evaluate(async () => {
    const frames = [];
    for (const end = performance.now() + 4000; performance.now() < end; ) {
      frames.push(window.writhe.frame);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return frames;
  });
  assert.ok(seen.every((frame) => frame >= 4 && frame <= 9), `${seen}`);
  assert.ok(seen.some((frame, i) => frame < seen[i - 1]), "it begins anew");
  assert.equal((await state(page)).playing, true);
  await page.keyboard.press(" ");
  // A link that plays on opening does so, unless less motion is asked for.
  await page.keyboard.press("h");
  await page.check("#opening");
  await page.waitForFunction(() => /loop=.*speed=7.*play=1/.test(location.hash));
  const link = await page.evaluate(() => location.href);
  await show(page, link);
  assert.equal((await state(page)).playing, true);
  assert.deepEqual(await page.evaluate(() => window.writhe.clock.span), [4, 9]);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await show(page, link);
  assert.equal((await state(page)).playing, false);
}

/** A page that was written to open so. */
export async function opens(page, address) {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await show(page, address);
  const found = await state(page);
  assert.equal(found.colour, "curvature");
  assert.equal(found.playing, true);
}
