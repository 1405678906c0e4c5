import { noticeCategories, noticeKinds, noticeRules } from "@arcada/contract/notice/notice.calls";
import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import { findDelivery } from "@arcada/contract/notice/notice-presets";
import type { ChosenPreset } from "@arcada/contract/notice/notice-presets";
import type { ChannelChoice } from "./notice.store.ts";

/** Numbers on the wire. */
export const toCategory = (kind: NoticeKind): number => noticeCategories[noticeKinds[kind]];
export const listKinds = (category: number): NoticeKind[] =>
  (Object.keys(noticeKinds) as NoticeKind[]).filter((kind) => toCategory(kind) === category);

const noChoice: ChannelChoice = { site: null, email: null };
/** Returns the switches of a kind for a user with this preset and these choices. */
export function toConfig(kind: NoticeKind, preset: ChosenPreset | null, choice: ChannelChoice = noChoice) {
  const { loudness, isEmailed } = findDelivery(kind, { preset, ...choice });
  return {
    kind,
    category: toCategory(kind),
    site: loudness === "loud",
    email: isEmailed,
    fixed: noticeRules.fixed.includes(kind),
  };
}
