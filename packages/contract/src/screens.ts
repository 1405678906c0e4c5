import {
  afterSalesRoles,
  caseRoles,
  clinicRoles,
  dentistRoles,
  labRoles,
  managerRoles,
  serviceRoles,
} from "./kernel/roles.ts";
import type { Access } from "./kernel/roles.ts";
import { launchedPatientPath, launchPath } from "./patient/launch-path.ts";
import { authorizePath } from "./smart/authorize-path.ts";
import { packageReaders } from "./upgrade/package-readers.ts";

export interface Screen {
  path: string;
  /** Key in shell.json under `screen`. */
  title: string;
  access: Access;
  /** Calls (`slice.name`) without which the screen is empty; none if they depend on the role. */
  needs: readonly string[];
  /** Place in the sidebar; hidden screens have none. */
  sidebar?: number;
  /** Shown outside the layout: no sidebar, no top bar. */
  bare?: true;
  /** Shows the one record that its address names: opened from a list, not found by its title. */
  record?: true;
}

export const screens = {
  login: { path: "/login", title: "login", access: "anyone", needs: ["account.login", "account.welcome"], bare: true },
  register: { path: "/register", title: "register", access: "anyone", needs: ["account.register"], bare: true },
  forgot: { path: "/forgot", title: "forgot", access: "anyone", needs: ["account.resetPassword"], bare: true },
  setup: { path: "/setup", title: "setup", access: "anyone", needs: ["account.openSetup"], bare: true },
  invitation: { path: "/invitation", title: "invitation", access: "anyone", needs: ["member.open"], bare: true },
  // Opened by other programs: it says what is wrong with an address before anybody signs in.
  launch: { path: launchPath, title: "launch", access: "anyone", needs: ["practice.claim"], bare: true },
  launchedPatient: {
    path: launchedPatientPath,
    title: "launch",
    access: clinicRoles,
    needs: ["practice.open"],
    record: true,
  },
  // Opened by apps: it keeps their request during the sign-in.
  authorizeApp: { path: authorizePath, title: "authorizeApp", access: "anyone", needs: [], bare: true },
  decideApp: {
    path: `${authorizePath}/decide`,
    title: "decideApp",
    access: caseRoles,
    needs: ["smart.ask", "smart.decide"],
    record: true,
  },
  authRedirect: {
    path: "/auth-redirect",
    title: "authRedirect",
    access: "anyone",
    needs: ["account.exchange"],
    bare: true,
  },
  today: { path: "/today", title: "today", access: [...caseRoles, ...serviceRoles], needs: [], sidebar: 0 },
  patientList: { path: "/patientList", title: "patientList", access: clinicRoles, needs: ["patient.list"], sidebar: 1 },
  inbox: { path: "/inbox", title: "inbox", access: clinicRoles, needs: ["study.inbox", "study.attach"], sidebar: 2 },
  patientDetail: {
    path: "/patientDetail/page",
    title: "patientDetail",
    access: clinicRoles,
    needs: ["patient.detail", "study.list", "order.list"],
    record: true,
  },
  orderList: {
    path: "/orderList",
    title: "orderList",
    access: caseRoles,
    needs: ["order.list", "order.counts"],
    sidebar: 3,
  },
  orderDetail: {
    path: "/orderDetail/page",
    title: "orderDetail",
    access: caseRoles,
    needs: ["order.detail"],
    record: true,
  },
  sendPage: { path: "/sendPage/page", title: "sendPage", access: clinicRoles, needs: ["order.save", "relation.list"] },
  reportDetail: {
    path: "/reportDetail/page",
    title: "reportDetail",
    access: clinicRoles,
    needs: ["report.detail"],
    record: true,
  },
  viewer: { path: "/viewer", title: "viewer", access: caseRoles, needs: ["study.detail"], record: true },
  ctViewer: { path: "/CT3DWebView", title: "ctViewer", access: caseRoles, needs: ["study.detail"], record: true },
  dashboard: {
    path: "/dashboard",
    title: "dashboard",
    access: [...dentistRoles, ...labRoles, "operator"],
    // An operator sees the growth of the platform instead.
    needs: [],
    sidebar: 3.5,
  },
  shareList: {
    path: "/shares",
    title: "shareList",
    access: caseRoles,
    needs: ["share.list", "share.step"],
    sidebar: 7,
  },
  studyShared: {
    path: "/studyShared/detail",
    title: "studyShared",
    access: "anyone",
    needs: ["share.knock", "share.open"],
    bare: true,
  },
  compare: {
    path: "/studyCompare",
    title: "compare",
    access: clinicRoles,
    needs: ["study.list", "study.detail"],
    record: true,
  },
  cephViewer: {
    path: "/cephView",
    title: "cephViewer",
    access: caseRoles,
    needs: ["ceph.open", "study.detail"],
    record: true,
  },
  cephOver: { path: "/cephOver", title: "cephOver", access: clinicRoles, needs: ["ceph.list"], record: true },
  filmMount: { path: "/filmMount", title: "filmMount", access: clinicRoles, needs: ["study.mount"], record: true },
  photoSeries: {
    path: "/photoSeries",
    title: "photoSeries",
    access: clinicRoles,
    needs: ["patient.detail", "study.list", "study.open"],
    record: true,
  },
  analysis: {
    path: "/analysis/page",
    title: "analysis",
    access: clinicRoles,
    needs: ["analysis.detail"],
    record: true,
  },
  engines: {
    path: "/engines",
    title: "engines",
    access: ["clinicAdmin"],
    needs: ["analysis.engines", "analysis.installPack"],
  },
  relationWeb: {
    path: "/relationWeb/page",
    title: "relationWeb",
    access: caseRoles,
    needs: ["relation.list"],
    sidebar: 4,
  },
  member: { path: "/member/page", title: "member", access: caseRoles, needs: ["member.list"], sidebar: 5 },
  institution: {
    path: "/institution",
    title: "institution",
    access: managerRoles,
    needs: ["institution.detail"],
    sidebar: 6,
  },
  leaving: { path: "/leaving", title: "leaving", access: managerRoles, needs: ["leaving.exports", "leaving.export"] },
  labPrograms: {
    path: "/labPrograms",
    title: "labPrograms",
    access: labRoles,
    needs: ["order.labProgram"],
  },
  openInterface: {
    path: "/openInterface",
    title: "openInterface",
    access: managerRoles,
    needs: ["interface.keys", "interface.webhooks", "scim.overview"],
  },
  trail: { path: "/auditTrail", title: "trail", access: managerRoles, needs: ["trail.list"] },
  operator: { path: "/operator", title: "operator", access: ["operator"], needs: ["operator.overview"], sidebar: 0.1 },
  organisations: {
    path: "/organisations",
    title: "organisations",
    access: ["operator"],
    needs: ["operator.organisations"],
    sidebar: 0.2,
  },
  serviceStaff: {
    path: "/serviceStaff",
    title: "serviceStaff",
    access: ["operator"],
    needs: ["operator.staff"],
    sidebar: 10,
  },
  aiEngines: {
    path: "/aiEngines",
    title: "aiEngines",
    access: ["operator"],
    needs: ["analysis.included"],
    sidebar: 0.3,
  },
  systemHealth: {
    path: "/systemHealth",
    title: "systemHealth",
    access: ["operator"],
    needs: ["operator.health"],
    sidebar: 11,
  },
  auditSearch: {
    path: "/auditSearch",
    title: "auditSearch",
    access: ["operator"],
    needs: ["operator.audit"],
    sidebar: 12,
  },
  arrivals: { path: "/imports", title: "arrivals", access: ["operator"], needs: ["leaving.arrivals"], sidebar: 13 },
  myCapacity: {
    path: "/myCapacity/page",
    title: "myCapacity",
    access: ["clinicAdmin"],
    needs: [
      "capacity.storage",
      "capacity.analyses",
      "capacity.plans",
      "capacity.subscriptions",
      "capacity.activations",
    ],
  },
  cards: {
    path: "/cards",
    title: "cards",
    access: ["operator"],
    needs: ["capacity.cards", "capacity.payments"],
    sidebar: 2,
  },
  profile: {
    path: "/profile/index",
    title: "profile",
    access: "signedIn",
    needs: ["account.getUserInfo", "institution.create"],
  },
  terms: { path: "/terms", title: "terms", access: "anyone", needs: ["account.privacyPolicy"], bare: true },
  privacy: { path: "/privacy", title: "privacy", access: "anyone", needs: ["account.privacyPolicy"], bare: true },
  iconList: { path: "/icon/index", title: "iconList", access: caseRoles, needs: [] },
  afterSales: { path: "/afterSales", title: "afterSales", access: afterSalesRoles, needs: ["clinic.list"], sidebar: 1 },
  clinicDetail: {
    path: "/clinicDetail",
    title: "clinicDetail",
    access: serviceRoles,
    needs: ["clinic.detail"],
    record: true,
  },
  serviceMap: {
    path: "/serviceMap",
    title: "serviceMap",
    access: ["afterSalesAdmin", "operator"],
    needs: ["clinic.map", "clinic.figures"],
    sidebar: 7,
  },
  myWorkOrder: {
    path: "/myWorkOrder",
    title: "myWorkOrder",
    access: serviceRoles,
    needs: ["workorder.list"],
    sidebar: 2,
  },
  workorderDetail: {
    path: "/workorderDetail",
    title: "workorderDetail",
    access: serviceRoles,
    needs: ["workorder.detail"],
    record: true,
  },
  reportWorkorder: {
    path: "/reportWorkorder",
    title: "reportWorkorder",
    access: ["afterSalesAdmin"],
    needs: ["workorder.create", "workorder.choices"],
  },
  myReport: { path: "/myReport", title: "myReport", access: afterSalesRoles, needs: ["workorder.list"], sidebar: 3 },
  workOrder: { path: "/workOrder/page", title: "workOrder", access: "signedIn", needs: [], record: true },
  feedbackList: {
    path: "/software_feedback",
    title: "feedbackList",
    access: serviceRoles,
    needs: ["feedback.list", "feedback.create"],
    sidebar: 8,
  },
  feedbackDetail: {
    path: "/feedbackDetail",
    title: "feedbackDetail",
    access: serviceRoles,
    needs: ["feedback.detail"],
    record: true,
  },
  upgradePackages: {
    path: "/upgradePackages",
    title: "upgradePackages",
    access: packageReaders,
    needs: ["upgrade.list"],
    sidebar: 9,
  },
  packageDetail: {
    path: "/packageDetail",
    title: "packageDetail",
    access: packageReaders,
    needs: ["upgrade.detail"],
    record: true,
  },
  softwareVersion: {
    path: "/softwareVersion",
    title: "softwareVersion",
    access: serviceRoles,
    needs: ["service.trail"],
    record: true,
  },
  equipment: { path: "/equipment", title: "equipment", access: clinicRoles, needs: ["device.list"], sidebar: 6 },
  devices: { path: "/devices", title: "devices", access: serviceRoles, needs: ["device.list"], sidebar: 2 },
  deviceDetail: {
    path: "/deviceDetail",
    title: "deviceDetail",
    access: serviceRoles,
    needs: ["device.detail"],
    record: true,
  },
  help: { path: "/help", title: "help", access: "anyone", needs: [], bare: true },
  notFound: { path: "/404", title: "notFound", access: "anyone", needs: [], bare: true },
  notAllowed: { path: "/401", title: "notAllowed", access: "anyone", needs: [], bare: true },
} as const satisfies Record<string, Screen>;

export type ScreenName = keyof typeof screens;
