import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import { fakeBrowser } from "../browser/fake-browser.ts";
import { RefusalError, readFieldProblems } from "./call-errors.ts";
import { chooseLanguage } from "../i18n/texts.ts";

beforeEach(() => void fakeBrowser());
afterEach(() => vi.unstubAllGlobals());

describe("a refusal that the page shows", () => {
  it("follows the language that the reader chooses, and keeps the server's text in the first language", async () => {
    await chooseLanguage("en");
    const refused = new RefusalError({
      code: refusals.codeTooSoon.code,
      status: 429,
      msg: "Soon, says the server.",
      details: { seconds: 40, code: "codeTooSoon" },
      requestId: null,
    });
    expect(refused.msg).toBe("Soon, says the server.");
    await chooseLanguage("ru");
    expect(refused.msg).toBe("Код только что отправлен. Новый можно запросить через 40\u00a0с.");
    expect(readFieldProblems(refused)).toEqual({ code: refused.msg });
    await chooseLanguage("ar");
    expect(refused.msg).toContain("40");
    await chooseLanguage("en");
    expect(refused.msg).toBe("Soon, says the server.");
  });

  it("keeps the server's text if its code is unknown", async () => {
    await chooseLanguage("en");
    const unknown = new RefusalError({ code: 1, status: 400, msg: "No.", details: null, requestId: null });
    await chooseLanguage("zh");
    expect(unknown.msg).toBe("No.");
  });
});
