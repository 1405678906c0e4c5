import { noticeCategories, noticeKinds, noticeRules } from "@arcada/contract/notice/notice.calls";
import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import type { ChannelChoice } from "./notice.store.ts";

/** Numbers on the wire. */
export const toCategory = (kind: NoticeKind): number => noticeCategories[noticeKinds[kind]];
export const listKinds = (category: number): NoticeKind[] =>
  (Object.keys(noticeKinds) as NoticeKind[]).filter((kind) => toCategory(kind) === category);

const defaultChoice: ChannelChoice = { site: null, email: null };
/** Returns the channels on which a user with these choices is notified of a kind. */
export function toConfig(kind: NoticeKind, { site, email }: ChannelChoice = defaultChoice) {
  const fixed = noticeRules.fixed.includes(kind);
  return {
    kind,
    category: toCategory(kind),
    site: fixed || (site ?? true),
    email: email ?? noticeRules.emailed.includes(kind),
    fixed,
  };
}
