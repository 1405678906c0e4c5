import { accountRules } from "@arcada/contract/account/account.rules";
import type { LegalKind } from "@arcada/contract/account/profile.calls";
import type { Config } from "../platform/runtime/config.ts";
import { textOf } from "../platform/text/texts.ts";
import type { Language } from "../platform/text/texts.ts";

const sections = {
  terms: ["service", "account", "use", "medical", "data", "sharing", "availability", "liability", "end", "changes"],
  privacy: ["who", "what", "why", "patients", "cookies", "where", "others", "long", "rights", "changes"],
} as const satisfies Record<LegalKind, readonly string[]>;

/** The terms or the privacy policy as Markdown: an introduction, then sections with headings of their own. */
export function legalText(kind: LegalKind, language: Language, config: Config) {
  const say = (key: string) => textOf(language, "legal", `${kind}.${key}`, { company: config.COMPANY_NAME });
  const parts = sections[kind].map((name) => `## ${say(`${name}.title`)}\n\n${say(`${name}.text`)}`);
  return { title: say("title"), version: accountRules.legalVersion, markdown: [say("intro"), ...parts].join("\n\n") };
}
