import { launchCalls } from "@arcada/contract/account/launch.calls";
import { routes } from "../platform/http/serve.ts";
import { issueLaunch } from "./exchange.ts";

export const launchRoutes = routes(launchCalls, {
  code: ({ user }, context) => issueLaunch(context, user),
});
