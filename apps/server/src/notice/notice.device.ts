import { screens } from "@arcada/contract/screens";
import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import type { Happened, Notice } from "./notice.ts";

const kinds: Record<Happened<"deviceMoved">["action"], NoticeKind> = {
  bind: "deviceBound",
  lock: "deviceLocked",
  unlock: "deviceUnlocked",
  unbind: "deviceUnbound",
  forceUnbind: "deviceUnbound",
};

/**
 * The managers of the clinic are notified of every step, after-sales managers of the beginning and the end of a
 * binding.
 */
export function deviceNotices({ deviceId, device, action, institution }: Happened<"deviceMoved">): Notice[] {
  const about = { kind: kinds[action], params: { device } };
  return [
    { ...about, link: screens.equipment.path, to: { managersOf: institution }, houses: [institution] },
    ...(action === "bind" || action === "unbind"
      ? [{ ...about, link: `${screens.deviceDetail.path}?id=${deviceId}`, to: { afterSalesAdmins: true as const } }]
      : []),
  ];
}
