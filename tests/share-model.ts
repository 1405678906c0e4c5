import { refusals, successCode } from "@arcada/contract/kernel/refusals";

/** A link as the written table sees it (lifecycles.md 7); nothing here is taken from the server's own tables. Times in minutes. */
export interface ShareModel {
  state: "active" | "locked" | "cancelled";
  now: number;
  madeAt: number;
  endsAt: number;
  /** Wrong answers since the link was made or unlocked. */
  failures: number[];
  /** The number of renewals; an older secret opens nothing. */
  secret: number;
  orderEnded: boolean;
  visits: Map<number, { until: number; ended: boolean }>;
  log: string[];
}
export const newShare = (): ShareModel => ({
  state: "active",
  now: 0,
  madeAt: 0,
  endsAt: 7 * day,
  failures: [],
  secret: 0,
  orderEnded: false,
  visits: new Map(),
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
export function expected(share: ShareModel, command: Command): number {
  if (command.do === "wait") {
    share.now += command.minutes;
    return successCode;
  }
  if (command.do === "endOrder") return endOrder(share);
  if (command.do === "open") return open(share, command);
  if ("by" in command) return step(share, command);
  const code = look(share, command.guest);
  if (code === successCode && command.do === "leave") share.visits.get(command.guest)!.ended = true;
  return code;
}

const isOver = ({ state, now, endsAt }: ShareModel): boolean => state === "cancelled" || endsAt <= now;
export const shownState = (share: ShareModel): string =>
  share.state !== "cancelled" && share.endsAt <= share.now ? "expired" : share.state;

function step(share: ShareModel, command: Extract<Command, { by: Member }>): number {
  const isClosed = isOver(share) || (command.do === "unlock" && share.state !== "locked");
  if (command.by === "colleague" || isClosed) return shareActionNotAllowed.code;
  if (command.do === "extend") {
    if (share.endsAt + command.days * day > share.madeAt + 30 * day) return shareTooLong.code;
    share.endsAt += command.days * day;
  }
  share.state = command.do === "cancel" ? "cancelled" : "active";
  if (command.do !== "cancel") share.failures = [];
  if (command.do === "renew") {
    share.secret += 1;
    for (const visit of share.visits.values()) visit.ended = true;
  }
  share.log.push(command.do);
  return successCode;
}

function open(share: ShareModel, { guest, isRight, isOld }: Extract<Command, { do: "open" }>): number {
  if (isOver(share) || (isOld && share.secret > 0)) return shareGone.code;
  if (share.state === "locked") return shareLocked.code;
  if (share.failures.filter((at) => at > share.now - 15).length >= 5) return shareFactorWait.code;
  if (isRight) {
    share.visits.set(guest, { until: share.now + 30, ended: false });
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

function look(share: ShareModel, guest: number): number {
  const visit = share.visits.get(guest);
  if (!visit || visit.ended || visit.until <= share.now) return shareVisitOver.code;
  return isOver(share) || share.state === "locked" ? shareGone.code : successCode;
}

function endOrder(share: ShareModel): number {
  share.orderEnded = true;
  if (share.state !== "cancelled") share.log.push("cancel");
  share.state = "cancelled";
  return successCode;
}
