import { openReportDocument } from "./report.open-document.ts";
import { reportRoutes } from "./report.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const reportSlice: Slice = {
  name: "report",
  routes: reportRoutes,
  documents: (database) => ({ report: openReportDocument(database) }),
};
