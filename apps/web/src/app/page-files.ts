import type { ScreenName } from "@arcada/contract/screens";
import type { TextFile } from "../i18n/texts.ts";

/** The page of each screen and its texts. The sign-in pages are a separate app. */
export const pageFiles: Record<Exclude<ScreenName, SignInScreen>, PageFile> = {
  patientList: { file: "pages/patient-list", texts: ["patient", "institution"] },
  inbox: { file: "pages/inbox", texts: ["inbox", "study", "patient"] },
  patientDetail: {
    file: "pages/patient-detail",
    texts: ["inbox", "patient", "study", "upload", "order", "viewer", "refusals", "share"],
  },
  orderList: { file: "pages/order-list", texts: ["order", "institution"] },
  orderDetail: {
    file: "pages/order-detail",
    texts: ["order", "orderDetail", "patient", "share", "study", "viewer"],
  },
  sendPage: { file: "pages/order-form", texts: ["order", "patient", "study", "relation"] },
  reportDetail: { file: "report/report-detail", texts: ["report", "chart", "study", "ceph"] },
  viewer: { file: "pages/viewer", texts: ["viewer", "share"] },
  ctViewer: { file: "pages/ct-viewer", texts: ["viewer", "share"] },
  compare: { file: "pages/image-comparison", texts: ["viewer", "study", "patient"] },
  dashboard: { file: "dashboard/dashboard", texts: ["dashboard", "order", "capacity"] },
  operator: { file: "operator/operator", texts: ["operator"] },
  organisations: { file: "operator/organisations", texts: ["operator"] },
  serviceStaff: { file: "operator/after-sales-staff", texts: ["operator"] },
  systemHealth: { file: "operator/instance-health", texts: ["operator"] },
  auditSearch: { file: "operator/audit", texts: ["operator", "trail", "order"] },
  shareList: { file: "share/share-list", texts: ["share", "study"] },
  studyShared: { file: "pages/shared-link", texts: ["share", "viewer", "study", "refusals"] },
  cephViewer: { file: "pages/ceph", texts: ["ceph", "viewer", "study"] },
  cephOver: { file: "pages/ceph-superimposition", texts: ["ceph", "viewer"] },
  filmMount: { file: "pages/series-mount", texts: ["viewer"] },
  analysis: { file: "pages/analysis-review", texts: ["analysis", "chart", "viewer", "study", "refusals"] },
  engines: { file: "analysis/engines", texts: ["analysis", "refusals"] },
  relationWeb: { file: "relation/relation-list", texts: ["relation", "institution"] },
  member: { file: "member/member-list", texts: ["member"] },
  setup: { file: "account/setup", texts: ["setup", "account", "refusals"] },
  invitation: { file: "pages/invitation", texts: ["member", "account"] },
  institution: { file: "institution/institution-settings", texts: ["institution", "refusals"] },
  leaving: { file: "data-export/data-export", texts: ["leaving", "refusals"] },
  arrivals: { file: "data-export/data-imports", texts: ["leaving", "refusals"] },
  openInterface: { file: "integrations/integrations", texts: ["interface"] },
  trail: { file: "audit/audit-log", texts: ["trail"] },
  myCapacity: { file: "capacity/clinic-capacity", texts: ["capacity", "myCapacity"] },
  cards: { file: "capacity/capacity-sales", texts: ["capacity", "cards"] },
  profile: { file: "pages/profile", texts: ["account", "institution", "member", "notice"] },
  terms: { file: "account/terms", texts: ["account"] },
  privacy: { file: "account/privacy", texts: ["account"] },
  afterSales: { file: "clinic/clinic-list", texts: ["clinic"] },
  clinicDetail: { file: "pages/clinic-detail", texts: ["clinic", "device", "workorder", "service"] },
  serviceMap: { file: "clinic/service-map", texts: ["clinic", "device", "workorder"] },
  myWorkOrder: { file: "workorder/after-sales-workorders", texts: ["workorder"] },
  workorderDetail: { file: "pages/workorder-detail", texts: ["workorder", "service", "refusals"] },
  reportWorkorder: { file: "workorder/new-workorder", texts: ["workorder"] },
  myReport: { file: "workorder/my-reported-workorders", texts: ["workorder"] },
  workOrder: { file: "workorder/clinic-workorders", texts: ["workorder", "refusals"] },
  feedbackList: { file: "feedback/feedback-list", texts: ["feedback"] },
  feedbackDetail: { file: "pages/feedback-detail", texts: ["feedback", "service"] },
  upgradePackages: { file: "upgrade/upgrade-packages", texts: ["upgrade"] },
  packageDetail: { file: "pages/upgrade-package-detail", texts: ["upgrade", "service"] },
  softwareVersion: { file: "service/software-version", texts: ["service"] },
  equipment: { file: "device/clinic-devices", texts: ["device"] },
  devices: { file: "device/registered-devices", texts: ["device"] },
  deviceDetail: { file: "pages/device-detail", texts: ["device", "service"] },
  iconList: { file: "shell/icon-list", texts: ["shell"] },
  notFound: { file: "shell/not-found", texts: ["shell"] },
  notAllowed: { file: "shell/not-allowed", texts: ["shell"] },
};
type SignInScreen = "login" | "register" | "forgot" | "authRedirect";

export interface PageFile {
  file: string;
  texts: TextFile[];
}
