import { serviceCalls } from "@arcada/contract/service/service.calls";
import { routes } from "../platform/http/serve.ts";
import { loadLinkedRecords } from "./linked-records.ts";

export const serviceRoutes = routes(serviceCalls, { trail: (request, context) => loadLinkedRecords(context, request) });
