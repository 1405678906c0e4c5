import { serviceCalls } from "@arcada/contract/service/linked-records.calls";
import { routes } from "../platform/http/serve-calls.ts";
import { loadLinkedRecords } from "./load-linked-records.ts";

export const serviceRoutes = routes(serviceCalls, { trail: (request, context) => loadLinkedRecords(context, request) });
