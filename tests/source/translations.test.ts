import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { languages } from "@arcada/contract/kernel/languages";
import type { Language } from "@arcada/contract/kernel/languages";
import { refusals } from "@arcada/contract/kernel/refusals";
import { fieldGroups } from "@arcada/contract/patient/patient-field-definition";
import { fieldsInOrder } from "@arcada/contract/patient/patient-fields";
import { screens } from "@arcada/contract/screens";
import type { Screen } from "@arcada/contract/screens";
import type { FullKey } from "@arcada/texts/keys";

const folder = path.join(import.meta.dirname, "../../packages/texts");
const files = readdirSync(path.join(folder, "en"));
type Node = string | { [key: string]: Node };

describe.each(languages)("the texts in %s", (language) => {
  it("are in as many files as the English ones", () =>
    expect(readdirSync(path.join(folder, language)).toSorted()).toEqual(files.toSorted()));

  it.each(files)("%s has the keys of the English one, none empty", (file) => {
    const [reference, texts] = [read("en", file), read(language, file)];
    expect([...new Set(texts.keys().map(stripPluralForm))].toSorted()).toEqual(
      [...new Set(reference.keys().map(stripPluralForm))].toSorted(),
    );
    expect([...texts].filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  it.each(files)("%s has every form that a number asks for", (file) => {
    const texts = read(language, file);
    for (const key of pluralKeys(texts))
      expect([...texts.keys()].filter((one) => stripPluralForm(one) === key && one !== key).map(formOf)).toEqual(
        expect.arrayContaining(formsOf(language)),
      );
  });

  it.each(files)("%s fills the same placeholders", (file) => {
    const english = Map.groupBy(read("en", file), ([key]) => stripPluralForm(key));
    for (const [key, text] of read(language, file)) {
      const known = new Set((english.get(stripPluralForm(key)) ?? []).flatMap(([, one]) => placeholders(one)));
      // The forms for zero, one and two may omit the number. A language with more forms than English needs the number.
      const named = [...known].filter((name) => name !== "count" || !["zero", "one", "two"].includes(formOf(key)));
      expect(placeholders(text), key).toEqual(expect.arrayContaining(named));
      expect([...known, ...(formOf(key) ? ["count"] : [])], key).toEqual(expect.arrayContaining(placeholders(text)));
    }
  });

  it("speak of every refusal, and of nothing that is none", () =>
    expect([...read(language, "refusals.json").keys()].toSorted()).toEqual(Object.keys(refusals).toSorted()));

  it("name every screen", () => {
    const shell = read(language, "shell.json");
    for (const screen of Object.values(screens) as Screen[]) expect(shell.get(`screen.${screen.title}`)).toBeTruthy();
  });

  it("name every field of a patient and every group of fields", () => {
    const texts = read(language, "patient.json");
    for (const field of fieldsInOrder) expect(texts.get(`field.${field}`), field).toBeTruthy();
    for (const group of fieldGroups) expect(texts.get(`group.${group}`), group).toBeTruthy();
  });

  it("are no English left over", () => {
    if (language === "en") return;
    const left = files.flatMap((file) => {
      const reference = read("en", file);
      return [...read(language, file)]
        .filter(([key, text]) => text === reference.get(key) && isWord(text))
        .map(([key, text]) => `${file} ${key}: ${text}`);
    });
    expect(left.filter((line) => !mayBeEqual(language, line.slice(line.indexOf(": ") + 2)))).toEqual([]);
  });
});

/** Names, standards, units and the languages' own names are the same everywhere. */
const names = new Set([
  "Arcada",
  "CT",
  "CBCT",
  "DICOM",
  "FDI",
  "GB",
  "OK",
  "PACS",
  "Palmer",
  "SHA-256",
  "https",
  "STL",
  "3D",
  "x {{x}}, y {{y}}",
  "C {{center}}  W {{width}}",
  "{{value}} HU",
  "{{value}} mm",
  "{{value}} px",
  "{{value}} mm²",
  "{{value}} px²",
  "{{value}} min",
  "< 1 min",
  "{{mb}} MB",
  "{{mbps}} Mbps",
  // The shape of a recovery code.
  "xxxxx-xxxxxx",
  "简体中文",
  "English",
  "Türkçe",
  "Español",
  "العربية",
  "Русский",
]);
/** Words that a language writes as English does. */
const cognates: Partial<Record<Language, readonly string[]>> = {
  es: [
    "Axial",
    "Caries",
    "Cookies",
    "Coronal",
    "Diabetes",
    "Distal",
    "Gamma",
    "gamma {{gamma}}",
    "Incisal",
    "Intraoral",
    "L",
    "Labial",
    "Lingual",
    "lingual",
    "Material",
    "Mesial",
    "No",
    "P",
    "Total",
    "Universal",
  ],
  tr: ["B", "Distal", "L", "Labial", "Lingual", "lingual", "model", "P", "Panorama", "Post", "video", "Video"],
};
const mayBeEqual = (language: Language, text: string): boolean =>
  names.has(text) || (cognates[language] ?? []).includes(text);
const isWord = (text: string): boolean => /\p{L}/u.test(text.replaceAll(/\{\{\w+\}\}/g, ""));

const read = (language: Language, file: string): Map<string, string> =>
  new Map(leaves(JSON.parse(readFileSync(path.join(folder, language, file), "utf8")) as Node));
function leaves(node: Node, at = ""): [string, string][] {
  if (typeof node === "string") return [[at, node]];
  return Object.entries(node).flatMap(([key, child]) => leaves(child, at ? `${at}.${key}` : key));
}

const form = /_(zero|one|two|few|many|other)$/;
const stripPluralForm = (key: string): string => key.replace(form, "");
const formOf = (key: string): string => form.exec(key)?.[1] ?? "";
const pluralKeys = (texts: Map<string, string>): string[] =>
  [...texts.keys()].filter((key) => formOf(key) === "other").map(stripPluralForm);
/** The forms of the whole numbers that people meet, and the one for all others. */
const formsOf = (language: Language): string[] => {
  const rules = new Intl.PluralRules(language);
  return [...new Set([...Array.from({ length: 200 }, (_, count) => rules.select(count)), "other"])];
};
const placeholders = (text: string): string[] => [...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map((match) => match[1]);

describe("the keys of the texts", () => {
  it("are types: a misspelt key does not compile", () => {
    const keys: FullKey<"order">[] = ["order.title", "order.due.late"];
    // @ts-expect-error -- no text has this name
    keys.push("order.titel");
    // @ts-expect-error -- the name below `state` must be one of a union
    keys.push(`order.state.${"draft" as string}`);
    // @ts-expect-error -- a plural has the name without its form
    keys.push("order.due.late_one");
    expect(keys).toHaveLength(5);
  });

  it("are looked up by names from outside in few places", () => {
    const calls = ["apps/web/src", "apps/server/src"].flatMap((part) => {
      const source = path.join(import.meta.dirname, "../..", part);
      return readdirSync(source, { recursive: true, encoding: "utf8" })
        .filter((file) => /(?<!\.test)\.tsx?$/u.test(file) && !/(?:i18n|platform\/text)\/texts\.ts$/u.test(file))
        .flatMap((file) => readFileSync(path.join(source, file), "utf8").match(/\btranslateDynamic\(/gu) ?? []);
    });
    expect(calls.length).toBeGreaterThan(0);
    // A new call needs a reason: most names have a type from the contract.
    expect(calls.length).toBeLessThanOrEqual(35);
  });
});
