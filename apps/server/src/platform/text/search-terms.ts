import { pinyin } from "pinyin-pro";

export interface Searchable {
  /** Found by its characters, its pinyin and its initials. */
  name: string;
  /** Record, telephone and serial numbers: found as they are written and as they are dictated. */
  numbers: readonly (string | null)[];
}

export interface SearchColumns {
  haystack: string;
  grams: string[];
  sort_name: string;
}

/** Returns the search columns of a record that has a name: see the indexes on `patient`. */
export function searchColumns(record: Searchable): SearchColumns {
  const name = fold(record.name);
  const syllables: string[] = pinyin(record.name, {
    toneType: "none",
    type: "array",
    surname: "head",
    nonZh: "removed",
  }).map(fold);
  const initials = syllables.map((syllable) => syllable[0] ?? "").join("");
  const numbers = record.numbers.map((value) => fold(value ?? ""));
  const digits = numbers.map((value) => value.replace(/\D/g, ""));
  const lines = [name, syllables.join(""), initials, ...numbers, ...digits];
  const words = [
    ...lines.flatMap((line) => line.split(notLatin)),
    ...syllables,
    ...digits.map((value) => value.replace(/^0+/, "")),
  ];
  return {
    haystack: [...new Set(lines)].filter(Boolean).join("\n"),
    grams: [
      ...new Set([
        ...words.flatMap(prefixes),
        ...chineseRuns(name).flatMap((run) => [...run, ...pairs(run)]),
        ...pictographs(name),
      ]),
    ],
    // Short, because a cursor contains it; patients with equal keys are ordered by id.
    sort_name: `${syllables.join(" ").slice(0, 40)} ${[...name].slice(0, 20).join("")}`.trim(),
  };
}

export interface SearchTerms {
  /** Terms that must all be in `grams`. */
  grams: string[];
  /** LIKE patterns; each must match `haystack`. */
  patterns: string[];
}

const isIndexed = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;

/**
 * Turns a typed search into conditions that an index answers. Trigrams cannot match patterns of one or two characters,
 * so Chinese is searched by single characters and pairs, and one or two Latin letters or digits mean the start of a
 * word.
 */
export function searchTerms(typed: string): SearchTerms {
  const runs = fold(typed)
    .split(/\s+/)
    .flatMap((word) => word.match(runsOf) ?? []);
  const grams: string[] = [];
  const patterns: string[] = [];
  for (const run of runs) {
    const letters = [...run];
    // No index has punctuation alone: a pattern of it would read every row.
    if (!isIndexed.test(run)) {
      grams.push(run);
      continue;
    }
    const chinese = isHan.test(run);
    if (chinese) grams.push(...(letters.length === 1 ? letters : pairs(run)));
    else if (letters.length < 3) grams.push(...shortWords(run));
    if (letters.length > 2) patterns.push(`%${run.replace(/[\\%_]/g, "\\$&")}%`);
  }
  return { grams: [...new Set(grams)], patterns: [...new Set(patterns)] };
}

/** True if the indexes of a table would find the record, for records without search columns in the database. */
export function isFoundBy(typed: string, columns: SearchColumns): boolean {
  const { grams, patterns } = searchTerms(typed);
  return (
    grams.every((gram) => columns.grams.includes(gram)) &&
    patterns.every((pattern) => columns.haystack.includes(pattern.slice(1, -1).replace(/\\(.)/g, "$1")))
  );
}

/** Does the same with a cache, for names that are looked through at every pause in typing: 500 take 40 ms. */
export function cachedSearchColumns(record: Searchable): SearchColumns {
  const key = JSON.stringify([record.name, record.numbers]);
  const columns = cachedColumns.get(key) ?? searchColumns(record);
  if (cachedColumns.size >= maxCached) cachedColumns.clear();
  cachedColumns.set(key, columns);
  return columns;
}
const cachedColumns = new Map<string, SearchColumns>();
const maxCached = 5000;

/**
 * Sorts records that a text has found: those that are called exactly so first, then those in which a word begins with
 * the text, then the others. Otherwise the order stays.
 */
export function sortByMatch<T extends Pick<SearchColumns, "haystack">>(typed: string, found: readonly T[]): T[] {
  const wanted = fold(typed);
  const rank = ({ haystack }: T): number => {
    const lines = haystack.split("\n");
    if (lines.includes(wanted)) return 0;
    return lines.some((line) => line.startsWith(wanted) || line.includes(` ${wanted}`)) ? 1 : 2;
  };
  return found
    .map((record) => ({ record, rank: rank(record) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ record }) => record);
}

/**
 * The search words contain no punctuation: "J." is the start of J, and "%" finds nobody. A pictograph is a word of its
 * own.
 */
function shortWords(run: string): string[] {
  const words = [...pictographs(run), ...(run.match(/[\p{L}\p{N}]+/gu) ?? [])];
  return words.length > 0 ? words : [run];
}
const pictographs = (text: string): string[] => text.match(/\p{Extended_Pictographic}/gu) ?? [];

/**
 * Returns the same text for names that sound alike, however they are written: 王小明, Wang Xiaoming and WANG XIAO-MING.
 */
export const phoneticKey = (name: string): string =>
  fold(pinyin(name, { toneType: "none", type: "array", surname: "head", nonZh: "consecutive" }).join("")).replace(
    /[^\p{L}\p{N}]/gu,
    "",
  );

/** Folds a text: lower case, full-width forms as plain ones, accents dropped. Müller is found by muller. */
const fold = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();

const isHan = /^\p{Script=Han}/u;
const runsOf = /\p{Script=Han}+|[^\p{Script=Han}\s]+/gu;
const notLatin = /[^\p{L}\p{N}]+|(?=\p{Script=Han})|(?<=\p{Script=Han})/u;
const chineseRuns = (text: string): string[] => text.match(/\p{Script=Han}+/gu) ?? [];
const prefixes = (word: string): string[] => {
  const letters = [...word];
  return letters.length === 0 || isHan.test(word) ? [] : [letters[0]!, letters.slice(0, 2).join("")];
};
const pairs = (run: string): string[] => {
  const letters = [...run];
  return letters.slice(1).map((letter, place) => `${letters[place]}${letter}`);
};
