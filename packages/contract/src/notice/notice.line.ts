import type { NoticeKind } from "./notice.calls.ts";

/**
 * One line of a notice. States and kinds are passed by name; `say` finds the wording in texts/<language>/notice.json.
 */
export function noticeLine(
  say: (key: string, values?: Record<string, string>) => string,
  { kind, params }: { kind: NoticeKind; params: Record<string, string> },
): string {
  const { state, kind: study } = params;
  return say(kind, {
    ...params,
    ...(state && { state: say(`state.${state}`) }),
    ...(study && { kind: say(`study.${study}`) }),
  });
}
