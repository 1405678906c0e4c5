import { describe, expect, it } from "vitest";
import { languages } from "@arcada/contract/kernel/languages";
import { emailHtml } from "../mail/email-html.ts";
import { parseLanguage, translate } from "./texts.ts";

describe("the server's texts", () => {
  it.each([
    ["ar", "ar"],
    ["ru-RU,ru;q=0.9,en;q=0.8", "ru"],
    ["de-DE,de;q=0.9,zh;q=0.8", "zh"],
    ["de", "en"],
    [undefined, "en"],
  ])("for a reader who asks for %s are in %s", (header, language) => expect(parseLanguage(header)).toBe(language));

  it.each(languages)("refuse in %s with the figure that matters", (language) => {
    const said = translate(language, "refusals", "codeTooSoon", { seconds: 40 });
    expect(said).toContain("40");
    expect(said).not.toContain("{{");
  });

  it("take the form of the number", () => {
    expect(translate("ru", "patient", "count", { count: 3 })).toBe("3 пациента");
    expect(translate("ar", "patient", "count", { count: 2 })).toBe("مريضان");
    expect(translate("zh", "patient", "count", { count: 1 })).toContain("1");
  });

  it("run from right to left in an Arabic email", () => {
    const page = { title: "رمزكم", body: "123456", foot: "–", link: null };
    expect(emailHtml({ language: "ar", ...page })).toContain('<html lang="ar" dir="rtl">');
    expect(emailHtml({ language: "ru", ...page })).toContain('<html lang="ru" dir="ltr">');
  });
});
