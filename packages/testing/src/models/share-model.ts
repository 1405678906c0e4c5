import { refusals, successCode } from "@arcada/contract/kernel/refusals";
import { present } from "../require-present.ts";

/** A link as the written table sees it (lifecycles.md 7); nothing here is taken from the server's own tables. Times in minutes. */
export interface ShareModel {
  state: "active" | "locked" | "cancelled";
  now: number;
  createdAt: number;
  endsAt: number;
  /** Wrong answers since the link was made or unlocked. */
  failures: number[];
  /** The number of renewals; an older secret opens nothing. */
  secret: number;
  orderEnded: boolean;
  guestSessions: Map<number, { until: number; ended: boolean }>;
  log: string[];
}
export const newShareModel = (): ShareModel => ({
  state: "active",
  now: 0,
  createdAt: 0,
  endsAt: 7 * day,
  failures: [],
  secret: 0,
  orderEnded: false,
  guestSessions: new Map(),
  log: ["create"],
});
const day = 24 * 60;

export type Command =
  | { do: "unlock" | "cancel" | "renew"; by: Member }
  | { do: "extend"; by: Member; days: 1 | 3 | 7 }
  | { do: "open"; guest: number; isRight: boolean; isOld: boolean }
  | { do: "look" | "leave"; guest: number }
  | { do: "wait"; minutes: number }
  | { do: "endOrder" };
export type Member = "creator" | "manager" | "colleague";

const {
  shareActionNotAllowed,
  shareTooLong,
  shareGone,
  shareLocked,
  shareFactorWait,
  shareFactorWrong,
  shareVisitOver,
} = refusals;

/** Returns the code with which the server must answer, and updates the link. */
export function expectedCode(share: ShareModel, command: Command): number {
  if (command.do === "wait") {
    share.now += command.minutes;
    return successCode;
  }
  if (command.do === "endOrder") return endOrder(share);
  if (command.do === "open") return openLink(share, command);
  if ("by" in command) return takeStep(share, command);
  const code = viewShare(share, command.guest);
  if (code === successCode && command.do === "leave") present(share.guestSessions.get(command.guest)).ended = true;
  return code;
}

const hasEnded = ({ state, now, endsAt }: ShareModel): boolean => state === "cancelled" || endsAt <= now;
export const displayedState = (share: ShareModel): string =>
  share.state !== "cancelled" && share.endsAt <= share.now ? "expired" : share.state;

function takeStep(share: ShareModel, command: Extract<Command, { by: Member }>): number {
  const isClosed = hasEnded(share) || (command.do === "unlock" && share.state !== "locked");
  if (command.by === "colleague" || isClosed) return shareActionNotAllowed.code;
  if (command.do === "extend") {
    if (share.endsAt + command.days * day > share.createdAt + 30 * day) return shareTooLong.code;
    share.endsAt += command.days * day;
  }
  share.state = command.do === "cancel" ? "cancelled" : "active";
  if (command.do !== "cancel") share.failures = [];
  if (command.do === "renew") {
    share.secret += 1;
    for (const guestSession of share.guestSessions.values()) guestSession.ended = true;
  }
  share.log.push(command.do);
  return successCode;
}

function openLink(share: ShareModel, { guest, isRight, isOld }: Extract<Command, { do: "open" }>): number {
  if (hasEnded(share) || (isOld && share.secret > 0)) return shareGone.code;
  if (share.state === "locked") return shareLocked.code;
  if (share.failures.filter((at) => at > share.now - 15).length >= 5) return shareFactorWait.code;
  if (isRight) {
    share.guestSessions.set(guest, { until: share.now + 30, ended: false });
    share.log.push("open");
    return successCode;
  }
  share.failures.push(share.now);
  share.log.push("wrong");
  if (share.failures.length === 10) {
    share.state = "locked";
    share.log.push("lock");
  }
  return shareFactorWrong.code;
}

function viewShare(share: ShareModel, guest: number): number {
  const guestSession = share.guestSessions.get(guest);
  if (!guestSession || guestSession.ended || guestSession.until <= share.now) return shareVisitOver.code;
  return hasEnded(share) || share.state === "locked" ? shareGone.code : successCode;
}

function endOrder(share: ShareModel): number {
  share.orderEnded = true;
  if (share.state !== "cancelled") share.log.push("cancel");
  share.state = "cancelled";
  return successCode;
}
