import { describe, expect, it } from "vitest";
import { detectLanguage } from "./texts.ts";
import { translate, type Values } from "./translate.ts";

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
    expect(detectLanguage(asked, kept, browser)).toBe(language),
  );
});

describe("a text", () => {
  const texts = {
    order: { hello: "{{name}}, {{ count }}", files_one: "{{count}} file", files_other: "{{count}} files" },
  };
  it("has its placeholders filled, one without a value by nothing", () => {
    expect(translate(texts, "en", "order.hello", { name: "王" })).toBe("王, ");
  });
  it("uses the plural form of its count, or the only form that the language has", () => {
    expect(translate(texts, "en", "order.files", { count: 1 })).toBe("1 file");
    expect(translate(texts, "en", "order.files", { count: 0 })).toBe("0 files");
    expect(translate(texts, "zh", "order.files", { count: 1 })).toBe("1 files");
    const few = { order: { files_two: "ملفان", files_few: "{{count}} ملفات", files_other: "{{count}} ملف" } };
    expect(translate(few, "ar", "order.files", { count: 2 })).toBe("ملفان");
    expect(translate(few, "ar", "order.files", { count: 7 })).toBe("7 ملفات");
  });
  it("keeps a number with its unit and the ends of a range together, also in placeholders", () => {
    const told = (language: string, text: string, values = {}) =>
      translate({ x: { y: text } }, language, "x.y", values);
    expect(told("en", "{{value}} mm along the arch", { value: "12.3" })).toBe("12.3\u00a0mm along the arch");
    expect(told("en", "{{value}} mm", { value: "VALUE" })).toBe("VALUE\u00a0mm");
    expect(told("en", "Error ± {{value}} {{unit}} ({{set}})", { value: 1, unit: "°", set: "a b" })).toBe(
      "Error ±\u00a01\u00a0° (a b)",
    );
    expect(told("en", "{{least}}–{{most}} pictures, 24–26", { least: 6, most: 10 })).toBe(
      "6\u2060–\u206010 pictures, 24\u2060–\u206026",
    );
    expect(told("ru", "{{value}} мм², {{files}} мест", { value: 2, files: 3 })).toBe("2\u00a0мм², 3 мест");
    expect(told("ar", "{{value}} مم، {{count}} ملفات", { value: 2, count: 3 })).toBe("2\u00a0مم، 3 ملفات");
    // Text written by people remains unchanged, and so do words that begin like units.
    expect(told("en", "{{name}} has {{count}} months", { name: "5 mm – 6", count: 3 })).toBe("5 mm – 6 has 3 months");
  });

  it("keeps the parts of an order number and of a date in their order behind Arabic words", () => {
    const told = (text: string, values: Values) => translate({ said: { it: text } }, "ar", "said.it", values);
    expect(told("الطلب {{number}}", { number: "261123-100010" })).toBe("الطلب \u2068261123-100010\u2069");
    expect(told("حتى {{day}}", { day: "2026-11-24" })).toBe("حتى \u20682026-11-24\u2069");
    expect(told("{{count}} ملفات", { count: 3 })).toBe("3 ملفات");
  });
  it("without a translation is its key, or the caller's default", () => {
    expect(translate(texts, "en", "order.none")).toBe("order.none");
  });
});
