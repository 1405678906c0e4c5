import type { Role } from "../kernel/roles.ts";
import { roles } from "../kernel/roles.ts";
import type { ScreenName } from "../screens.ts";
import type { GuidePageName } from "./user-guide.ts";

/** A page of the guide; where sides work differently on a screen, one for each. */
type ScreenHelp = GuidePageName | Record<"clinic" | "lab" | "none", GuidePageName>;

/**
 * The page of the user guide that explains a screen. The sentence about the screen is `screen` in help.json. Pages that
 * only say one thing have no help.
 */
export const screenHelp = {
  login: "sign-in-and-security",
  register: "sign-in-and-security",
  forgot: "sign-in-and-security",
  setup: null,
  invitation: "invite-members",
  launch: null,
  authorizeApp: null,
  decideApp: "sign-in-and-security",
  launchedPatient: "add-a-patient",
  authRedirect: null,
  today: { clinic: "find-your-way", lab: "work-with-the-board", none: "find-your-way" },
  patientList: "add-a-patient",
  inbox: "match-incoming-images",
  patientDetail: "upload-images",
  orderList: { clinic: "order-a-crown", lab: "take-an-order", none: "order-a-crown" },
  orderDetail: { clinic: "review-a-design", lab: "deliver-a-design", none: "review-a-design" },
  sendPage: "order-a-crown",
  reportDetail: "sign-a-report",
  viewer: "read-a-panoramic-radiograph",
  ctViewer: "read-a-cbct",
  dashboard: "follow-the-figures",
  shareList: "share-with-a-guest",
  studyShared: "share-with-a-guest",
  photoSeries: "take-photographs",
  compare: "compare-images",
  cephViewer: "trace-a-cephalogram",
  cephOver: "compare-images",
  filmMount: "compare-images",
  analysis: "review-an-analysis",
  engines: "review-an-analysis",
  relationWeb: "connect-an-organisation",
  member: "invite-members",
  institution: "organisation-settings",
  leaving: "export-all-data",
  labPrograms: "exchange-with-cad-programs",
  openInterface: "connect-other-software",
  trail: "organisation-settings",
  operator: "manage-organisations",
  organisations: "manage-organisations",
  serviceStaff: "manage-organisations",
  aiEngines: "manage-organisations",
  systemHealth: "watch-system-health",
  auditSearch: "watch-system-health",
  arrivals: "manage-organisations",
  myCapacity: "manage-capacity",
  cards: "sell-capacity",
  profile: "sign-in-and-security",
  terms: null,
  privacy: null,
  iconList: "find-your-way",
  afterSales: "care-for-clinics",
  clinicDetail: "care-for-clinics",
  serviceMap: "care-for-clinics",
  myWorkOrder: "handle-work-orders",
  workorderDetail: "handle-work-orders",
  reportWorkorder: "handle-work-orders",
  myReport: "handle-work-orders",
  workOrder: "clinic-equipment",
  feedbackList: "feedback-and-software",
  feedbackDetail: "feedback-and-software",
  upgradePackages: "feedback-and-software",
  packageDetail: "feedback-and-software",
  softwareVersion: "feedback-and-software",
  equipment: "clinic-equipment",
  devices: "register-devices",
  deviceDetail: "register-devices",
  help: null,
  notFound: null,
  notAllowed: null,
} as const satisfies Record<ScreenName, ScreenHelp | null>;

/** The screens that have help. */
export type HelpedScreen = {
  [Name in ScreenName]: (typeof screenHelp)[Name] extends null ? never : Name;
}[ScreenName];

export const hasHelp = (screen: ScreenName | undefined): screen is HelpedScreen =>
  screen !== undefined && screenHelp[screen] !== null;

/** Returns the page of the guide that explains a screen to a role. */
export function findGuidePage(screen: HelpedScreen, role: Role | undefined): GuidePageName {
  const page = screenHelp[screen];
  return typeof page === "string" ? page : page[role ? roles[role].side : "none"];
}
