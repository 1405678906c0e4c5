import { accountRules } from "@arcada/contract/account/account.rules";
import type { LegalKind } from "@arcada/contract/account/profile.calls";
import type { Config } from "../../platform/runtime/config.ts";
import { translate } from "../../platform/text/texts.ts";
import type { Language } from "../../platform/text/texts.ts";

const sections = {
  terms: ["service", "account", "use", "medical", "data", "sharing", "availability", "liability", "end", "changes"],
  privacy: ["who", "what", "why", "patients", "cookies", "where", "others", "long", "rights", "changes"],
} as const satisfies Record<LegalKind, readonly string[]>;

/** The terms or the privacy policy as Markdown: an introduction, then sections with headings of their own. */
export function buildLegalText(kind: LegalKind, language: Language, config: Config) {
  const t = (key: string) => translate(language, "legal", `${kind}.${key}`, { company: config.COMPANY_NAME });
  const parts = sections[kind].map((name) => `## ${t(`${name}.title`)}\n\n${t(`${name}.text`)}`);
  return { title: t("title"), version: accountRules.legalVersion, markdown: [t("intro"), ...parts].join("\n\n") };
}
