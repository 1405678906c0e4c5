import { screens } from "../screens.ts";
import type { MemberTab } from "./member.calls.ts";

const tabByNoticeKind: Record<string, MemberTab> = {
  memberApplied: "applications",
  invitationDeclined: "history",
  invitationExpired: "history",
  memberLeft: "history",
};

/** Returns the page on which a manager finds the subject of a notice of this kind. */
export const memberPageUrl = (kind: string): string => {
  const tab = tabByNoticeKind[kind];
  return tab ? `${screens.member.path}?part=${tab}` : screens.member.path;
};
