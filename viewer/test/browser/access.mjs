// For those who see little contrast, or use no pointer.

import assert from "node:assert/strict";
import { show, state } from "./chromium.mjs";

/** Every text on the page: WCAG 2.2, 1.4.3: contrast of at least 4.5. */
export async function contrast(page, address) {
  await show(page, address);
  let least = Infinity;
  for (const theme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: theme });
    await page.waitForFunction((wanted) => document.documentElement.dataset.theme === wanted, theme);
    await page.keyboard.press("n");
    for (const tab of ["look", "curves", "parameters", "help"]) {
      await page.click(`[data-page="${tab}"]`);
      await page.mouse.move(5, 300);
      const found = await page.evaluate(measure);
      assert.ok(found.length > 20, `only ${found.length} texts`);
      for (const { text, ratio } of found) {
        assert.ok(ratio >= 4.5, `${theme}, ${tab}: "${text}" has contrast ${ratio.toFixed(2)}`);
        least = Math.min(least, ratio);
      }
    }
    await page.keyboard.press("Escape");
  }
  return `least contrast ${least.toFixed(1)}`;
}

/** Contrast of each visible text with what is behind it; runs in the page. */
function measure() {
  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const rgba = (css) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = css;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const root = getComputedStyle(document.documentElement);
  const grounds = (element) => {
    for (let e = element; e; e = e.parentElement) {
      // The picture's ground runs from one colour to another.
      if (e.id === "picture") return [root.getPropertyValue("--ground"), root.getPropertyValue("--glow")].map(rgba);
      const colour = rgba(getComputedStyle(e).backgroundColor);
      if (colour[3] > 250) return [colour];
    }
    return [[255, 255, 255, 255]];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (!text || element.closest("script, style, [hidden]") || !element.checkVisibility()) continue;
    const ink = luminance(rgba(element.closest("svg") ? getComputedStyle(element).fill : getComputedStyle(element).color));
    const ratios = grounds(element).map(luminance).map((ground) => (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05));
    found.push({ text: text.slice(0, 30), ratio: Math.min(...ratios) });
  }
  return found;
}

/** Tab reaches every control, which shows that it has the focus; and keys do what the list of keys says. */
export async function keyboard(page, address) {
  await show(page, address);
  await page.keyboard.press("h");
  const controls = await page.evaluate(() => [...document.querySelectorAll("button, input, select, canvas[tabindex]")].filter((e) => e.checkVisibility()).length);
  const reached = new Set();
  const groups = await page.evaluate(() => document.querySelectorAll('input[name="colour"]').length);
  for (let i = 0; i < controls + 10; i++) {
    await page.keyboard.press("Tab");
    const here = await page.evaluate(() => {
      const e = document.activeElement;
      const all = [...document.querySelectorAll("button, input, select, canvas[tabindex]")];
      return { index: all.indexOf(e), outline: getComputedStyle(e).outlineStyle };
    });
    if (here.index < 0) continue;
    assert.notEqual(here.outline, "none", "the focus shows");
    reached.add(here.index);
  }
  // Of the colours one takes the focus; arrows lead to the others.
  assert.equal(reached.size, controls - groups + 1, "Tab reaches every control");
  await page.keyboard.press("Escape");
  assert.ok(await page.isHidden("#panel"));
  const changes = { d: "view", w: "view", "+": "view", 0: "view", 2: "colour", t: "shown", c: "shown", f: "shown", k: "shown", o: "shown", e: "shown", x: "shown", 7: "view", 9: "view", q: "flat", "/": "loop", "'": "rod", "]": "speed", End: "frame", ArrowLeft: "frame" };
  for (const [key, what] of Object.entries(changes)) {
    const before = await state(page);
    await page.keyboard.press(key);
    const after = await state(page);
    assert.notDeepEqual(after[what], before[what], `${key} changes the ${what}`);
  }
  for (const [key, id] of [["v", "page-curves"], ["i", "page-parameters"], ["?", "page-help"], ["h", "page-look"]]) {
    await page.keyboard.press(key);
    assert.ok(await page.isVisible(`#${id}`), `${key} opens ${id}`);
  }
  return `${controls} controls`;
}
