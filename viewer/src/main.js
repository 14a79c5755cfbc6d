// The page: puts the parts together.

import { readBlock, unpacked } from "./blocks.js";
import { Run } from "./run.js";
import { Viewer } from "./viewer.js";

const read = (id) => document.getElementById(id)?.textContent;

function fail(message) {
  const box = Object.assign(document.createElement("p"), { className: "failure", textContent: message });
  box.setAttribute("role", "alert");
  document.getElementById("app").replaceChildren(box);
}

/** Asks the server for frames until the run is over; calls `onBlock` when there are new ones. */
async function follow(run, onBlock, onEnd) {
  for (let failures = 0; ; ) {
    try {
      const answer = await fetch(`block?from=${run.next}`);
      if (!answer.ok) throw new Error(await answer.text());
      const before = run.next;
      run.add(readBlock(await answer.arrayBuffer()));
      failures = 0;
      if (run.next > before) onBlock();
      if (run.ended) return onEnd(`The run has ${run.ended}.`);
    } catch {
      if (++failures === 5) return onEnd("The program that served this page has ended.");
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function start() {
  const setting = JSON.parse(read("setting"));
  const run = new Run(setting);
  const text = read("block");
  if (text) run.add(await unpacked(text));
  let viewer = run.frames ? new Viewer(run) : null;
  if (setting.live) {
    await follow(
      run,
      () => {
        if (viewer) viewer.grown();
        else if (run.frames) viewer = new Viewer(run);
      },
      (message) => (viewer ? viewer.tell(message) : fail(message)),
    );
  } else if (!viewer) fail("This run has no frame.");
}

start().catch((error) => {
  const old = typeof DecompressionStream === "undefined";
  fail(old ? "This browser is too old for this page: it needs one of May 2023 or later." : `The page cannot show this run: ${error.message}`);
  throw error;
});
