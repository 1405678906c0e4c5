import { screens } from "@arcada/contract/screens";
import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import type { EventData } from "../platform/events/events.ts";
import type { NewNotice } from "./send-notice.ts";
import type { deviceTransitioned } from "../device/device.events.ts";

const kinds: Record<EventData<typeof deviceTransitioned>["action"], NoticeKind> = {
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
export function buildDeviceNotices({
  deviceId,
  device,
  action,
  institution,
}: EventData<typeof deviceTransitioned>): NewNotice[] {
  const about = { kind: kinds[action], params: { device } };
  return [
    { ...about, link: screens.equipment.path, to: { managersOf: institution }, institutions: [institution] },
    ...(action === "bind" || action === "unbind"
      ? [{ ...about, link: `${screens.deviceDetail.path}?id=${deviceId}`, to: { afterSalesAdmins: true as const } }]
      : []),
  ];
}
