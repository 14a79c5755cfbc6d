// A link to a moment: what is seen, in the part of the address after #.

/** The part after # for what is seen. */
export function toHash({ time, colour, view, hidden, shown = [], curves, theme, flow, rods, rod, map, log, range, flat, loop, speed, play }) {
  const parts = [`t=${time}`, `colour=${colour}`];
  if (view) parts.push(`view=${view.join(",")}`);
  if (hidden.length) parts.push(`hide=${hidden.join(",")}`);
  if (shown.length) parts.push(`show=${shown.join(",")}`);
  if (curves) parts.push(`curves=${curves.join(",")}`);
  if (flow) parts.push(`flow=${flow}`);
  if (rods) parts.push(`rods=${rods}`);
  if (rod !== undefined && rod !== null) parts.push(`rod=${rod}`);
  if (map) parts.push(`map=${map}`);
  if (log) parts.push("log=1");
  if (range) parts.push(`range=${range.join(",")}`);
  if (flat) parts.push("flat=1");
  if (loop) parts.push(`loop=${loop.join(",")}`);
  if (speed !== undefined && speed !== null) parts.push(`speed=${speed}`);
  if (play) parts.push("play=1");
  if (theme) parts.push(`theme=${theme}`);
  return `#${parts.join("&")}`;
}

/** What pictures and exports call by another name than the page. */
const CALLED = { contact_force: "force", one: "plain" };

/** What the part after # says; what makes no sense is left out. */
export function fromHash(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const seen = {};
  const number = (name) => {
    const value = given.get(name);
    return value !== null && value !== "" && Number.isFinite(Number(value)) ? Number(value) : undefined;
  };
  const numbers = (name) => (given.get(name) ?? "").split(",").map((part) => (part === "" ? NaN : Number(part)));
  const list = (name) => given.get(name).split(",").filter(Boolean);
  const put = (name, value) => value !== undefined && (seen[name] = value);
  put("time", number("t"));
  if (given.has("colour")) seen.colour = CALLED[given.get("colour")] ?? given.get("colour");
  const view = numbers("view");
  const apart = Math.hypot(view[0] - view[3], view[1] - view[4], view[2] - view[5]);
  if (view.length === 6 && view.every(Number.isFinite) && apart > 0) seen.view = view;
  if (given.has("hide")) seen.hidden = list("hide");
  if (given.has("show")) seen.shown = list("show");
  if (given.has("curves")) seen.curves = list("curves");
  for (const name of ["flow", "rods", "map"]) if (given.get(name)) seen[name] = given.get(name);
  const rod = number("rod");
  if (Number.isInteger(rod) && rod >= 0) seen.rod = rod;
  const range = numbers("range");
  if (range.length === 2 && range[1] > range[0]) seen.range = range;
  const loop = numbers("loop");
  if (loop.length === 2 && loop[1] > loop[0]) seen.loop = loop;
  const speed = number("speed");
  if (Number.isInteger(speed)) seen.speed = speed;
  for (const name of ["log", "flat", "play"]) if (given.get(name) === "1") seen[name] = true;
  if (["dark", "light"].includes(given.get("theme"))) seen.theme = given.get("theme");
  return seen;
}
