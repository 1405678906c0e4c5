import { launchCalls } from "@arcada/contract/account/launch-code.calls";
import { routes } from "../../platform/http/serve.ts";
import { issueLaunchCode } from "./exchange-code.ts";

export const launchRoutes = routes(launchCalls, {
  code: ({ user }, context) => issueLaunchCode(context, user),
});
