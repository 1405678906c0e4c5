import { profileCalls } from "@arcada/contract/account/profile.calls";
import { routes } from "../../platform/http/serve.ts";
import { readUserInfo } from "../user-info.ts";
import { parseTarget } from "../account.store.ts";
import { completeInstitutionAccount, completePersonalAccount } from "./complete-account.ts";
import { bindContact, verifyBoundContact, unbindContact } from "./bind-contact.ts";
import { saveErrorReports } from "../diagnostics/error-reports.ts";
import { buildLegalText } from "./legal-text.ts";

export const profileRoutes = routes(profileCalls, {
  setContactInfo: async (input, context) => {
    await bindContact(context, parseTarget(input.account, input.countryCode), input);
    return readUserInfo(context);
  },
  checkOriginalInfo: async (input, context) => ({ ticket: await verifyBoundContact(context, input) }),
  unbindContactInfo: async (input, context) => {
    await unbindContact(context, input);
    return readUserInfo(context);
  },
  initSelfInfo: (input, context) => completePersonalAccount(context, input),
  initStudyInfo: (input, context) => completeInstitutionAccount(context, input),
  privacyPolicy: async ({ kind }, { language, config }) => buildLegalText(kind, language, config),
  reportErrors: (input, context) => saveErrorReports(context, input.errors),
});
