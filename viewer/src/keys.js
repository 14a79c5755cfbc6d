// The keyboard: what is done often has a key; Tab reaches the rest.

/** What each key does, by name of the action; `shown` is how it is written in the list. */
export const KEYS = [
  { keys: [" "], shown: ["Space"], action: "play", what: "play or pause" },
  { keys: ["ArrowLeft", "ArrowRight"], shown: ["←", "→"], action: "step", what: "one frame back or forth; with Shift ten" },
  { keys: ["Home", "End"], shown: ["Home", "End"], action: "ends", what: "first or last frame" },
  { keys: ["[", "]"], shown: ["[", "]"], action: "speed", what: "slower or faster" },
  { keys: ["a", "d"], shown: ["A", "D"], action: "turn", what: "turn left or right" },
  { keys: ["w", "s"], shown: ["W", "S"], action: "tilt", what: "turn up or down" },
  { keys: ["+", "=", "-"], shown: ["+", "−"], action: "zoom", what: "nearer or farther" },
  { keys: ["0"], shown: ["0"], action: "fit", what: "show all of this moment; again for the whole run" },
  { keys: ["7", "8", "9"], shown: ["7", "8", "9"], action: "along", what: "look along x, y, z; again from the other side" },
  { keys: ["q"], shown: ["Q"], action: "flat", what: "without perspective, or with it" },
  { keys: ["z"], shown: ["Z"], action: "focus", what: "zoom to the contacts, or to the one picked" },
  { keys: ["1", "2", "3", "4", "5", "6"], shown: ["1", "…", "6"], action: "colour", what: "colour by rod, curvature, twist, …" },
  { keys: ["r"], shown: ["R"], action: "record", what: "record a film of what is played; again to end it" },
  { keys: ["<", ">"], shown: ["<", ">"], action: "mark", what: "begin or end the loop here" },
  { keys: ["/"], shown: ["/"], action: "loop", what: "play over and over, or once" },
  { keys: ["j"], shown: ["J"], action: "only", what: "the picked rod alone, or all rods again" },
  { keys: ["u"], shown: ["U"], action: "hide", what: "hide the picked rod" },
  { keys: ["y"], shown: ["Y"], action: "all", what: "show all rods" },
  { keys: ["'", ";"], shown: ["'", ";"], action: "rod", what: "pick the next or the previous rod" },
  { keys: ["t"], shown: ["T"], action: "stripes", what: "twist stripes" },
  { keys: ["c"], shown: ["C"], action: "marks", what: "contacts" },
  { keys: ["f"], shown: ["F"], action: "arrows", what: "contact forces" },
  { keys: ["k"], shown: ["K"], action: "fixtures", what: "clamps and joints" },
  { keys: ["o"], shown: ["O"], action: "obstacles", what: "obstacles and bodies" },
  { keys: ["x"], shown: ["X"], action: "opaque", what: "obstacles opaque, or see-through from outside" },
  { keys: ["e"], shown: ["E"], action: "smooth", what: "smooth rods, or straight edges as computed" },
  { keys: ["g"], shown: ["G"], action: "flow", what: "flow of the fluid on a plane across x, y, z, or none" },
  { keys: [",", "."], shown: [",", "."], action: "plane", what: "move that plane back or forth" },
  { keys: ["n", "b"], shown: ["N", "B"], action: "pick", what: "next or previous contact" },
  { keys: ["h"], shown: ["H"], action: "look", what: "colours, what is shown" },
  { keys: ["v"], shown: ["V"], action: "curves", what: "choose curves" },
  { keys: ["i"], shown: ["I"], action: "parameters", what: "parameters of the run" },
  { keys: ["m"], shown: ["M"], action: "theme", what: "dark or light" },
  { keys: ["l"], shown: ["L"], action: "link", what: "copy link to this moment" },
  { keys: ["p"], shown: ["P"], action: "save", what: "save the picture" },
  { keys: ["?"], shown: ["?"], action: "help", what: "this list" },
  { keys: ["Escape"], shown: ["Esc"], action: "close", what: "close the panel, clear the selection" },
];

/** Calls `actions[action](index of the key, event)`. */
export function listen(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    const types = target.matches?.('input[type="search"], select, input[type="text"], input[type="number"]');
    const slides = target.matches?.('input[type="range"]') && /^(Arrow|Home|End|Page)/.test(event.key);
    const presses = target.matches?.('button, input[type="checkbox"], input[type="radio"]') && /^( |Enter)$/.test(event.key);
    const chooses = target.matches?.('input[type="radio"]') && event.key.startsWith("Arrow");
    if (event.key !== "Escape" && (types || slides || presses || chooses)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const found = KEYS.find(({ keys }) => keys.includes(key));
    if (!found) return;
    event.preventDefault();
    actions[found.action](found.keys.indexOf(key), event);
  });
}
