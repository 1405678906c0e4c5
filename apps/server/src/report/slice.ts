import { openReportAnnex, openReportDocument } from "./report.open-document.ts";
import { reportRoutes } from "./report.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const reportSlice: Slice = {
  name: "report",
  tables: ["report", "report_counter", "report_picture", "report_paper"],
  reads: [
    "users",
    "institution",
    "membership",
    "patient",
    "study",
    "series",
    "instance",
    "converted_file",
    "tooth_chart",
    "chart_decision",
    "ceph_tracing",
    "analysis",
    "observation",
  ],
  routes: reportRoutes,
  documents: (database) => ({
    report: openReportDocument(database),
    reportAnnex: openReportAnnex(database),
  }),
};
