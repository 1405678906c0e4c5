import { hasAccess } from "./kernel/roles.ts";
import type { Role } from "./kernel/roles.ts";
import { screens } from "./screens.ts";
import type { ScreenName } from "./screens.ts";

/** A person starts with the work of the day, or with the list of what the role works on. */
export type StartPage = "today" | "list";
/** Returns the start page of a role. */
export const homePathOf = (role: Role, start: StartPage = "today"): string =>
  screens[start === "today" && hasAccess(screens.today.access, role) ? "today" : listScreens[role]].path;
/** Patients belong to clinics, so the list of a laboratory is that of its orders. */
const listScreens: Record<Role, ScreenName> = {
  clinicAdmin: "patientList",
  clinicMember: "patientList",
  clinicAssistant: "patientList",
  factoryAdmin: "orderList",
  factoryMember: "orderList",
  afterSalesAdmin: "afterSales",
  afterSalesMember: "afterSales",
  operator: "operator",
  newUser: "profile",
};
