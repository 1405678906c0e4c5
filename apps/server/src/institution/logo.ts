import { logoRules } from "@arcada/contract/institution/institution.calls";
import type { LogoWarning, LogoPosition } from "@arcada/contract/institution/institution.calls";
import { redrawImage } from "../platform/storage/image-copy.ts";
import { refuse } from "../platform/http/refuse.ts";
import { checkLogoVisibility } from "./logo-visibility.ts";

/**
 * Re-encodes an uploaded image as a PNG, so that nothing but its pixels is kept. The format is recognised by the bytes.
 * Refuses logoTooLarge, pictureTooLarge, pictureBusy, logoUnreadable, logoNotWhite, logoWhite.
 */
export async function readLogo(
  person: string,
  place: LogoPosition,
  base64: string,
): Promise<{ png: Uint8Array; advice: LogoWarning[] }> {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > logoRules.bytes) refuse("logoTooLarge", { image: "logoTooLarge" });
  const size = { width: logoRules.width * logoRules.scale, height: logoRules.height * logoRules.scale };
  const task = { source: { bytes }, ...size, as: "png", kinds: ["jpeg", "png"], withPixels: true } as const;
  const reencoded = await redrawImage(person, task, { unreadable: "logoUnreadable", field: "image" });
  const { refusal, advice } = checkLogoVisibility(place, {
    data: reencoded.pixels!,
    width: reencoded.width,
    height: reencoded.height,
  });
  if (refusal) refuse(refusal, { image: refusal });
  return { png: reencoded.bytes, advice };
}
