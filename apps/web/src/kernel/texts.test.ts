import { describe, expect, it } from "vitest";
import { firstLanguage } from "./texts.ts";
import { translate } from "./translate.ts";

describe("the language of a first visit", () => {
  it.each([
    ["what the address asks for", "zh", "en", ["en-US"], "zh"],
    ["any of ours that the address asks for", "ar", "zh", ["zh-CN"], "ar"],
    ["English for any other language in the address", "de", "zh", ["zh-CN"], "en"],
    ["what was chosen before", null, "en", ["zh-CN"], "en"],
    ["one that the dialog does not offer, once it was chosen", null, "ru", ["zh-CN"], "ru"],
    ["the browser's, where it is offered", null, undefined, ["en-GB", "zh"], "en"],
    ["Chinese otherwise", null, undefined, ["de-DE", "en"], "zh"],
    ["Chinese for a browser in a language that is not offered", null, undefined, ["ru-RU"], "zh"],
    ["Chinese when a cookie holds nonsense", null, "xx", [], "zh"],
  ] as const)("is %s", (_, asked, kept, browser, language) =>
    expect(firstLanguage(asked, kept, browser)).toBe(language),
  );
});

describe("a text", () => {
  const texts = {
    order: { hello: "{{name}}, {{ count }}", files_one: "{{count}} file", files_other: "{{count}} files" },
  };
  it("has its placeholders filled, a missing one by nothing", () => {
    expect(translate(texts, "en", "order.hello", { name: "王" })).toBe("王, ");
  });
  it("takes the form of its number, and the only one that a language has", () => {
    expect(translate(texts, "en", "order.files", { count: 1 })).toBe("1 file");
    expect(translate(texts, "en", "order.files", { count: 0 })).toBe("0 files");
    expect(translate(texts, "zh", "order.files", { count: 1 })).toBe("1 files");
    const few = { order: { files_two: "ملفان", files_few: "{{count}} ملفات", files_other: "{{count}} ملف" } };
    expect(translate(few, "ar", "order.files", { count: 2 })).toBe("ملفان");
    expect(translate(few, "ar", "order.files", { count: 7 })).toBe("7 ملفات");
  });
  it("without words is its key, or what the caller gives", () => {
    expect(translate(texts, "en", "order.none")).toBe("order.none");
    expect(translate(texts, "en", "order", { defaultValue: "" })).toBe("");
  });
});
