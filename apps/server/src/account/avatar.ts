import { accountRules } from "@arcada/contract/account/account.rules";
import type { AskedContext } from "../kernel/asker.ts";
import { redrawn } from "../kernel/picture-copy.ts";
import { refuse } from "../kernel/refuse.ts";
import { files } from "../kernel/services.ts";

interface Asked {
  headerImg?: string | null | undefined;
}
const drawn = new WeakMap<Asked, Uint8Array>();

/** Before the transaction: a picture that takes seconds to draw must not hold a connection to the database meanwhile. */
export async function drawAvatar(input: Asked, { asker }: Pick<AskedContext, "asker">): Promise<void> {
  if (typeof input.headerImg === "string") drawn.set(input, await avatarOf(asker.uid, input.headerImg));
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
async function avatarOf(person: string, base64: string): Promise<Uint8Array> {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > accountRules.avatarBytes) refuse("tooLarge");
  const side = { width: accountRules.avatarSide, height: accountRules.avatarSide, isFilled: true } as const;
  const task = { source: { bytes }, ...side, as: "webp", kinds: ["jpeg", "png", "icon"] } as const;
  return (await redrawn(person, task, { unreadable: "avatarUnreadable", field: "headerImg" })).bytes;
}
