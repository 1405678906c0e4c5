import { afterSalesRoles, hasAccess } from "@arcada/contract/kernel/roles";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { useRole } from "../../session/current-user.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { SidebarCount } from "./sidebar-count.tsx";

/** The number of open work orders that the reader has not opened yet. The operator has no work orders. */
export function WorkorderCount() {
  const t = useTexts("workorder");
  const isTheirs = hasAccess(afterSalesRoles, useRole());
  const { data } = useCall(workorderCalls.list, { pageSize: 1 }, { enabled: isTheirs });
  const count = data?.unread ?? 0;
  return count > 0 ? <SidebarCount count={count} title={t("workorder.list.unreadCount", { count })} /> : null;
}
