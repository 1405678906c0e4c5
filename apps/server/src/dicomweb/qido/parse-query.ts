import { sql, type RawBuilder } from "kysely";
import { refuse } from "../../platform/http/refuse.ts";
import { parseDicomDate } from "../dicom-date.ts";
import { findElement } from "../data-dictionary.ts";
import { isPathUid } from "../indexing/index.jobs.ts";
import { foldText } from "../person-name-search-text.ts";
import { trimEndMatching } from "../../platform/text/trim-characters.ts";

export type Level = "study" | "series" | "instance";
type Condition = RawBuilder<unknown>;

export interface SearchQuery {
  conditions: Condition[];
  limit: number;
  offset: number;
  /** True if all known attributes of an instance are requested. */
  all: boolean;
  /** True if the number of matches varies so much with the value that each search is planned anew. */
  varies: boolean;
  /** Keys in the query that do not restrict the result. */
  ignored: string[];
}
export const queryRules = { most: 1000, valueLength: 400, wildcards: 8, uids: 500 } as const;

/** Converts a search's parameters to conditions (PS3.18 8.3.4). Refuses unknown attributes and invalid values. */
export function parseQuery(parameters: Record<string, unknown>, level: Level): SearchQuery {
  const query: SearchQuery = {
    conditions: [],
    limit: queryRules.most,
    offset: 0,
    all: false,
    varies: false,
    ignored: [],
  };
  const fuzzy = singleValue(parameters.fuzzymatching) === "true";
  for (const [name, raw] of Object.entries(parameters)) {
    if (name === "limit") query.limit = Math.min(queryRules.most, parseCount(name, raw));
    else if (name === "offset") query.offset = parseCount(name, raw);
    else if (name === "includefield") query.all = listValues(raw).some((field) => isIncludedField(field));
    else if (!["fuzzymatching", "accept", "emptyvaluematching", "multiplevaluematching"].includes(name))
      addKey(query, name, singleValue(raw), { level, fuzzy });
  }
  return query;
}

const listValues = (raw: unknown): string[] =>
  (Array.isArray(raw) ? raw : [raw]).flatMap((text) => String(text).split(","));
function singleValue(raw: unknown): string {
  if (raw === undefined) return "";
  if (typeof raw !== "string" || raw.length > 32_000 || raw.includes("\0")) return refuse("badInput");
  return raw;
}
function parseCount(name: string, raw: unknown): number {
  const text = singleValue(raw);
  return /^\d{1,9}$/.test(text) ? Number(text) : refuse("badInput", { [name]: text });
}
function isIncludedField(field: string): boolean {
  if (field !== "all" && !findElement(field.split(".")[0] ?? "")) refuse("badInput", { includefield: field });
  return true;
}

function addKey(
  query: SearchQuery,
  name: string,
  value: string,
  { level, fuzzy }: { level: Level; fuzzy: boolean },
): void {
  const element = findElement(name.split(".")[0] ?? "") ?? refuse("badInput", { [name]: "unknown" });
  const searchKey = searchKeys[element.tag];
  if (!searchKey || levelOrder[searchKey.level] > levelOrder[level] || name.includes("."))
    return void query.ignored.push(element.keyword);
  if (value === "" || /^\*+$/.test(value)) return;
  query.varies ||= element.vr === "PN" || /[*?]/.test(value);
  query.conditions.push(searchKey.match(value, fuzzy) ?? refuse("badInput", { [name]: value.slice(0, 60) }));
}

const levelOrder: Record<Level, number> = { study: 0, series: 1, instance: 2 };

/** Null: the value is invalid for this attribute. */
type MatchCondition = (value: string, fuzzy: boolean) => Condition | null;

const matchUids =
  (column: string): MatchCondition =>
  (value) => {
    const list = value.split(/[,\\]/).map((uid) => uid.trim());
    return list.every(isPathUid) && list.length <= queryRules.uids
      ? sql`${sql.ref(column)} = any(${list}::text[])`
      : null;
  };

/** PS3.4 C.2.2.2.4: `*` matches any text, `?` any character. */
const matchWildcards =
  (column: string, folded = false): MatchCondition =>
  (typed) => {
    if (typed.length > queryRules.valueLength || wildcards(typed) > queryRules.wildcards) return null;
    const value = folded ? foldText(typed) : typed;
    if (!/[*?]/.test(value)) return sql`${sql.ref(column)} = ${value}`;
    const pattern = value
      .replace(/[\\%_]/g, "\\$&")
      .replace(/\*+/g, "%")
      .replaceAll("?", "_");
    return sql`${sql.ref(column)} like ${pattern}`;
  };
const wildcards = (text: string): number => text.match(/[*?]/g)?.length ?? 0;

/** Matches one line of a folded name, in any alphabet. */
const matchNameLine =
  (column: string): MatchCondition =>
  (value) => {
    if (value.length > queryRules.valueLength || wildcards(value) > queryRules.wildcards) return null;
    const groups = value.split("=").filter(Boolean);
    const conditions = groups.map((group) =>
      matchSingleLine(sql.ref(column), trimEndMatching(foldText(group), /[\s^]/)),
    );
    return sql`(${sql.join(conditions, sql` and `)})`;
  };

