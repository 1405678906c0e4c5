import { useRouter } from "@tanstack/react-router";
import { noticeCalls, noticeCategories, noticeKinds } from "@arcada/contract/notice/notice.calls";
import { useCommand } from "../kernel/use-command.ts";
import type { Notice } from "./use-notices.ts";

/** Leads to what a notice speaks of, and marks it as read. */
export function useFollow() {
  const router = useRouter();
  const watch = useCommand(noticeCalls.watch);
  const go = (href: string) => void router.navigate({ href });
  const follow = async ({ id, kind, seen, link }: Notice) => {
    const read = seen ? null : watch.run({ categoryID: noticeCategories[noticeKinds[kind]], id });
    if (link) go(link);
    await read;
  };
  return { go, follow };
}
