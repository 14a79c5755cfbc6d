// Pages of real runs in a real browser: they open without errors and do what they are asked to.
//
//   WRITHE=target/debug/writhe LARGE_PAGE=target/debug/examples/large_page node test/browser/main.mjs [OUT [NAME..]]
//
// With names, only tests that have one of them in theirs.
// CHROMIUM names the browser (default chromium). Screenshots go to the folder OUT (default target/browser).

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, rmSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { open } from "./chromium.mjs";
import { contrast, keyboard } from "./access.mjs";
import { carries, looks, moves, picks, links, phone } from "./behaviour.mjs";
import { films, stills } from "./film.mjs";
import { flowless, flows, thinFlow, thinned } from "./flow.mjs";
import { follows } from "./live.mjs";
import { plain } from "./plain.mjs";
import { cameras, loops, opens, picksRods, ranges, stripes } from "./rods.mjs";
import { speed } from "./speed.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const out = resolve(process.argv[2] ?? join(root, "target/browser"));
const writhe = resolve(process.env.WRITHE ?? join(root, "target/debug/writhe"));
const largePage = resolve(process.env.LARGE_PAGE ?? join(root, "target/debug/examples/large_page"));
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

/** Runs a scene of the examples and writes its page; its address. */
function page(scene, sets) {
  const args = ["run", join(root, "examples", `${scene}.toml`), "--out", join(out, scene), ...sets.flatMap((set) => ["--set", set])];
  execFileSync(writhe, args, { stdio: ["ignore", "ignore", "inherit"] });
  return pageOf(scene, "view.html");
}

/** Writes a page of a run that is there; its address. */
function pageOf(scene, file, ...args) {
  const to = join(out, scene, file);
  execFileSync(writhe, ["view", join(out, scene), "--no-open", "--out", to, ...args], { stdio: ["ignore", "ignore", "inherit"] });
  return pathToFileURL(to).href;
}

const knot = page("knot", ["time.duration=3", "scene.end_distance=0.6", "output.every=0.1"]);
const flagella = page("flagella", ["scene.count=3", "time.duration=6", "scene.edges=40", "output.every=0.25"]);
/** Megabytes of a page that has this part of the frames and curves of another. */
function part(address, of) {
  const text = readFileSync(new URL(address), "utf8");
  const block = /id="block">([^<]*)</.exec(text)[1].length;
  // A notice of what is left out takes some bytes, too.
  return String((text.length - block + 256 + of * block) / 1e6);
}
const thin = pageOf("knot", "thin.html", "--megabytes", part(knot, 0.4));
const thinnedFlow = pageOf("flagella", "thin.html", "--megabytes", part(flagella, 0.4));
const opening = pageOf("knot", "opening.html", "--look", "colour=curvature", "--play");
const slope = page("slope", ["time.duration=0.2", "output.every=0.01"]);
const arm = page("motor-arm", ["time.duration=1"]);
const large = join(out, "large.html");
execFileSync(largePage, [large]);

const browser = await open();
let failed = 0;
const tests = {
  "the knot plays, scrubs and steps": (page) => moves(page, knot, out),
  "the knot takes colours and switches": (page) => looks(page, knot, out),
  "a contact is picked": (page) => picks(page, knot, out),
  "a link leads to its moment": (page) => links(page, knot),
  "flagella on a phone, dark": (page) => phone(page, flagella, out),
  "an obstacle is drawn": (page) => looks(page, slope, out),
  "bodies and joints move": (page) => carries(page, arm, out),
  "the flow on planes": (page) => flows(page, flagella, out),
  "a run without a fluid has no flow": (page) => flowless(page, knot),
  "a page that is to be small leaves frames out": (page) => thinned(page, thin, 31),
  "a page that is to be small has the flow in some frames": (page) => thinFlow(page, thinnedFlow),
  "a rod is picked, alone, hidden": (page) => picksRods(page, flagella, out),
  "stripes stand out from the ground": (page) => stripes(page, flagella, out),
  "colours over a range": (page) => ranges(page, knot, out),
  "the camera": (page) => cameras(page, knot, out),
  "over and over, and on opening": (page) => loops(page, knot),
  "a page opens as it was told to": (page) => opens(page, opening),
  "a still": (page) => stills(page, knot, out),
  "a film": (page) => films(page, flagella, out),
  "without WebGL": (page) => plain(page, knot, out),
  "text has contrast, dark and light": (page) => contrast(page, knot),
  "the keyboard reaches everything": (page) => keyboard(page, flagella),
  "a run in progress is followed": (page) => follows(page, { writhe, root, out, spawn }),
  "10 rods over 2,500 frames": (page) => speed(page, pathToFileURL(large).href),
};
const wanted = process.argv.slice(3);
for (const [name, test] of Object.entries(tests)) {
  if (wanted.length && !wanted.some((part) => name.includes(part))) continue;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  const errors = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("request", (request) => /^(file|data|blob):|^http:\/\/127\.0\.0\.1/.test(request.url()) || errors.push(`asked for ${request.url()}`));
  try {
    const told = await test(page);
    if (errors.length) throw new Error(`errors in the page: ${errors.join("; ")}`);
    console.log(`ok      ${name}${told ? `: ${told}` : ""}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}: ${error.stack ?? error}${errors.length ? `\n        errors in the page: ${errors.join("; ")}` : ""}`);
  }
  await context.close();
}
await browser.close();
rmSync(large, { force: true });
console.log(`screenshots are in ${out}`);
process.exitCode = failed ? 1 : 0;
