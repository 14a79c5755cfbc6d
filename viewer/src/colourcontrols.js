// Map, range and scale of the colours: the choice in the panel.

import { MAPS } from "./colours.js";
import { number, typed } from "./format.js";

const byId = (id) => document.getElementById(id);

export class ColourControls {
  /** `changed` is called when colours mean something else; `ofMoment` takes the range from what is shown, and says whether there is one. */
  constructor(colouring, { changed, ofMoment }) {
    this.colouring = colouring;
    this.changed = changed;
    byId("map").append(new Option("as suits the field", ""), ...Object.entries(MAPS).map(([name, { label }]) => new Option(label, name)));
    byId("map").addEventListener("change", ({ target }) => {
      colouring.chosenMap = target.value || null;
      changed();
    });
    byId("log").addEventListener("change", ({ target }) => {
      colouring.log = target.checked;
      changed();
    });
    for (const id of ["low", "high"]) byId(id).addEventListener("change", () => this.take());
    byId("range-now").addEventListener("click", () => {
      ofMoment();
      changed();
    });
    byId("range-run").addEventListener("click", () => {
      colouring.reset();
      changed();
    });
  }

  knows(map) {
    return map !== undefined && map in MAPS;
  }

  /** Takes the range that is typed; where it is none, the fields say so and go back when they are left alone. */
  take() {
    const range = this.colouring.range;
    // What was not touched keeps all its digits.
    const [low, high] = ["low", "high"].map((id) => (byId(id).value === number(range[id]) ? range[id] : typed(byId(id).value)));
    const good = this.colouring.choose(low, high);
    for (const id of ["low", "high"]) byId(id).setAttribute("aria-invalid", String(!good));
    if (good) this.changed();
  }

  tell() {
    const { field, log, chosenMap } = this.colouring;
    byId("range").hidden = !field;
    if (!field) return;
    const { low, high } = this.colouring.range;
    byId("map").value = chosenMap ?? "";
    byId("log").checked = log;
    byId("low").value = number(low);
    byId("high").value = number(high);
    for (const id of ["low", "high"]) byId(id).setAttribute("aria-invalid", "false");
    byId("range-unit").textContent = field.unit === "1" ? "" : field.unit;
  }
}
