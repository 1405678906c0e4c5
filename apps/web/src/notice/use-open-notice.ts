import { useRouter } from "@tanstack/react-router";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { noticeCalls, noticeCategories, noticeKinds } from "@arcada/contract/notice/notice.calls";
import { toSafePath } from "../session/screen-redirects.ts";
import { useSignedInUser } from "../session/current-user.ts";
import { switchSession } from "../browser/session-lifecycle.ts";
import { useCommand } from "../data/use-command.ts";
import type { Notice } from "./use-notices.ts";

/** Opens the subject of a notice, in the notice's institution, and marks it as read. */
export function useOpenNotice() {
  const router = useRouter();
  const { iid: activeIid } = useSignedInUser();
  const markRead = useCommand(noticeCalls.watch);
  const switchInstitution = useCommand(institutionCalls.switch);
  const navigate = (href: string) => void router.navigate({ href });
  const openNotice = async ({ id, kind, seen, link: rawLink, iid }: Notice) => {
    // Notices are also imported from archives, so an address in one is not trusted.
    const link = rawLink && toSafePath(rawLink, location.origin);
    const read = seen ? null : markRead.run({ categoryID: noticeCategories[noticeKinds[kind]], id });
    if (link && (iid === null || iid === activeIid)) navigate(link);
    await read;
    if (!link || iid === null || iid === activeIid) return;
    const switched = await switchInstitution.run({ iid });
    if (switched) switchSession(switched.data.token, link);
  };
  return { go: navigate, follow: openNotice };
}
