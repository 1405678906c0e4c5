import { errorReportCalls } from "@arcada/contract/account/error-reports.calls";
import { routes } from "../../platform/http/serve-calls.ts";
import { saveErrorReports } from "./error-reports.ts";

export const errorReportRoutes = routes(errorReportCalls, {
  reportErrors: (input, context) => saveErrorReports(context, input.errors),
});
