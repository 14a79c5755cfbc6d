// Numbers of what is picked.

import { quantity } from "./format.js";

export function tellContact(box, { rods, arcs, gap, force }, { picked, current }) {
  const rows = [["force", quantity(force, "N")], ["gap", quantity(gap, "m")]];
  [0, 1].forEach((k) => rows.push([`rod ${rods[k]} at`, quantity(arcs[k], "m")]));
  fill(box, `Contact ${picked + 1} of ${current.length}`, rows);
}

export function tellNode(box, { rod, node }, run, frame) {
  const rows = run.setting.fields.map(({ label, unit }, i) => {
    const { codes, values } = run.field(i, frame);
    return [label, quantity(values[codes[node] + 32768], unit)];
  });
  fill(box, `Rod ${rod}, node ${node - run.rods[rod].firstNode}`, rows);
}

function fill(box, title, rows) {
  const list = document.createElement("dl");
  for (const [name, value] of rows) {
    list.append(Object.assign(document.createElement("dt"), { textContent: name }), Object.assign(document.createElement("dd"), { textContent: value }));
  }
  box.replaceChildren(Object.assign(document.createElement("strong"), { textContent: title }), list);
}
