// Numbers for readers.

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A number with this many significant digits; powers of ten where it is very large or small. */
export function number(x, digits = 3) {
  if (x === 0) return "0";
  if (!Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  if (size >= 1e-3 && size < 1e5) return sign(String(Number(x.toPrecision(digits))));
  const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
  const power = [...exponent.replace("+", "")].map((c) => (c === "-" ? "⁻" : SUPERSCRIPTS[c])).join("");
  return `${sign(String(Number(mantissa)))} × 10${power}`;
}

const sign = (text) => text.replace("-", "−");

const PREFIXES = [["k", 1e3], ["", 1], ["m", 1e-3], ["µ", 1e-6], ["n", 1e-9], ["p", 1e-12]];
const PREFIXED = new Set(["m", "N", "J", "s", "m/s"]);

/** The unit with the prefix that suits numbers up to x, and its size; no unit for a pure number. */
export function scaled(x, unit) {
  if (unit === "1") return { unit: "", size: 1 };
  if (!PREFIXED.has(unit) || x === 0 || !Number.isFinite(x)) return { unit, size: 1 };
  const [prefix, size] = PREFIXES.find(([, size]) => Math.abs(x) >= 0.9995 * size) ?? PREFIXES.at(-1);
  return { unit: prefix + unit, size };
}

/** A number with its unit, with a prefix where the unit takes one; a pure number alone. */
export function quantity(x, unit, digits = 3) {
  const of = scaled(x, unit);
  return `${number(x / of.size, digits)} ${of.unit}`.trim();
}

/** Part of the greatest number of a kind below which a number is what rounding leaves of zero. */
const NOISE = 1e-12;

/** The number, or 0 where it is rounding noise beside numbers of this size. */
export const denoised = (x, size) => (Math.abs(x) < NOISE * size ? 0 : x);

/** The largest of 1, 2, 5 times a power of ten that is at most x. */
export function niceBelow(x) {
  const decade = 10 ** Math.floor(Math.log10(x));
  const part = x / decade;
  return decade * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
}

/** Words of a name in code. */
export const words = (name) => name.replaceAll("_", " ");

/** A number that somebody typed, with a comma or a full stop; NaN for what is none. */
export function typed(text) {
  const digits = [...text.trim().replace(",", ".").replaceAll("−", "-").replace("⁻", "-")].map((c) => (SUPERSCRIPTS.includes(c) ? String(SUPERSCRIPTS.indexOf(c)) : c)).join("");
  const plain = digits.replace(/\s*[×x*]\s*10\^?/, "e");
  return plain === "" ? NaN : Number(plain);
}
