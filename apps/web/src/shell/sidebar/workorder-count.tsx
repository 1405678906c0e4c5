import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { useCall } from "../../data/use-call.ts";
import { useTexts } from "../../i18n/texts.ts";
import { SidebarCount } from "./sidebar-count.tsx";

/** The number of open work orders that the reader, a member of the after-sales staff, has not opened yet. */
export function WorkorderCount() {
  const t = useTexts("workorder");
  const count = useCall(workorderCalls.list, { pageSize: 1 }).data?.unread ?? 0;
  return count > 0 ? <SidebarCount count={count} title={t("workorder.list.unreadCount", { count })} /> : null;
}
