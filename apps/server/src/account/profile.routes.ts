import { profileCalls } from "@arcada/contract/account/profile.calls";
import { routes } from "../platform/http/serve.ts";
import { userInfoOf } from "./account.ts";
import { targetOf } from "./account.store.ts";
import { completeOrganisation, completePerson } from "./completion.ts";
import { bindContact, checkOriginal, unbindContact } from "./contacts.ts";
import { keepErrors } from "./error-reports.ts";
import { legalText } from "./legal.ts";

export const profileRoutes = routes(profileCalls, {
  setContactInfo: async (input, context) => {
    await bindContact(context, targetOf(input.account, input.countryCode), input);
    return userInfoOf(context);
  },
  checkOriginalInfo: async (input, context) => ({ ticket: await checkOriginal(context, input) }),
  unbindContactInfo: async (input, context) => {
    await unbindContact(context, input);
    return userInfoOf(context);
  },
  initSelfInfo: (input, context) => completePerson(context, input),
  initStudyInfo: (input, context) => completeOrganisation(context, input),
  privacyPolicy: async ({ kind }, { language, config }) => legalText(kind, language, config),
  reportErrors: (input, context) => keepErrors(context, input.errors),
});
