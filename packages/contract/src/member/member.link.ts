import { screens } from "../screens.ts";
import type { MemberPart } from "./member.calls.ts";

const parts: Record<string, MemberPart> = {
  memberApplied: "applications",
  invitationDeclined: "history",
  invitationExpired: "history",
  memberLeft: "history",
};

/** Where a manager finds what news of this kind speaks of. */
export const memberLink = (kind: string): string => {
  const part = parts[kind];
  return part ? `${screens.member.path}?part=${part}` : screens.member.path;
};
