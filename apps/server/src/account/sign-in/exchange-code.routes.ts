import { exchangeCodeCalls } from "@arcada/contract/account/exchange-code.calls";
import { routes } from "../../platform/http/serve-calls.ts";
import { redeemExchangeCode, issueExchangeCode } from "./exchange-code.ts";

export const exchangeCodeRoutes = routes(exchangeCodeCalls, {
  exchange: ({ code }, context) => redeemExchangeCode(context, code),

  exchangeCode: (_, context) =>
    issueExchangeCode(context, context.principal.uid, { session: context.principal.sessionId }),
});
