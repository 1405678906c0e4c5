import { useRouter } from "@tanstack/react-router";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { noticeGroupCalls } from "@arcada/contract/notice/notice-group.calls";
import type { NoticeGroup } from "@arcada/contract/notice/notice-list.calls";
import { toSafePath } from "../session/screen-redirects.ts";
import { useSignedInUser } from "../session/current-user.ts";
import { switchSession } from "../browser/session-lifecycle.ts";
import { useCommand } from "../data/use-command.ts";

/** Opens the subject of a group of notices, in its institution, and marks the group as read. */
export function useOpenNotice() {
  const router = useRouter();
  const { iid: activeIid } = useSignedInUser();
  const markRead = useCommand(noticeGroupCalls.markRead);
  const switchInstitution = useCommand(institutionCalls.switch);
  const navigate = (href: string) => void router.navigate({ href });
  const openNotice = async ({ topic, unread, notice: { link: rawLink, iid } }: NoticeGroup) => {
    // Notices are also imported from archives, so an address in one is not trusted.
    const link = rawLink && toSafePath(rawLink, location.origin);
    const read = unread ? markRead.run({ topic }) : null;
    if (link && (iid === null || iid === activeIid)) navigate(link);
    await read;
    if (!link || iid === null || iid === activeIid) return;
    const switched = await switchInstitution.run({ iid });
    if (switched) switchSession(switched.data.token, link);
  };
  return { go: navigate, follow: openNotice };
}
