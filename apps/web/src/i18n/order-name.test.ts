import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { formatOrderTitle } from "./order-name.ts";
import { translate } from "./translate.ts";
import type { Texts, Values } from "./translate.ts";

const speak = (language: string) => {
  const file = new URL(`../../../../packages/texts/${language}/order.json`, import.meta.url);
  const texts = { order: JSON.parse(readFileSync(file, "utf8")) as Texts };
  return (key: string, values?: Values) => translate(texts, language, key, values);
};
const item = (
  kind: "crown" | "bridge" | "veneer",
  teeth: number[],
  material: "zirconia" | "titanium" | null = null,
) => ({
  kind,
  teeth,
  material,
  shade: null,
});
const order = (work: ReturnType<typeof item>[], caseType: "restoration" | "implant" = "restoration") => ({
  number: "261123-100010",
  patientName: "王芳",
  caseType,
  work,
});
const title = (...given: Parameters<typeof order>) => {
  const named = formatOrderTitle(speak("zh"), "fdi", order(...given));
  return named.replaceAll(/[\u2060\u2066\u2069]/g, "");
};

describe("the name of an order", () => {
  it("is the patient, the work and its teeth, as people say it", () => {
    expect(title([item("crown", [16], "zirconia")])).toBe("王芳 · 16 全瓷冠 · 261123-100010");
    expect(title([item("crown", [46], "titanium")], "implant")).toBe("王芳 · 46 种植冠 · 261123-100010");
    const english = formatOrderTitle(speak("en"), "universal", {
      ...order([item("crown", [16])]),
      patientName: "Amelia Hart",
    });
    expect(english).toMatch(/^Amelia Hart · crown 3 · /);
  });

  it("puts the teeth of one kind together, and counts what a name has no room for", () => {
    const work = [item("crown", [11]), item("crown", [21]), item("bridge", [35, 36, 37]), item("veneer", [12])];
    expect(title(work)).toBe("王芳 · 11, 21 牙冠, 35–37 桥 +1 · 261123-100010");
  });

  it("is the kind of the case where no work is named", () => {
    expect(title([], "implant")).toBe("王芳 · 种植 · 261123-100010");
  });
});
