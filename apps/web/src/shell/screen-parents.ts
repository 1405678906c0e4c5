import { hasAccess } from "@arcada/contract/kernel/roles";
import type { Role } from "@arcada/contract/kernel/roles";
import type { ScreenName } from "@arcada/contract/screens";
import { getScreen } from "../session/screen-redirects.ts";

/** A laboratory has no patients and reaches their images from its orders. */
const imageParents: readonly ScreenName[] = ["patientList", "orderList"];
const parents: Partial<Record<ScreenName, readonly ScreenName[]>> = {
  patientDetail: ["patientList"],
  launchedPatient: ["patientList"],
  viewer: imageParents,
  ctViewer: imageParents,
  cephViewer: imageParents,
  cephOver: ["patientList"],
  compare: ["patientList"],
  filmMount: ["patientList"],
  photoSeries: ["patientList"],
  analysis: ["patientList"],
  reportDetail: ["patientList"],
  engines: ["institution"],
  labPrograms: ["institution", "orderList"],
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

/** Returns the sidebar screen to which a screen outside the sidebar belongs: the first that the role may open. */
export const findParentScreen = (name: ScreenName, role: Role | undefined): ScreenName | undefined =>
  parents[name]?.find((parent) => hasAccess(getScreen(parent).access, role));
