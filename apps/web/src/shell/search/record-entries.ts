import { IconBuilding, IconClipboardText, IconDevices, IconTool, IconUser, IconUserCircle } from "@tabler/icons-react";
import { findRole, hasAccess } from "@arcada/contract/kernel/roles";
import type { Role } from "@arcada/contract/kernel/roles";
import { orderStateKey } from "@arcada/contract/order/order.lifecycle";
import { screens } from "@arcada/contract/screens";
import type { ScreenName } from "@arcada/contract/screens";
import type { SearchHit, SearchKind } from "@arcada/contract/search/search.calls";
import { formatDay } from "../../i18n/format.ts";
import type { OrderNames } from "../../i18n/order-name.ts";
import type { Translate } from "../../i18n/texts.ts";
import { formatAge } from "../../patient/patient-age.tsx";
import { getOtherSide } from "../../order/core/order-status-text.ts";
import type { Icon } from "../screen-icons.ts";
import type { SearchEntry } from "./search-entry.ts";

type HitOf<K extends SearchKind> = Extract<SearchHit, { kind: K }>;

/** The reader: the role, the texts and the names of orders in them. */
export interface HitReader {
  role: Role | undefined;
  t: Translate;
  nameOrder: OrderNames["name"];
}

/** The row of a found record. */
export function toRecordEntry(hit: SearchHit, reader: HitReader): SearchEntry {
  const row = rows[hit.kind] as (hit: SearchHit, reader: HitReader) => Omit<SearchEntry, "id" | "Icon">;
  return { id: `${hit.kind}-${hit.id}`, Icon: icons[hit.kind], ...row(hit, reader) };
}

/** The page that lists everything of a kind that a text finds; null where the role has no such page. */
export const findListScreen = (kind: SearchKind, role: Role | undefined): ScreenName | null =>
  listScreens[kind].find((screen) => hasAccess(screens[screen].access, role)) ?? null;

const listScreens: Record<SearchKind, readonly ScreenName[]> = {
  patient: ["patientList"],
  order: ["orderList"],
  device: ["equipment", "devices"],
  person: ["member"],
  clinic: ["afterSales"],
  // Everybody may open the other page of work orders: it is the clinics'.
  workorder: ["myWorkOrder", "workOrder"],
};

const icons: Record<SearchKind, Icon> = {
  patient: IconUser,
  order: IconClipboardText,
  device: IconDevices,
  person: IconUserCircle,
  clinic: IconBuilding,
  workorder: IconTool,
};

const join = (...parts: (string | null | undefined)[]): string => parts.filter(Boolean).join(" · ");
const mayOpen = (screen: ScreenName, role: Role | undefined): boolean => hasAccess(screens[screen].access, role);

const rows: { [K in SearchKind]: (hit: HitOf<K>, reader: HitReader) => Omit<SearchEntry, "id" | "Icon"> } = {
  patient: (hit, { t }) => ({
    title: hit.name,
    detail: join(hit.number, t(`common.sex.${hit.sex}`), formatAge(t, hit), hit.birthDate && formatDay(hit.birthDate)),
    target: { screen: "patientDetail", search: { id: hit.id } },
  }),
  order: (hit, { t, role, nameOrder }) => ({
    title: nameOrder(hit),
    detail: join(hit.number, getOtherSide(hit)?.name, t(`order.${orderStateKey(hit)}`)),
    target: {
      screen: hit.state === "draft" && mayOpen("sendPage", role) ? "sendPage" : "orderDetail",
      search: { id: hit.id },
    },
  }),
  device: (hit, { t, role }) => ({
    title: hit.name ?? hit.product,
    detail: join(hit.name === null ? null : hit.product, hit.model, hit.serialNumber, t(`device.state.${hit.state}`)),
    target: mayOpen("deviceDetail", role)
      ? { screen: "deviceDetail", search: { id: hit.id } }
      : { screen: "equipment", search: { search: hit.serialNumber } },
  }),
  person: (hit, { t }) => ({
    title: hit.name,
    detail: join(t(`common.role.${findRole(hit.authorityId)}`), hit.email),
    target: { screen: "member", search: { search: hit.name } },
  }),
  clinic: (hit) => ({
    title: hit.name,
    detail: join(hit.number, hit.provinceName, hit.cityName),
    target: { screen: "clinicDetail", search: { id: hit.id } },
  }),
  workorder: (hit, { t, role }) => ({
    title: join(t(`workorder.type.${hit.type}`), hit.clinic.name),
    detail: join(hit.number, t(`workorder.state.${hit.state}`)),
    target: { screen: mayOpen("workorderDetail", role) ? "workorderDetail" : "workOrder", search: { id: hit.id } },
  }),
};
