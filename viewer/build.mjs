// Makes the folder `bundle` of the crate writhe-viewer from `src`; with --check, says whether it is up to date.

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const bundle = (name) => here(`../crates/writhe-viewer/bundle/${name}`);

async function built(entry, options) {
  const result = await esbuild.build({
    entryPoints: [here(`src/${entry}`)],
    bundle: true,
    minify: true,
    write: false,
    charset: "ascii",
    legalComments: "inline",
    target: ["es2022"],
    ...options,
  });
  return result.outputFiles[0].text;
}

const files = {
  // No text of the program may end the script that it stands in.
  "viewer.js": (await built("main.js", { format: "iife" })).replaceAll("</script", "<\\/script"),
  "viewer.css": await built("style.css", {}),
  "body.html": await readFile(here("src/body.html"), "utf8"),
};

const check = process.argv.includes("--check");
let stale = [];
for (const [name, text] of Object.entries(files)) {
  if (!check) await writeFile(bundle(name), text);
  else if (text !== (await readFile(bundle(name), "utf8").catch(() => ""))) stale.push(name);
  console.log(`${name}: ${(text.length / 1000).toFixed(0)} kB`);
}
if (stale.length) {
  console.error(`crates/writhe-viewer/bundle is not what viewer/src makes: ${stale.join(", ")}; run \`npm run build\` in viewer and commit`);
  process.exit(1);
}
