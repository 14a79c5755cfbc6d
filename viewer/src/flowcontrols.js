// Which plane shows the flow: the choice in the panel, by keys, and in a link.

import { quantity } from "./format.js";

const byId = (id) => document.getElementById(id);
const AXES = ["x", "y", "z"];

export class FlowControls {
  /** `changed` is called when another plane is chosen. */
  constructor(flow, changed) {
    this.flow = flow;
    this.changed = changed;
    const axes = [0, 1, 2].filter((normal) => flow.has(normal));
    byId("flow").hidden = axes.length === 0;
    for (const normal of axes) byId("flow-plane").append(new Option(`across ${AXES[normal]}`, String(normal)));
    byId("flow-plane").addEventListener("change", ({ target }) => this.choose(target.value === "" ? null : Number(target.value)));
    byId("flow-place").addEventListener("input", ({ target }) => this.choose(flow.normal, Number(target.value)));
    this.tell();
  }

  choose(normal, place) {
    this.flow.choose(normal, place);
    this.tell();
    this.changed();
  }

  /** The next axis, or none after the last; false where there is no flow. */
  cycle() {
    if (!this.flow.planes.length) return false;
    const from = this.flow.normal === null ? 0 : this.flow.normal + 1;
    this.choose([0, 1, 2].find((normal) => normal >= from && this.flow.has(normal)) ?? null);
    return true;
  }

  move(by) {
    if (this.flow.plane) this.choose(this.flow.normal, this.flow.place + by);
  }

  tell() {
    const { plane, normal, place } = this.flow;
    byId("flow-plane").value = plane ? String(normal) : "";
    byId("flow-at").hidden = !plane;
    if (!plane) return;
    byId("flow-place").max = String(this.flow.across(normal).length - 1);
    byId("flow-place").value = String(place);
    byId("flow-told").textContent = this.words;
    byId("flow-place").setAttribute("aria-valuetext", this.words);
  }

  /** Where the plane is. */
  get words() {
    const { at, normal } = this.flow.plane;
    return `${AXES[normal]} = ${quantity(at, "m")}`;
  }

  /** As in a link; nothing where no plane is shown. */
  get link() {
    return this.flow.plane ? `${AXES[this.flow.normal]}${this.flow.place}` : null;
  }

  restore(link) {
    const [, axis, place] = /^([xyz])(\d)$/.exec(link ?? "") ?? [];
    this.choose(axis ? AXES.indexOf(axis) : null, axis ? Number(place) : undefined);
  }

  /** What the legend says: speed at the end of the colours, m/s, where the plane is, how fine it is, m; null where it shows nothing. */
  legend() {
    const { plane, fastest } = this.flow;
    return plane && this.flow.run.flowFrames.length ? { fastest, place: this.words, spacing: plane.spacing } : null;
  }
}
