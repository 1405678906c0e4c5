import { completeAccountCalls } from "@arcada/contract/account/complete-account.calls";
import { routes } from "../../platform/http/serve-calls.ts";
import { completeInstitutionAccount, completePersonalAccount } from "./complete-account.ts";

export const completeAccountRoutes = routes(completeAccountCalls, {
  initSelfInfo: (input, context) => completePersonalAccount(context, input),
  initStudyInfo: (input, context) => completeInstitutionAccount(context, input),
});
