// Maps are perceptually uniform, and safe for the colour-blind.

import assert from "node:assert/strict";
import { test } from "node:test";
import { diverging, LINEAR, MAPS, RODS, sequential, table } from "../../src/colours.js";

/** Linear light as seen without one kind of cone (Machado et al. 2009, severity 1). */
const SIGHTS = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

const linear = (byte) => (byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);

/** OKLab coordinates (Ottosson 2020) of an sRGB colour, as seen by someone. */
function seen(colour, sight) {
  const [r, g, b] = sight.map((row) => Math.max(0, row.reduce((sum, k, i) => sum + k * linear(colour[i]), 0)));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

const distance = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));
const steps = (map, sight, n = 16) => Array.from({ length: n + 1 }, (_, i) => seen(map(i / n), sight));

test("the sequential map gets lighter in even steps, whoever looks", () => {
  for (const [name, sight] of Object.entries(SIGHTS)) {
    const all = steps(sequential, sight);
    const rises = all.slice(1).map((colour, i) => colour[0] - all[i][0]);
    assert.ok(Math.min(...rises) > 0.015, `${name}: ${rises}`);
  }
  const all = steps(sequential, SIGHTS.normal);
  const lightness = all.slice(1).map((colour, i) => colour[0] - all[i][0]);
  assert.ok(Math.max(...lightness) < 1.15 * Math.min(...lightness), `${lightness}`);
  const ways = all.slice(1).map((colour, i) => distance(colour, all[i]));
  assert.ok(Math.max(...ways) < 1.8 * Math.min(...ways), `${ways}`);
});

test("the other maps get lighter in even steps, too", () => {
  for (const name of ["ember", "grey"]) {
    for (const [whose, sight] of Object.entries(SIGHTS)) {
      const all = steps(MAPS[name].map, sight);
      const rises = all.slice(1).map((colour, i) => colour[0] - all[i][0]);
      assert.ok(Math.min(...rises) > 0.015, `${name}, ${whose}: ${rises}`);
    }
  }
});

test("the diverging map is even in lightness and its ends differ, whoever looks", () => {
  for (const [name, sight] of Object.entries(SIGHTS)) {
    const all = steps(diverging, sight);
    assert.ok(distance(all[0], all[16]) > 0.15, `${name}: ends ${distance(all[0], all[16])}`);
    const middle = all[8][0];
    for (let i = 0; i < 8; i++) {
      assert.ok(all[i][0] < all[i + 1][0] && all[16 - i][0] < all[15 - i][0], `${name}: lightest in the middle`);
      assert.ok(all[i][0] < middle);
    }
  }
  for (let i = 0; i < 8; i++) {
    const [a, b] = [seen(diverging(i / 16), SIGHTS.normal)[0], seen(diverging(1 - i / 16), SIGHTS.normal)[0]];
    assert.ok(Math.abs(a - b) < 0.02, `${a} and ${b}`);
  }
});

test("rods differ from each other, whoever looks", () => {
  for (const [name, sight] of Object.entries(SIGHTS)) {
    const all = RODS.map((colour) => seen(colour, sight));
    for (let i = 0; i < all.length; i++) {
      for (let j = 0; j < i; j++) assert.ok(distance(all[i], all[j]) > 0.045, `${name}: rods ${j} and ${i}: ${distance(all[i], all[j])}`);
    }
  }
});

test("no colour of a map lies outside what screens show", () => {
  for (const [name, map] of Object.entries(LINEAR)) {
    for (let i = 0; i <= 64; i++) assert.ok(map(i / 64).every((x) => x > -0.004 && x < 1.004), `${name}(${i / 64}): ${map(i / 64)}`);
  }
  assert.equal(table(sequential).length, 1024);
  assert.deepEqual([...table(sequential).slice(0, 4)], [...sequential(0), 255]);
});
