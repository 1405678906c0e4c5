import { fileUrl } from "./file-url.ts";
import { secret } from "./services.ts";

/** Where a person's picture is seen for the next minutes; `avatar` as the table of users holds it. */
export const avatarUrl = (uid: string, avatar: string | null): string | null =>
  avatar === null
    ? null
    : fileUrl(secret(), { area: "converted", iid: uid, sha256: avatar, name: "avatar.webp", type: "image/webp" });
