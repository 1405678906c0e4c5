import sharp from "sharp";
import { logoRules } from "@arcada/contract/institution/institution.calls";
import type { LogoAdvice, LogoPlace } from "@arcada/contract/institution/institution.calls";
import { refuse } from "../kernel/refuse.ts";
import { lookAtLogo } from "./logo-look.ts";

/**
 * A picture that somebody sent, made anew as a PNG, so that nothing but its pixels is kept. What it is, its bytes say.
 * Refuses logoTooLarge, logoUnreadable, logoNotWhite, logoWhite.
 */
export async function readLogo(place: LogoPlace, base64: string): Promise<{ png: Uint8Array; advice: LogoAdvice[] }> {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > logoRules.bytes) refuse("logoTooLarge", { image: "logoTooLarge" });
  const { data, info } = await decoded(bytes).catch(() => refuse("logoUnreadable", { image: "logoUnreadable" }));
  const { refusal, advice } = lookAtLogo(place, { data, width: info.width, height: info.height });
  if (refusal) refuse(refusal, { image: refusal });
  const png = await sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } })
    .png()
    .toBuffer();
  return { png, advice };
}

const signs = [Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.from([0xff, 0xd8, 0xff])];
const pixelsMost = 40_000_000;

/** sharp works in threads of its own. */
async function decoded(bytes: Buffer) {
  if (!signs.some((sign) => bytes.subarray(0, sign.length).equals(sign))) throw new Error("neither PNG nor JPEG");
  return sharp(bytes, { limitInputPixels: pixelsMost, failOn: "error" })
    .rotate()
    .resize({
      width: logoRules.width * logoRules.scale,
      height: logoRules.height * logoRules.scale,
      fit: "inside",
      withoutEnlargement: true,
    })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
}
