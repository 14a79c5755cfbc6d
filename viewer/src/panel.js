// The panel beside the picture: what is shown, curves, parameters, keys.

import { words } from "./format.js";

const byId = (id) => document.getElementById(id);
const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

/** Shows a page of the panel, or hides the panel for null. */
export function openPanel(name) {
  const panel = byId("panel");
  panel.hidden = name === null;
  for (const button of document.querySelectorAll("[data-page]")) {
    const here = button.dataset.page === name;
    button.setAttribute("aria-expanded", String(here));
    if (here) byId("panel-title").textContent = button.textContent;
  }
  for (const page of panel.querySelectorAll("section")) page.hidden = page.id !== `page-${name}`;
}

/** Shows a page of the panel and moves the focus there, or hides the panel if it shows that page. */
export function togglePanel(name) {
  const panel = byId("panel");
  const open = !panel.hidden && !byId(`page-${name}`).hidden;
  openPanel(open ? null : name);
  if (!open) panel.focus();
}

/** A choice of one: radio buttons. */
export function radios(host, name, options, onChoose) {
  for (const { value, label, unit, key } of options) {
    const input = element("input", { type: "radio", name, value });
    input.addEventListener("change", () => onChoose(value));
    const row = element("label", { className: "choice" }, input, label);
    if (unit) row.append(` (${unit})`);
    if (key) row.append(element("kbd", { textContent: key }));
    host.append(row);
  }
}

/** Switches. */
export function switches(host, options, onChange) {
  for (const { value, label, key } of options) {
    const input = element("input", { type: "checkbox", name: "shown", value });
    input.addEventListener("change", () => onChange(value, input.checked));
    const row = element("label", { className: "choice" }, input, label);
    if (key) row.append(element("kbd", { textContent: key }));
    host.append(row);
  }
}

/** The list of columns to draw as curves, by the names that people say. */
export function columnList(run, names, onChange) {
  const host = byId("columns");
  run.setting.columns.forEach(({ name, unit }, i) => {
    const input = element("input", { type: "checkbox", name: "column", value: name });
    input.addEventListener("change", onChange);
    const row = element("label", { className: "choice", title: `${name} in observables.csv` }, input, names[i], element("span", { className: "unit", textContent: unit === "1" ? "" : unit }));
    row.dataset.find = `${names[i]} ${words(name)} ${name}`.toLowerCase();
    host.append(row);
  });
  byId("find").addEventListener("input", (event) => {
    const wanted = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of host.children) row.hidden = !wanted.every((word) => row.dataset.find.includes(word));
  });
}

/** Tables of names and values. */
export function parameters({ summary, parameters: sections }) {
  const host = byId("page-parameters");
  const all = [...(summary.length ? [{ name: "run", entries: summary }] : []), ...sections];
  const table = (entries) => element("table", {}, ...entries.map(([name, value]) => element("tr", {}, element("th", { scope: "row", textContent: words(name) }), element("td", { textContent: value }))));
  host.replaceChildren(...all.flatMap(({ name, entries }) => [element("h2", { textContent: name || "scene" }), table(entries)]));
}

export function keyTable(keys) {
  const rows = keys.map(({ shown, what }) => element("tr", {}, element("th", { scope: "row" }, ...shown.flatMap((key) => [element("kbd", { textContent: key }), " "])), element("td", { textContent: what })));
  byId("page-help").replaceChildren(
    element("p", { textContent: "Drag to turn, right-drag or two fingers to move, wheel or pinch to zoom. Click a contact or a rod to read its numbers; click a curve to go there." }),
    element("table", {}, ...rows),
  );
}
