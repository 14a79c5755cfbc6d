// A link to a moment: what is seen, in the part of the address after #.

/** The part after # for what is seen. */
export function toHash({ time, colour, view, hidden, curves, theme, flow }) {
  const parts = [`t=${time}`, `colour=${colour}`, `view=${view.join(",")}`];
  if (hidden.length) parts.push(`hide=${hidden.join(",")}`);
  if (curves) parts.push(`curves=${curves.join(",")}`);
  if (flow) parts.push(`flow=${flow}`);
  if (theme) parts.push(`theme=${theme}`);
  return `#${parts.join("&")}`;
}

/** What the part after # says; what makes no sense is left out. */
export function fromHash(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const seen = {};
  const time = Number.parseFloat(given.get("t"));
  if (Number.isFinite(time)) seen.time = time;
  if (given.has("colour")) seen.colour = given.get("colour");
  const view = (given.get("view") ?? "").split(",").map(Number);
  const apart = Math.hypot(view[0] - view[3], view[1] - view[4], view[2] - view[5]);
  if (view.length === 6 && view.every(Number.isFinite) && apart > 0) seen.view = view;
  const list = (name) => given.get(name).split(",").filter(Boolean);
  if (given.has("hide")) seen.hidden = list("hide");
  if (given.has("curves")) seen.curves = list("curves");
  if (given.has("flow")) seen.flow = given.get("flow");
  if (["dark", "light"].includes(given.get("theme"))) seen.theme = given.get("theme");
  return seen;
}
