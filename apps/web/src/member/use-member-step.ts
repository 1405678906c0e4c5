import { memberCalls } from "@arcada/contract/member/member.calls";
import type { Member } from "@arcada/contract/member/member.calls";
import type { MemberAction } from "@arcada/contract/member/member.cycle";
import { refetchTopic } from "../kernel/queries.ts";
import { useTexts } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { useCommand } from "../kernel/use-command.ts";

/** Moves a record by an action, says that it is done, and asks again for what is shown. Answers the record that goes on. */
export function useMemberStep({ shownBy }: { shownBy?: "form" } = {}) {
  const t = useTexts("member");
  const command = useCommand(memberCalls.update, shownBy ? { shownBy } : {});
  const step = async (
    { id, version }: { id: string; version?: number },
    action: MemberAction,
    more: { authorityId?: number; colleagueId?: string; code?: string } = {},
  ): Promise<Member | null> => {
    const outcome = await command.run({ id, action, ...(version !== undefined && { version }), ...more });
    // Also after a refusal: somebody else was quicker, or the page was out of date.
    refetchTopic("member");
    if (outcome) toast("success", t(`member.done.${action}`));
    return outcome?.data ?? null;
  };
  const { busy, refused } = command;
  return { step, busy, problem: refused?.show === "form" ? refused.msg : undefined };
}
