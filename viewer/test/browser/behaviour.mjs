// Play, scrub, colour, pick: what is asked for is what changes.

import assert from "node:assert/strict";
import { join } from "node:path";
import { drawn, show, state } from "./chromium.mjs";

const name = (address) => address.split("/").at(-2);

export async function moves(page, address, out) {
  await show(page, address);
  const start = await state(page);
  assert.equal(start.frame, 0);
  assert.ok((await drawn(page)).pixels > 300, "rods are drawn");
  await page.click("#play");
  await page.waitForFunction(() => window.writhe.frame >= 3, null, { timeout: 60_000 });
  assert.equal(await page.getAttribute("#play", "aria-pressed"), "true");
  await page.keyboard.press("Space");
  const paused = await state(page);
  assert.equal(paused.playing, false);
  await page.keyboard.press("ArrowRight");
  assert.equal((await state(page)).frame, paused.frame + 1);
  await page.keyboard.press("Home");
  assert.equal((await state(page)).frame, 0);
  // The slider and the curves lead to a moment.
  await page.focus("#time");
  await page.keyboard.press("End");
  assert.equal((await state(page)).frame, start.frames - 1);
  const plot = await page.locator(".plot").first().boundingBox();
  await page.mouse.click(plot.x + 62 + (plot.width - 72) / 2, plot.y + 40);
  const middle = await state(page);
  assert.ok(Math.abs(middle.frame - (start.frames - 1) / 2) <= 1, `clicked in the middle: frame ${middle.frame}`);
  assert.match(await page.textContent("#now"), /^t = [0-9.]+ m?s$/);
  await page.selectOption("#speed", "6");
  assert.equal((await state(page)).speed, 6);
  await page.screenshot({ path: join(out, `${name(address)}.png`) });
}

export async function looks(page, address, out) {
  await show(page, address);
  await page.keyboard.press("End");
  const byRod = await drawn(page);
  await page.click('[data-page="look"]');
  for (const input of await page.locator('input[name="colour"]').all()) {
    await input.check();
    const value = await input.getAttribute("value");
    assert.equal((await state(page)).colour, value);
    if (!["rod", "plain"].includes(value)) assert.ok((await page.textContent("#legend b")).length > 3, "the legend says what");
  }
  await page.check('input[value="curvature"]');
  const byCurvature = await drawn(page);
  assert.notDeepEqual(byCurvature.mean, byRod.mean, "colours changed");
  assert.match(await page.textContent("#legend b"), /curvature \(1\/m\)/);
  const before = await drawn(page);
  for (const shown of ["stripes", "fixtures", "obstacles", "marks"]) await page.uncheck(`input[value="${shown}"]`);
  const after = await drawn(page);
  assert.notDeepEqual(after, before, "switches change the picture");
  for (const shown of ["stripes", "fixtures", "obstacles", "marks"]) await page.check(`input[value="${shown}"]`);
  assert.deepEqual((await drawn(page)).mean, before.mean, "and back");
  const view = (await state(page)).view;
  const box = await page.locator("#canvas").boundingBox();
  await page.mouse.move(box.x + 300, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 400, box.y + 240, { steps: 4 });
  await page.mouse.up();
  assert.notDeepEqual((await state(page)).view, view, "dragging turns");
  await page.mouse.wheel(0, -300);
  await page.screenshot({ path: join(out, `${name(address)}-look.png`) });
}

