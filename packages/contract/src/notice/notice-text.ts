import type { NoticeKind } from "./notice.calls.ts";

/**
 * One line of a notice. `translate` and `translateName` find the wording in texts/<language>/notice.json; the latter
 * translates the names of states and kinds, which an older version of the product may have recorded.
 */
export function buildNoticeText(
  translate: (kind: NoticeKind, values: Record<string, string>) => string,
  translateName: (key: string, name: string) => string,
  { kind, params }: { kind: NoticeKind; params: Record<string, string> },
): string {
  const { state, kind: studyKind } = params;
  return translate(kind, {
    ...params,
    ...(state && { state: translateName(`state.${state}`, state) }),
    ...(studyKind && { kind: translateName(`study.${studyKind}`, studyKind) }),
  });
}
