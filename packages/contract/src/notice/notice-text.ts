import { noticeRules } from "./notice.calls.ts";
import type { NoticeKind } from "./notice.calls.ts";

/** Texts for a notice that stands for several images. */
const manyKeys = { studyReady: "many.studyReady", studyWaiting: "many.studyWaiting" } as const;
type ManyKey = (typeof manyKeys)[keyof typeof manyKeys];

/**
 * One line of a notice. `translate` and `translateName` find the wording in texts/<language>/notice.json; the latter
 * translates the names of states and kinds, which an older version of the product may have recorded. `formatTime` writes
 * an instant by the reader's clock.
 */
export function buildNoticeText(
  translate: (key: NoticeKind | ManyKey, values: Record<string, string | number>) => string,
  translateName: (key: string, name: string) => string,
  formatTime: (instant: string) => string,
  { kind, params, count = 1 }: { kind: NoticeKind; params: Record<string, string>; count?: number },
): string {
  if (count > 1 && noticeRules.growing.includes(kind))
    return translate(manyKeys[kind as keyof typeof manyKeys], { count });
  const { state, kind: studyKind, at } = params;
  return translate(kind, {
    ...params,
    ...(state && { state: translateName(`state.${state}`, state) }),
    ...(at && { time: formatTime(at) }),
    ...(studyKind && { kind: translateName(`study.${studyKind}`, studyKind) }),
  });
}
