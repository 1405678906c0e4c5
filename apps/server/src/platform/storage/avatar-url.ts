import { createFileUrl } from "./file-url.ts";
import { secret } from "../runtime/services.ts";

/** Returns the temporary address of a user's avatar; `avatar` is the value in the users table. */
export const avatarUrl = (uid: string, avatar: string | null): string | null =>
  avatar === null
    ? null
    : createFileUrl(secret(), { area: "converted", iid: uid, sha256: avatar, name: "avatar.webp", type: "image/webp" });
