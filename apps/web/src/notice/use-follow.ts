import { useRouter } from "@tanstack/react-router";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { noticeCalls, noticeCategories, noticeKinds } from "@arcada/contract/notice/notice.calls";
import { ownPath } from "../kernel/entry.ts";
import { useUser } from "../kernel/session.ts";
import { continueWith } from "../kernel/sign-in.ts";
import { useCommand } from "../kernel/use-command.ts";
import type { Notice } from "./use-notices.ts";

/** Leads to what a notice speaks of, in the organisation where it stands, and marks it as read. */
export function useFollow() {
  const router = useRouter();
  const { iid: here } = useUser();
  const watch = useCommand(noticeCalls.watch);
  const move = useCommand(institutionCalls.switch);
  const go = (href: string) => void router.navigate({ href });
  const follow = async ({ id, kind, seen, link: said, iid }: Notice) => {
    // Notices travel in archives, too, and what an archive says of an address may be anything.
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
