/** sRGB bytes, as scan files hold them, to 16-bit linear light, as shaders mix it. Source: IEC 61966-2-1. */
export function convertSrgbToLinear(bytes: Uint8Array): Uint16Array {
  const out = new Uint16Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) out[at] = table[bytes[at] ?? 0] ?? 0;
  return out;
}

const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  const light = byte / 255;
  return Math.round(65535 * (light <= 0.04045 ? light / 12.92 : ((light + 0.055) / 1.055) ** 2.4));
});
