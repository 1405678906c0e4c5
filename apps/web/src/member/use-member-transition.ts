import { memberCalls } from "@arcada/contract/member/member.calls";
import type { Member } from "@arcada/contract/member/member.calls";
import type { MemberAction } from "@arcada/contract/member/member.lifecycle";
import { refetchTopic } from "../data/query-client.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";

/** Applies an action to a record, reports success, and refetches the shown data. Returns the updated record. */
export function useMemberTransition({ shownBy }: { shownBy?: "form" } = {}) {
  const t = useTexts("member");
  const command = useCommand(memberCalls.update, shownBy ? { shownBy } : {});
  const transition = async (
    { id, version }: { id: string; version?: number },
    action: MemberAction,
    more: { authorityId?: number; colleagueId?: string; code?: string } = {},
  ): Promise<Member | null> => {
    const outcome = await command.run({ id, action, ...(version !== undefined && { version }), ...more });
    // Refetch also after a rejection: another user was faster, or the page was outdated.
    refetchTopic("member");
    if (outcome) toast("success", t(`member.done.${action}`));
    return outcome?.data ?? null;
  };
  const { busy, refused } = command;
  return { step: transition, busy, problem: refused?.show === "form" ? refused.msg : undefined };
}
