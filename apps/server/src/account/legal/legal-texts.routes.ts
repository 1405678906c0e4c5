import { legalTextCalls, type LegalKind } from "@arcada/contract/account/legal-texts.calls";
import { accountRules } from "@arcada/contract/account/account.rules";
import { routes } from "../../platform/http/serve-calls.ts";
import type { Config } from "../../platform/runtime/config.ts";
import { translate, type KeyIn, type Language } from "../../platform/text/texts.ts";

export const legalTextRoutes = routes(legalTextCalls, {
  privacyPolicy: async ({ kind }, { language, config }) => buildLegalText(kind, language, config),
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
