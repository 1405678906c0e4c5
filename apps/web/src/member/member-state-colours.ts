import type { MemberState } from "@arcada/contract/member/member.lifecycle";

export const stateColours: Record<MemberState, string> = {
  not_reviewed: "yellow",
  awaiting_confirmation: "yellow",
  normal: "teal",
  confirmed: "teal",
  rejected: "red",
  deleted: "red",
  exited: "gray",
  cancelled: "gray",
  expired: "gray",
};
