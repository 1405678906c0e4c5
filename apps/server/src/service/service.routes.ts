import { serviceCalls } from "@arcada/contract/service/service.calls";
import { routes } from "../platform/http/serve.ts";
import { trailOf } from "./trail.ts";

export const serviceRoutes = routes(serviceCalls, { trail: (asked, context) => trailOf(context, asked) });
