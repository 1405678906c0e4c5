import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import type { Translate } from "../kernel/texts.ts";

/** One line of a notice. States and kinds travel by name and are said in the reader's language here. */
export function noticeText(
  t: Translate,
  { kind, params }: { kind: NoticeKind; params: Record<string, string> },
): string {
  return t(`notice.${kind}`, {
    ...params,
    ...(params["state"] && { state: t(`notice.state.${params["state"]}`) }),
    ...(params["kind"] && { kind: t(`notice.study.${params["kind"]}`) }),
  });
}
