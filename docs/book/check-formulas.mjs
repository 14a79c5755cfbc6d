// Sets every formula of the book, and fails where KaTeX does not know one: node check-formulas.mjs
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

const katex = createRequire(import.meta.url)("./src/katex/katex.min.js");
const chapters = new URL("./src/", import.meta.url);
const wrong = [];
let count = 0;

for (const name of readdirSync(chapters).filter((name) => name.endsWith(".md"))) {
  const text = readFileSync(new URL(name, chapters), "utf8");
  const blocks = [...text.matchAll(/```math\n(.*?)```/gs)].map((match) => [match[1], true]);
  const inline = [...text.matchAll(/\$`([^`]+)`\$/g)].map((match) => [match[1], false]);
  for (const [tex, displayMode] of [...blocks, ...inline]) {
    count += 1;
    try {
      katex.renderToString(tex, { displayMode, strict: "error" });
    } catch (error) {
      wrong.push(`${name}: ${tex.trim()}\n  ${error.message}`);
    }
  }
}

if (count < 80) wrong.push(`only ${count} formulas were found`);
if (wrong.length > 0) {
  console.error(wrong.join("\n"));
  process.exit(1);
}
console.log(`${count} formulas`);
