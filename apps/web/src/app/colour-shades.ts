/** Ten shades of a colour, light to dark, as Mantine wants them; shade 6 carries white text with at least 5.5:1. */
export function createShades(hex: string): string[] {
  const [, chroma, hue] = toOklch(hex);
  const strong = darkenToContrast(hex, 5.5);
  const [bottom] = toOklch(strong);
  const above = [0.975, 0.945, 0.89, 0.82, 0.745, 0.67].map((light, place) =>
    fromOklch(Math.max(light, bottom + 0.02 * (6 - place)), chroma * [0.12, 0.25, 0.45, 0.68, 0.85, 0.97][place]!, hue),
  );
  const below = [0.055, 0.11, 0.17].map((step) => fromOklch(Math.max(0.1, bottom - step), chroma * 0.92, hue));
  return [...above, strong, ...below];
}

/** WCAG 2.2 contrast of two colours. */
export function contrastRatio(one: string, other: string): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function darkenToContrast(hex: string, against: number): string {
  const [light, chroma, hue] = toOklch(hex);
  for (let at = light; at > 0; at -= 0.005) {
    const candidate = fromOklch(at, chroma, hue);
    if (contrastRatio(candidate, "#ffffff") >= against) return candidate;
  }
  return "#000000";
}

type Triple = [number, number, number];
const channels = (hex: string): Triple =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as Triple;
const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const gamma = (value: number): number => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);

function luminance(hex: string): number {
  const [r, g, b] = channels(hex).map(linear) as Triple;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// Björn Ottosson, "A perceptual color space for image processing", 2020: sRGB to OKLab and back.
function toOklch(hex: string): Triple {
  const [r, g, b] = channels(hex).map(linear) as Triple;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, Math.hypot(a, bb), Math.atan2(bb, a)];
}

/** Outside the sRGB gamut the chroma is reduced, never the hue. */
function fromOklch(light: number, chroma: number, hue: number): string {
  for (let c = chroma; ; c *= 0.95) {
    const rgb = toRgb(light, c, hue);
    if (c < 0.001 || rgb.every((value) => value > -0.001 && value < 1.001)) return `#${rgb.map(toHexByte).join("")}`;
  }
}

function toRgb(light: number, chroma: number, hue: number): Triple {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

const toHexByte = (value: number): string =>
  Math.round(Math.min(1, Math.max(0, value)) * 255)
    .toString(16)
    .padStart(2, "0");
