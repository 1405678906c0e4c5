import { accountRules } from "@arcada/contract/account/account.rules";
import type { AuthenticatedContext } from "../../platform/http/request-context.ts";
import { redrawImage } from "../../platform/storage/image-copy.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { files } from "../../platform/runtime/services.ts";

interface AvatarInput {
  headerImg?: string | null | undefined;
}
const redrawnAvatars = new WeakMap<AvatarInput, Uint8Array>();

/** Runs before the transaction: an image that needs seconds to draw must not hold a database connection meanwhile. */
export async function prepareAvatar(
  input: AvatarInput,
  { principal }: Pick<AuthenticatedContext, "principal">,
): Promise<void> {
  if (typeof input.headerImg === "string")
    redrawnAvatars.set(input, await renderAvatar(principal.uid, input.headerImg));
}

/** Stores the image and returns the value for the users table; null removes it. The previous image is deleted. */
export async function storeAvatar(context: AuthenticatedContext, input: AvatarInput): Promise<string | null> {
  const { uid } = context.principal;
  const image = redrawnAvatars.get(input);
  const stored = image ? (await files().put("converted", uid, image)).sha256 : null;
  const user = await context.db.selectFrom("users").select("avatar").where("id", "=", uid).executeTakeFirst();
  const previous = user?.avatar;
  if (previous && previous !== stored) context.afterCommit.push(() => files().remove("converted", uid, previous));
  return stored;
}

/**
 * Makes an avatar: square, small, and drawn again, so that only the pixels of the upload remain (no location, no second
 * file behind it). The format is determined by the bytes, never by the name.
 */
async function renderAvatar(person: string, base64: string): Promise<Uint8Array> {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > accountRules.avatarBytes) refuse("tooLarge");
  const side = { width: accountRules.avatarSide, height: accountRules.avatarSide, isFilled: true } as const;
  const task = { source: { bytes }, ...side, as: "webp", kinds: ["jpeg", "png", "icon"] } as const;
  return (await redrawImage(person, task, { unreadable: "avatarUnreadable", field: "headerImg" })).bytes;
}
