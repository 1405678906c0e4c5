import { mayRole } from "@arcada/contract/kernel/roles";
import type { Role } from "@arcada/contract/kernel/roles";
import type { ScreenName } from "@arcada/contract/screens";
import { screenOf } from "../kernel/entry.ts";

/** A laboratory has no patients: it comes to their images from its orders. */
const images: readonly ScreenName[] = ["patientList", "orderList"];
const parents: Partial<Record<ScreenName, readonly ScreenName[]>> = {
  patientDetail: ["patientList"],
  viewer: images,
  ctViewer: images,
  cephViewer: images,
  cephOver: ["patientList"],
  compare: ["patientList"],
  filmMount: ["patientList"],
  analysis: ["patientList"],
  reportDetail: ["patientList"],
  engines: ["institution"],
  openInterface: ["institution"],
  trail: ["institution"],
  leaving: ["institution"],
  myCapacity: ["institution"],
  orderDetail: ["orderList"],
  sendPage: ["orderList"],
  clinicDetail: ["afterSales"],
  deviceDetail: ["devices"],
  feedbackDetail: ["feedbackList"],
  workorderDetail: ["myWorkOrder"],
  reportWorkorder: ["myWorkOrder"],
  packageDetail: ["upgradePackages"],
  softwareVersion: ["upgradePackages"],
};

/** The screen of the sidebar to which a screen that is not there belongs: the first that the role may open. */
export const parentOf = (name: ScreenName, role: Role | undefined): ScreenName | undefined =>
  parents[name]?.find((parent) => mayRole(screenOf(parent).access, role));
