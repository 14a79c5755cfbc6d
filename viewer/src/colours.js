// Colours of rods and maps from scalars to colours: those of the crate writhe-render, so that pages and pictures agree.

/** Okabe and Ito's set for the colour-blind, in an order that keeps the first ones far apart. */
export const RODS = [
  [0, 114, 178],
  [230, 159, 0],
  [0, 158, 115],
  [213, 94, 0],
  [86, 180, 233],
  [204, 121, 167],
  [240, 228, 66],
];

/** Linear red, green, blue of a colour in OKLCH (Ottosson 2020): lightness 0 to 1, chroma, hue in degrees. */
export function oklch(lightness, chroma, hue) {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function encoded(linear) {
  const x = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
}

/** The parabola through three values at 0, 1/2 and 1. */
const quadratic = (a, b, c, t) => a * (1 - t) * (1 - 2 * t) + 4 * b * t * (1 - t) + c * t * (2 * t - 1);

/** Maps in linear light. */
export const LINEAR = {
  sequential: (t) => oklch(0.36 + 0.54 * t, quadratic(0.15, 0.105, 0.175, t), 295 - 190 * t),
  diverging: (t) => {
    const away = Math.abs(2 * t - 1);
    return oklch(0.9 - 0.42 * away, 0.15 * away, t < 0.5 ? 255 : 30);
  },
  ember: (t) => oklch(0.28 + 0.66 * t, quadratic(0.085, 0.152, 0.06, t), 10 + 85 * t),
  grey: (t) => oklch(0.28 + 0.66 * t, 0, 0),
};

/** Dark violet over teal to yellow; lightness grows linearly. */
export const sequential = (t) => LINEAR.sequential(t).map(encoded);

/** Blue over light grey to red, symmetric in lightness; for signed quantities. */
export const diverging = (t) => LINEAR.diverging(t).map(encoded);

/** Maps by name, with what they are called. */
export const MAPS = {
  sequential: { label: "violet, teal, yellow", map: sequential },
  diverging: { label: "blue, grey, red", map: diverging },
  ember: { label: "dark red to yellow", map: (t) => LINEAR.ember(t).map(encoded) },
  grey: { label: "grey", map: (t) => LINEAR.grey(t).map(encoded) },
};

/** A map as 256 colours, red, green, blue, alpha. */
export function table(map) {
  const bytes = new Uint8Array(4 * 256);
  for (let i = 0; i < 256; i++) bytes.set([...map(i / 255), 255], 4 * i);
  return bytes;
}

export const css = ([r, g, b]) => `rgb(${r}, ${g}, ${b})`;
