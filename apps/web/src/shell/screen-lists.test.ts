import { expect, it } from "vitest";
import { hasAccess, roleNames } from "@arcada/contract/kernel/roles";
import { screens } from "@arcada/contract/screens";
import type { Screen, ScreenName } from "@arcada/contract/screens";
import { findParentScreens } from "./screen-lists.ts";

const all = Object.entries(screens) as [ScreenName, Screen][];

it("puts no screen of the sidebar under another", () => {
  for (const role of roleNames)
    for (const [name, { sidebar }] of all)
      if (sidebar !== undefined) expect(findParentScreens(name, role), `${role} ${name}`).toEqual([]);
});

it("puts a record under its list and a page of settings under the organisation", () => {
  expect(findParentScreens("orderDetail", "clinicAdmin")).toEqual(["orderList"]);
  expect(findParentScreens("patientDetail", "clinicMember")).toEqual(["patientList"]);
  expect(findParentScreens("trail", "clinicAdmin")).toEqual(["institution"]);
  expect(findParentScreens("deviceDetail", "afterSalesMember")).toEqual(["devices"]);
});

it("leads nobody to a screen that the role may not open", () => {
  expect(findParentScreens("viewer", "factoryMember")).toEqual(["orderList"]);
  for (const role of roleNames)
    for (const [name] of all)
      for (const above of findParentScreens(name, role))
        expect(hasAccess(screens[above].access, role), `${role} ${name}`).toBe(true);
});
