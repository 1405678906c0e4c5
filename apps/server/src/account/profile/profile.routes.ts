import { profileCalls, type LegalKind } from "@arcada/contract/account/profile.calls";
import { accountRules } from "@arcada/contract/account/account.rules";
import { routes } from "../../platform/http/serve.ts";
import { readUserInfo, requireReachable } from "../user-info.ts";
import { parseTarget } from "../account.store.ts";
import { completeInstitutionAccount, completePersonalAccount } from "./complete-account.ts";
import { bindContact, verifyBoundContact, unbindContact } from "./contact-changes.ts";
import { saveErrorReports } from "../diagnostics/error-reports.ts";
import type { Config } from "../../platform/runtime/config.ts";
import { translate, type KeyIn, type Language } from "../../platform/text/texts.ts";

export const profileRoutes = routes(profileCalls, {
  setContactInfo: async (input, context) => {
    await bindContact(context, requireReachable(parseTarget(input.account, input.countryCode)), input);
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

const legalSections = {
  terms: [
    "terms.service",
    "terms.account",
    "terms.use",
    "terms.medical",
    "terms.data",
    "terms.sharing",
    "terms.availability",
    "terms.liability",
    "terms.end",
    "terms.changes",
  ],
  privacy: [
    "privacy.who",
    "privacy.what",
    "privacy.why",
    "privacy.patients",
    "privacy.cookies",
    "privacy.where",
    "privacy.others",
    "privacy.long",
    "privacy.rights",
    "privacy.changes",
  ],
} as const satisfies Record<LegalKind, readonly string[]>;

/** The terms or the privacy policy as Markdown: an introduction, then sections with headings of their own. */
function buildLegalText(kind: LegalKind, language: Language, config: Config) {
  const t = (key: KeyIn<"legal">) => translate(language, "legal", key, { company: config.COMPANY_NAME });
  const parts = legalSections[kind].map((name) => `## ${t(`${name}.title`)}\n\n${t(`${name}.text`)}`);
  const markdown = [t(`${kind}.intro`), ...parts].join("\n\n");
  return { title: t(`${kind}.title`), version: accountRules.legalVersion, markdown };
}