/** A prefix or a whole name is matched by LIKE, for which the database can estimate the number of rows. */
function matchSingleLine(column: Condition, pattern: string): Condition {
  const beginning = /^[^*?]+(\*?)$/.exec(pattern);
  if (!beginning) {
    const inner = pattern
      .replace(/[.+^$()[\]{}|\\]/g, "\\$&")
      .replace(/\*+/g, "[^\\n]*")
      .replaceAll("?", "[^\\n]");
    return sql`${column} ~ ${`(^|\\n)${inner}(\\n|$)`}`;
  }
  const text = pattern.replace(/\*$/, "").replace(/[\\%_]/g, "\\$&");
  if (beginning[1] === "*") return sql`(${column} like ${`${text}%`} or ${column} like ${`%\n${text}%`})`;
  const matchInteger = [`${text}\n%`, `%\n${text}`, `%\n${text}\n%`].map((like) => sql`${column} like ${like}`);
  return sql`(${column} = ${pattern} or ${sql.join(matchInteger, sql` or `)})`;
}

const matchPatientName: MatchCondition = (value, fuzzy) => {
  if (!fuzzy) return matchNameLine("d.names")(value, false);
  if (value.length > queryRules.valueLength) return null;
  const words = foldText(value)
    .split(/[\s^=*?]+/)
    .filter(Boolean);
  if (words.length === 0) return sql`true`;
  const likes = words.map((word) => sql`d.haystack like ${`%${word.replace(/[\\%_]/g, "\\$&")}%`}`);
  return sql`(${sql.join(likes, sql` and `)})`;
};

/** PS3.4 C.2.2.2.5: a day, or a span that may be open at one end. */
const matchDates =
  (column: string): MatchCondition =>
  (value) => {
    const [from, to, more] = value.includes("-") ? value.split("-") : [value, value];
    const ends = [from, to].map((text) => (text === "" || text === undefined ? "" : parseDicomDate(text)));
    if (more !== undefined || ends.includes(null) || ends.every((end) => end === "")) return null;
    const [first, last] = ends;
    const at = sql.ref(column);
    if (first === "") return sql`${at} <= ${last}::date`;
    return last === "" ? sql`${at} >= ${first}::date` : sql`${at} between ${first}::date and ${last}::date`;
  };

/** Omitted parts of a time cover their whole range: 10 is from 10:00:00 to 10:59:59. */
const matchTimes =
  (column: string): MatchCondition =>
  (value) => {
    const [from = "", to = "", more] = value.includes("-") ? value.split("-") : [value, value];
    const ends = [from, to].map((text) => text.replaceAll(":", ""));
    if (more !== undefined || ends.every((end) => end === "")) return null;
    if (ends.some((end) => end !== "" && !/^\d{2}(\d{2}(\d{2}(\.\d{1,6})?)?)?$/.test(end))) return null;
    const at = sql`${sql.ref(column)} collate "C"`;
    const [first = "", last = ""] = ends;
    return sql`(${at} <> '' and ${at} >= ${first} and ${last === "" ? sql`true` : sql`${at} <= ${`${last}~`}`})`;
  };

const matchInteger =
  (column: string): MatchCondition =>
  (value) =>
    /^-?\d{1,9}$/.test(value.trim()) ? sql`${sql.ref(column)} = ${Number(value)}` : null;

const matchModalities: MatchCondition = (value) => {
  const list = value.split(/[,\\]/);
  return matchWildcards("m")(value, false) && /[*?]/.test(value)
    ? sql`exists (select from unnest(d.modalities) m where ${matchWildcards("m")(value, false)!})`
    : sql`d.modalities && ${list}::text[]`;
};

const searchKey = (level: Level, match: MatchCondition) => ({ level, match });
const searchKeys: Record<string, { level: Level; match: MatchCondition }> = {
  "00080020": searchKey("study", matchDates("d.study_date")),
  "00080030": searchKey("study", matchTimes("d.study_time")),
  "00080050": searchKey("study", matchWildcards("d.accession")),
  "00080061": searchKey("study", matchModalities),
  "00080090": searchKey("study", matchNameLine("d.referring")),
  "00081030": searchKey("study", matchWildcards("d.description", true)),
  "00100010": searchKey("study", matchPatientName),
  "00100020": searchKey("study", matchWildcards("d.patient_number")),
  "00100030": searchKey("study", matchDates("d.birth_date")),
  "00100040": searchKey("study", matchWildcards("d.sex")),
  "0020000D": searchKey("study", matchUids("d.uid")),
  "00200010": searchKey("study", matchWildcards("d.study_number")),
  "00080060": searchKey("series", matchWildcards("r.modality")),
  "0020000E": searchKey("series", matchUids("r.uid")),
  "00200011": searchKey("series", matchInteger("r.number")),
  "0008103E": searchKey("series", matchWildcards("r.description")),
  "00400244": searchKey("series", matchDates("r.step_date")),
  "00080016": searchKey("instance", matchUids("i.sop_class")),
  "00080018": searchKey("instance", matchUids("i.uid")),
  "00200013": searchKey("instance", matchInteger("i.number")),
};
