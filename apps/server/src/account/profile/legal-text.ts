import { accountRules } from "@arcada/contract/account/account.rules";
import type { LegalKind } from "@arcada/contract/account/profile.calls";
import type { Config } from "../../platform/runtime/config.ts";
import { translate } from "../../platform/text/texts.ts";
import type { KeyIn, Language } from "../../platform/text/texts.ts";

const sections = {
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
export function buildLegalText(kind: LegalKind, language: Language, config: Config) {
  const t = (key: KeyIn<"legal">) => translate(language, "legal", key, { company: config.COMPANY_NAME });
  const parts = sections[kind].map((name) => `## ${t(`${name}.title`)}\n\n${t(`${name}.text`)}`);
  const markdown = [t(`${kind}.intro`), ...parts].join("\n\n");
  return { title: t(`${kind}.title`), version: accountRules.legalVersion, markdown };
}
