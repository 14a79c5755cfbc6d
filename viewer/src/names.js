// Names of observables as people say them.

import { words } from "./format.js";

const SAID = {
  energy_stretch: "stretching energy",
  energy_bend: "bending energy",
  energy_twist: "twisting energy",
  energy_kinetic: "kinetic energy",
  energy_loads: "energy of the loads",
  energy_contact: "contact energy",
  sticking: "sticking contacts",
  creep: "creep of sticking contacts",
  work_loads: "work of the loads",
  work_supports: "work of the supports",
  work_motors: "work of the motors",
  work_contact: "work of the contacts",
  heat_drag: "heat by drag",
  heat_damping: "heat by damping",
  heat_friction: "heat by friction",
  scheme_gain: "energy gained by the time scheme",
  joints_broken: "broken joints",
  obstacle_gap: "gap to the obstacles",
};
/** What belongs to one of several: its kind, its number, and what of it is meant. */
const NUMBERED = /^(rod|body|joint|obstacle|clamp|held_node|held_angle|moved_body|guided_body)(\d+)_(.+)$/;

/** Names of these columns for the reader, in their order. Numbers are left out where there is one of a kind, and a single rod is not named. */
export function spoken(columns, rods) {
  const numbers = new Map();
  for (const { name } of columns) {
    const [, kind, number] = NUMBERED.exec(name) ?? [];
    if (kind) numbers.set(kind, (numbers.get(kind) ?? new Set()).add(number));
  }
  return columns.map(({ name }) => {
    const [, kind, number, what] = NUMBERED.exec(name) ?? [];
    if (!kind) return SAID[name] ?? words(name);
    if (kind === "rod") return rods === 1 ? words(what) : `rod ${number} ${words(what)}`;
    return numbers.get(kind).size === 1 ? `${words(kind)} ${words(what)}` : `${words(kind)} ${number} ${words(what)}`;
  });
}
