import { screens } from "../screens.ts";
import type { MemberPart } from "./member.calls.ts";

const parts: Record<string, MemberPart> = {
  memberApplied: "applications",
  invitationDeclined: "history",
  invitationExpired: "history",
  memberLeft: "history",
};

/** Returns the page on which a manager finds the subject of a notice of this kind. */
export const memberLink = (kind: string): string => {
  const part = parts[kind];
  return part ? `${screens.member.path}?part=${part}` : screens.member.path;
};
