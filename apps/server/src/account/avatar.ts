import { accountRules } from "@arcada/contract/account/account.rules";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import { redrawn } from "../platform/storage/image-copy.ts";
import { refuse } from "../platform/http/refuse.ts";
import { files } from "../platform/runtime/services.ts";

interface Asked {
  headerImg?: string | null | undefined;
}
const drawn = new WeakMap<Asked, Uint8Array>();

/** Runs before the transaction: an image that takes seconds to draw must not hold a database connection meanwhile. */
export async function drawAvatar(input: Asked, { asker }: Pick<AuthenticatedContext, "asker">): Promise<void> {
  if (typeof input.headerImg === "string") drawn.set(input, await avatarOf(asker.uid, input.headerImg));
}

/** Stores the image and returns the value for the users table; null removes it. The previous image is deleted. */
export async function keepAvatar(context: AuthenticatedContext, input: Asked): Promise<string | null> {
  const { uid } = context.asker;
  const picture = drawn.get(input);
  const kept = picture ? (await files().put("converted", uid, picture)).sha256 : null;
  const before = await context.db.selectFrom("users").select("avatar").where("id", "=", uid).executeTakeFirst();
  const gone = before?.avatar;
  if (gone && gone !== kept) context.afterCommit.push(() => files().remove("converted", uid, gone));
  return kept;
}

/**
 * Makes an avatar: square, small, and drawn again, so that only the pixels of the upload remain (no location, no second
 * file behind it). The format is determined by the bytes, never by the name.
 */
async function avatarOf(person: string, base64: string): Promise<Uint8Array> {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > accountRules.avatarBytes) refuse("tooLarge");
  const side = { width: accountRules.avatarSide, height: accountRules.avatarSide, isFilled: true } as const;
  const task = { source: { bytes }, ...side, as: "webp", kinds: ["jpeg", "png", "icon"] } as const;
  return (await redrawn(person, task, { unreadable: "avatarUnreadable", field: "headerImg" })).bytes;
}
