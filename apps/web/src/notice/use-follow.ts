import { useRouter } from "@tanstack/react-router";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { noticeCalls, noticeCategories, noticeKinds } from "@arcada/contract/notice/notice.calls";
import { ownPath } from "../kernel/entry.ts";
import { useUser } from "../kernel/session.ts";
import { continueWith } from "../kernel/sign-in.ts";
import { useCommand } from "../kernel/use-command.ts";
import type { Notice } from "./use-notices.ts";

/** Opens the subject of a notice, in the notice's institution, and marks it as read. */
export function useFollow() {
  const router = useRouter();
  const { iid: here } = useUser();
  const watch = useCommand(noticeCalls.watch);
  const move = useCommand(institutionCalls.switch);
  const go = (href: string) => void router.navigate({ href });
  const follow = async ({ id, kind, seen, link: said, iid }: Notice) => {
    // Notices are also imported from archives, so an address in one is not trusted.
    const link = said && ownPath(said, location.origin);
    const read = seen ? null : watch.run({ categoryID: noticeCategories[noticeKinds[kind]], id });
    if (link && (iid === null || iid === here)) go(link);
    await read;
    if (!link || iid === null || iid === here) return;
    const moved = await move.run({ iid });
    if (moved) continueWith(moved.data.token, link);
  };
  return { go, follow };
}
