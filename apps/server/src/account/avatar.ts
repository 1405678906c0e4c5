import sharp, { type Sharp } from "sharp";
import { accountRules } from "@arcada/contract/account/account.rules";
import type { AskedContext } from "../kernel/asker.ts";
import { refuse } from "../kernel/refuse.ts";
import { files } from "../kernel/services.ts";
import { readIcon } from "./ico.ts";

interface Asked {
  headerImg?: string | null | undefined;
}
const drawn = new WeakMap<Asked, Buffer>();

/** Before the transaction: a picture that takes seconds to draw must not hold a connection to the database meanwhile. */
export async function drawAvatar(input: Asked): Promise<void> {
  if (typeof input.headerImg === "string") drawn.set(input, await avatarOf(input.headerImg));
}

/** Stores the picture and answers what the table of users holds of it; null takes it away. The one before goes. */
export async function keepAvatar(context: AskedContext, input: Asked): Promise<string | null> {
  const { uid } = context.asker;
  const picture = drawn.get(input);
  const kept = picture ? (await files().put("converted", uid, picture)).sha256 : null;
  const before = await context.db.selectFrom("users").select("avatar").where("id", "=", uid).executeTakeFirst();
  const gone = before?.avatar;
  if (gone && gone !== kept) context.afterCommit.push(() => files().remove("converted", uid, gone));
  return kept;
}

/**
 * A picture as a face: square, small, and drawn anew, so that nothing but its pixels is left of what came (no place
 * where it was taken, no second file behind it). What it is, its bytes say and never its name.
 */
async function avatarOf(base64: string): Promise<Buffer> {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > accountRules.avatarBytes) refuse("tooLarge");
  const { avatarSide: side } = accountRules;
  try {
    return await opened(bytes)
      .autoOrient()
      .resize(side, side, { fit: "cover" })
      .toColourspace("srgb")
      .webp({ quality: 88 })
      .timeout({ seconds: 10 })
      .toBuffer();
  } catch {
    return refuse("avatarUnreadable", { headerImg: "avatarUnreadable" });
  }
}

// Of the largest phone cameras; more is no portrait but an attack on the memory.
const limits = { limitInputPixels: 120_000_000, failOn: "error", sequentialRead: true } as const;

/** The decoder is chosen by us: what begins like a picture is read as that and as nothing else. */
function opened(bytes: Buffer): Sharp {
  if (begins(bytes, 0xff, 0xd8, 0xff) || begins(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a))
    return sharp(bytes, limits);
  if (!begins(bytes, 0, 0, 1, 0)) throw new RangeError("neither jpg nor png nor ico");
  const icon = readIcon(bytes);
  if ("png" in icon) return sharp(icon.png, limits);
  return sharp(icon.rgba, { raw: { width: icon.width, height: icon.height, channels: 4 } });
}

const begins = (bytes: Buffer, ...sign: number[]): boolean => sign.every((byte, at) => bytes[at] === byte);
