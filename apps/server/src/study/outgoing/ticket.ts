import { createHmac, timingSafeEqual } from "node:crypto";
import { outgoingRules } from "@arcada/contract/study/outgoing.calls";
import { answeredSession } from "../../kernel/holders.ts";
import { keyFor } from "./clean.ts";

export const archivePath = "/study/downloads/:iid/:id";

/** The address of an archive, good for five minutes and for the session that asked for it. */
export function archiveUrl(iid: string, id: string, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + outgoingRules.minutes * 60;
  const holder = answeredSession() ?? "";
  const query = new URLSearchParams({ e: String(expires), h: holder, s: signature(iid, id, expires, holder) });
  return `/study/downloads/${iid}/${id}?${query.toString()}`;
}

/** The session that holds the address; null where it is out of date or not one of ours. */
export function holderOf(
  { iid, id }: { iid: string; id: string },
  { e, h, s }: Record<string, unknown>,
  now: Date,
): string | null {
  if (typeof e !== "string" || typeof h !== "string" || typeof s !== "string" || !/^\d{1,12}$/.test(e)) return null;
  const [claimed, real] = [Buffer.from(s), Buffer.from(signature(iid, id, Number(e), h))];
  if (claimed.length !== real.length || !timingSafeEqual(claimed, real)) return null;
  return now.getTime() < Number(e) * 1000 ? h : null;
}

const signature = (iid: string, id: string, expires: number, holder: string): string =>
  createHmac("sha256", keyFor("ticket"))
    .update(JSON.stringify([iid, id, expires, holder]))
    .digest("base64url");
