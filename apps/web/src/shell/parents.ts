import type { ScreenName } from "@arcada/contract/screens";

const parents: Partial<Record<ScreenName, ScreenName>> = {
  patientDetail: "patientList",
  viewer: "patientList",
  ctViewer: "patientList",
  compare: "patientList",
  filmMount: "patientList",
  analysis: "patientList",
  reportDetail: "patientList",
  engines: "institution",
  orderDetail: "orderList",
  sendPage: "orderList",
  clinicDetail: "afterSales",
  feedbackDetail: "feedbackList",
  workorderDetail: "myWorkOrder",
  reportWorkorder: "myWorkOrder",
  packageDetail: "upgradePackages",
  softwareVersion: "upgradePackages",
};

/** The screen of the sidebar to which a screen that is not there belongs. */
export const parentOf = (name: ScreenName): ScreenName | undefined => parents[name];
