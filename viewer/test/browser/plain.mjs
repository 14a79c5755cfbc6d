// A browser without WebGL: all but the picture is there, and the page says why.

import assert from "node:assert/strict";
import { join } from "node:path";

export async function plain(page, address, out) {
  await page.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return /webgl/.test(kind) ? null : getContext.call(this, kind, ...rest);
    };
  });
  await page.goto(address);
  await page.waitForFunction(() => window.writhe?.work.length > 0);
  assert.match(await page.textContent("#without"), /^The rods are not drawn, because this browser has no WebGL.2/);
  assert.ok(await page.isVisible("#without"));
  for (const id of ["canvas", "legend", "corner", "picked"]) assert.ok(await page.isHidden(`#${id}`), id);
  assert.ok(await page.isHidden('[data-page="look"]'));
  // Curves, time and parameters.
  const inked = () =>
    page.evaluate(() => {
      const canvas = document.querySelector(".plot canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((x, i) => i % 4 === 3 && x > 0).length;
    });
  assert.ok((await inked()) > 500, "curves are drawn");
  const before = await page.textContent("#now");
  const mark = await page.locator(".plot .mark").first().boundingBox();
  await page.keyboard.press("End");
  assert.notEqual(await page.textContent("#now"), before);
  assert.ok((await page.locator(".plot .mark").first().boundingBox()).x > mark.x + 50, "the mark moved");
  await page.keyboard.press("Home");
  await page.click("#play");
  await page.waitForFunction(() => window.writhe.frame > 1, null, { timeout: 30_000 });
  await page.click("#play");
  await page.click('[data-page="parameters"]');
  assert.match(await page.textContent("#page-parameters"), /young/);
  await page.click('[data-page="curves"]');
  await page.check('input[value="contacts"]');
  assert.match(await page.textContent("#curves"), /contacts/);
  // What needs the picture says so.
  await page.keyboard.press("Escape");
  for (const key of ["0", "q", "2", "n", "z", "p", "r", "d"]) {
    await page.keyboard.press(key);
    assert.match(await page.textContent("#toast"), /does not draw the rods/, key);
  }
  await page.waitForFunction(() => location.hash.includes("curves="));
  await page.reload();
  await page.waitForFunction(() => window.writhe?.work.length > 0);
  assert.match(await page.textContent("#curves"), /contacts/, "a link keeps the curves");
  await page.screenshot({ path: join(out, "plain.png") });
}
