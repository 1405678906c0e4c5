import { inboxCalls } from "@arcada/contract/study/inbox.calls";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { SidebarCount } from "./sidebar-count.tsx";

/** The number of studies that wait for a patient assignment; nothing if there are none. */
export function InboxCount() {
  const t = useTexts("shell");
  const { data } = useCall(inboxCalls.inboxCount, {});
  return data?.count ? <SidebarCount count={data.count} title={t("shell.inboxCount", data)} /> : null;
}