/** Bodies and joints are drawn where the run says that they are. */
export async function carries(page, address, out) {
  await show(page, address);
  const places = () =>
    page.evaluate(() => {
      // A key changes the frame at once, what is drawn with the next picture.
      window.writhe.catchUp();
      const { surroundings, stage, run, frame } = window.writhe;
      surroundings.obstacles.updateMatrixWorld(true);
      surroundings.fixtures.updateMatrixWorld(true);
      const { scale, centre } = stage.place;
      const at = (moving) => {
        const mesh = moving.children[0];
        mesh.geometry.computeBoundingBox();
        const box = mesh.geometry.boundingBox.clone().applyMatrix4(mesh.matrixWorld);
        return box.min.clone().add(box.max).multiplyScalar(0.5).toArray().map((x, i) => x / scale + centre[i]);
      };
      const poses = [0, 1, 2].map((i) => [...run.pose(i, frame)]);
      const parts = (group) => group.children.filter((child) => child.isGroup).map(at);
      return { poses, bodies: parts(surroundings.obstacles), joints: parts(surroundings.fixtures) };
    });
  const start = await places();
  await page.keyboard.press("End");
  const end = await places();
  for (const { poses, bodies, joints } of [start, end]) {
    assert.deepEqual([bodies.length, joints.length], [3, 2]);
    bodies.forEach((body, i) => body.forEach((x, k) => assert.ok(Math.abs(x - poses[i][4 + k]) < 1e-4, `body ${i}: ${body} and ${poses[i]}`)));
    // The ball joint is 4 cm from the centres of the two bodies that it joins.
    for (const i of [1, 2]) assert.ok(Math.abs(Math.hypot(...joints[1].map((x, k) => x - poses[i][4 + k])) - 0.04) < 1e-4, `joint: ${joints[1]}`);
  }
  assert.ok(Math.hypot(...start.bodies[1].map((x, k) => x - end.bodies[1][k])) > 0.1, "the weight moved");
  const before = await drawn(page);
  await page.keyboard.press("o");
  assert.ok((await drawn(page)).pixels < before.pixels - 100, "bodies can be hidden");
  await page.keyboard.press("o");
  await page.screenshot({ path: join(out, `${name(address)}.png`) });
}

export async function picks(page, address, out) {
  await show(page, address);
  await page.keyboard.press("End");
  const { contacts } = await state(page);
  assert.ok(contacts > 0, "the knot touches itself");
  await page.keyboard.press("z");
  await page.keyboard.press("n");
  assert.equal((await state(page)).picked, 0);
  assert.match(await page.textContent("#picked"), new RegExp(`Contact 1 of ${contacts}.*force.*N.*gap.*m`, "s"));
  // By the pointer: where the second contact is drawn.
  const at = await page.evaluate(() => {
    const { points: [a, b] } = window.writhe.contacts.current[1];
    return window.writhe.stage.project(a.map((x, k) => (x + b[k]) / 2));
  });
  const box = await page.locator("#canvas").boundingBox();
  await page.mouse.click(box.x + at[0], box.y + at[1]);
  const { picked } = await state(page);
  assert.ok(picked >= 0, "a contact is picked");
  const numbers = await page.evaluate(() => window.writhe.contacts.current[window.writhe.contacts.picked]);
  assert.ok(numbers.force > 0 && Math.abs(numbers.gap) < 1e-4, JSON.stringify(numbers));
  await page.screenshot({ path: join(out, `${name(address)}-contact.png`) });
  await page.keyboard.press("Escape");
  assert.equal((await state(page)).picked, -1);
  assert.ok(await page.isHidden("#picked"));
}

export async function links(page, address) {
  await show(page, address);
  for (const key of ["End", "ArrowLeft", "ArrowLeft", "3", "t", "d", "d", "+", "m"]) await page.keyboard.press(key);
  await page.waitForFunction(() => location.hash.includes("colour=twist") && location.hash.includes("theme="));
  await page.waitForTimeout(300);
  const asked = await state(page);
  const theme = await page.evaluate(() => document.documentElement.dataset.theme);
  const link = await page.evaluate(() => location.href);
  await show(page, link);
  const found = await state(page);
  assert.equal(found.frame, asked.frame);
  assert.equal(found.colour, "twist");
  assert.equal(found.shown.stripes, false);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
  found.view.forEach((x, i) => assert.ok(Math.abs(x - asked.view[i]) < 2e-3, `camera: ${found.view} and ${asked.view}`));
}

export async function phone(page, address, out) {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 390, height: 844 });
  await show(page, address);
  await page.keyboard.press("End");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `the page is ${wide} pixels wide`);
  assert.ok((await drawn(page)).pixels > 300);
  await page.screenshot({ path: join(out, `${name(address)}-phone.png`) });
  await page.click('[data-page="parameters"]');
  assert.match(await page.textContent("#page-parameters"), /viscosity/);
  await page.screenshot({ path: join(out, `${name(address)}-phone-parameters.png`) });
  for (const button of await page.locator("header button, footer button, footer select").all()) {
    const box = await button.boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 390, "controls are on the screen");
    assert.ok(box.height >= 24, `a finger hits it: ${box.height}`);
  }
}
