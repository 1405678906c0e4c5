import { noticeKinds, noticeRules } from "./notice.calls.ts";
import type { NoticeChannel, NoticeKind } from "./notice.calls.ts";

/**
 * Presets of all switches. everything: each kind in both channels; waits: what waits for the reader is counted, the rest
 * only stands in the list; mine: cases for which the reader is responsible; quiet: safety and account.
 */
export const noticePresets = ["everything", "waits", "mine", "quiet"] as const;
export type NoticePreset = (typeof noticePresets)[number];
/** custom: the reader has changed single switches. */
export const chosenPresets = [...noticePresets, "custom"] as const;
export type ChosenPreset = (typeof chosenPresets)[number];
export const defaultPreset = "waits" satisfies NoticePreset;

/** Emails about notices. now: each by itself; daily: together once a day; off: none. */
export const noticeMailModes = ["now", "daily", "off"] as const;
export type NoticeMailMode = (typeof noticeMailModes)[number];
/** The local hour from which on the daily email is sent. */
export const digestHour = 8;

/** Something is to be done after these, until a later step of the same thing says that it was. */
export const settledKinds: readonly NoticeKind[] = [
  "orderArrived",
  "orderInfoAsked",
  "orderAnswered",
  "orderToDecide",
  "orderReturned",
  "orderNotSent",
  "orderReceiptDue",
  "orderAssigned",
  "relationRequested",
  "memberApplied",
  "feedbackWaits",
  "workorderArrived",
  "workorderGiven",
  "workorderToReview",
  "workorderReturned",
] satisfies NoticeKind[];

/** Something is to be done after these. Those that no later step settles count as done once they are read. */
export const waitingKinds: readonly NoticeKind[] = [
  ...settledKinds,
  ...([
    "orderMentioned",
    "studyWaiting",
    "filesDamaged",
    "shareLocked",
    "webhookStopped",
    "capacityRenewal",
    "capacityEnding",
    "capacityAsked",
    "capacityDeclined",
    "packageWithdrawn",
  ] satisfies NoticeKind[]),
];

/** The reader began or handed in something, and it has come to a result. */
const resultKinds: readonly NoticeKind[] = [
  "studyReady",
  "exportReady",
  "exportFailed",
  "relationEstablished",
  "relationEnded",
  "feedbackAnswered",
  "feedbackFixed",
  "capacityBegun",
  "capacityEnded",
] satisfies NoticeKind[];

/** Visits of after-sales at a clinic. Those who answer for the device or do the work have to know it. */
const appointmentKinds: readonly NoticeKind[] = [
  "appointmentPlanned",
  "appointmentMoved",
  "appointmentCancelled",
  "appointmentReminder",
] satisfies NoticeKind[];

/** Safety of data and devices, and changes of the reader's own account. */
const safetyKinds: readonly NoticeKind[] = [
  "applicationAgreed",
  "applicationRejected",
  "roleChanged",
  "memberRemoved",
  "serviceGiven",
  "serviceTaken",
  "filesDamaged",
  "shareLocked",
  "packageWithdrawn",
  "deviceLocked",
  "deviceUnbound",
] satisfies NoticeKind[];

/** loud: unread, counted at the bell; silent: in the list as read; none: not written. */
export type NoticeLoudness = "loud" | "silent" | "none";

/**
 * Returns how a preset delivers a notice on site.
 *
 * @param isPersonal false if the reader gets it as one of the managers or members, not by name
 */
export function presetLoudness(preset: NoticePreset, kind: NoticeKind, isPersonal: boolean): NoticeLoudness {
  if (preset === "everything" || safetyKinds.includes(kind) || noticeRules.fixed.includes(kind)) return "loud";
  if (preset === "quiet") return "none";
  if (preset === "mine") return isPersonal && isOfCase(kind) ? "loud" : "none";
  if (appointmentKinds.includes(kind)) return isPersonal ? "loud" : "silent";
  return waitingKinds.includes(kind) || resultKinds.includes(kind) ? "loud" : "silent";
}
const isOfCase = (kind: NoticeKind): boolean =>
  noticeKinds[kind] === "order" || kind === "studyReady" || workKinds.includes(kind);
/** The cases of after-sales are the work orders that are assigned to them. */
const workKinds: readonly NoticeKind[] = ["workorderGiven", "workorderReturned", ...appointmentKinds];

/** The switches of a kind under a preset. */
export function presetChannels(
  preset: NoticePreset,
  kind: NoticeKind,
  isPersonal = true,
): Record<NoticeChannel, boolean> {
  const isLoud = presetLoudness(preset, kind, isPersonal) === "loud";
  if (preset === "everything") return { site: true, email: true };
  const isEmailed = noticeRules.emailed.includes(kind) && (isPersonal || !appointmentKinds.includes(kind));
  if (preset === "waits") return { site: isLoud, email: isEmailed };
  // A question that stops an order is always shown, but is not mailed to somebody who wants quiet.
  return { site: isLoud, email: isLoud && isEmailed && (preset === "mine" || safetyKinds.includes(kind)) };
}

/** The choices of a reader; null where they have chosen nothing. */
export interface NoticeChoice {
  preset: ChosenPreset | null;
  site: boolean | null;
  email: boolean | null;
}
/** Returns how a notice reaches a reader. */
export function findDelivery(
  kind: NoticeKind,
  { preset, site, email }: NoticeChoice,
  isPersonal = true,
): { loudness: NoticeLoudness; isEmailed: boolean } {
  if (preset !== "custom") {
    const followed = preset ?? defaultPreset;
    return {
      loudness: presetLoudness(followed, kind, isPersonal),
      isEmailed: presetChannels(followed, kind, isPersonal).email,
    };
  }
  const usual = presetChannels(defaultPreset, kind);
  const isShown = noticeRules.fixed.includes(kind) || (site ?? usual.site);
  return { loudness: isShown ? "loud" : "none", isEmailed: email ?? usual.email };
}
