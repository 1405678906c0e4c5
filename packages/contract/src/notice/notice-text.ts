import type { NoticeKind } from "./notice.calls.ts";

/**
 * One line of a notice. States and kinds are passed by name; `translate` finds the wording in texts/<language>/notice.json.
 */
export function buildNoticeText(
  translate: (key: string, values?: Record<string, string>) => string,
  { kind, params }: { kind: NoticeKind; params: Record<string, string> },
): string {
  const { state, kind: studyKind } = params;
  return translate(kind, {
    ...params,
    ...(state && { state: translate(`state.${state}`) }),
    ...(studyKind && { kind: translate(`study.${studyKind}`) }),
  });
}
