import { sql, type RawBuilder } from "kysely";
import { refuse } from "../platform/http/refuse.ts";
import { isoDay } from "./days.ts";
import { elementNamed } from "./elements.ts";
import { isUid } from "./index.jobs.ts";
import { fold } from "./names.ts";
import { trimEndOf } from "../platform/text/trim.ts";

export type Level = "study" | "series" | "instance";
type Condition = RawBuilder<unknown>;

export interface Query {
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
export function queryOf(parameters: Record<string, unknown>, level: Level): Query {
  const query: Query = { conditions: [], limit: queryRules.most, offset: 0, all: false, varies: false, ignored: [] };
  const fuzzy = one(parameters.fuzzymatching) === "true";
  for (const [name, raw] of Object.entries(parameters)) {
    if (name === "limit") query.limit = Math.min(queryRules.most, count(name, raw));
    else if (name === "offset") query.offset = count(name, raw);
    else if (name === "includefield") query.all = many(raw).some((field) => included(field));
    else if (!["fuzzymatching", "accept", "emptyvaluematching", "multiplevaluematching"].includes(name))
      addKey(query, name, one(raw), { level, fuzzy });
  }
  return query;
}

const many = (raw: unknown): string[] => (Array.isArray(raw) ? raw : [raw]).flatMap((text) => String(text).split(","));
function one(raw: unknown): string {
  if (raw === undefined) return "";
  if (typeof raw !== "string" || raw.length > 32_000 || raw.includes("\0")) return refuse("badInput");
  return raw;
}
function count(name: string, raw: unknown): number {
  const text = one(raw);
  return /^\d{1,9}$/.test(text) ? Number(text) : refuse("badInput", { [name]: text });
}
function included(field: string): boolean {
  if (field !== "all" && !elementNamed(field.split(".")[0] ?? "")) refuse("badInput", { includefield: field });
  return true;
}

function addKey(query: Query, name: string, value: string, { level, fuzzy }: { level: Level; fuzzy: boolean }): void {
  const element = elementNamed(name.split(".")[0] ?? "") ?? refuse("badInput", { [name]: "unknown" });
  const key = keys[element.tag];
  if (!key || order[key.level] > order[level] || name.includes(".")) return void query.ignored.push(element.keyword);
  if (value === "" || /^\*+$/.test(value)) return;
  query.varies ||= element.vr === "PN" || /[*?]/.test(value);
  query.conditions.push(key.match(value, fuzzy) ?? refuse("badInput", { [name]: value.slice(0, 60) }));
}

const order: Record<Level, number> = { study: 0, series: 1, instance: 2 };

/** Null: the value is invalid for this attribute. */
type Match = (value: string, fuzzy: boolean) => Condition | null;

const uids =
  (column: string): Match =>
  (value) => {
    const list = value.split(/[,\\]/).map((uid) => uid.trim());
    return list.every(isUid) && list.length <= queryRules.uids ? sql`${sql.ref(column)} = any(${list}::text[])` : null;
  };

/** PS3.4 C.2.2.2.4: `*` matches any text, `?` any character. */
const wild =
  (column: string, folded = false): Match =>
  (typed) => {
    if (typed.length > queryRules.valueLength || wildcards(typed) > queryRules.wildcards) return null;
    const value = folded ? fold(typed) : typed;
    if (!/[*?]/.test(value)) return sql`${sql.ref(column)} = ${value}`;
    const pattern = value
      .replace(/[\\%_]/g, "\\$&")
      .replace(/\*+/g, "%")
      .replaceAll("?", "_");
    return sql`${sql.ref(column)} like ${pattern}`;
  };
const wildcards = (text: string): number => text.match(/[*?]/g)?.length ?? 0;

/** Matches one line of a folded name, in any alphabet. */
const nameLine =
  (column: string): Match =>
  (value) => {
    if (value.length > queryRules.valueLength || wildcards(value) > queryRules.wildcards) return null;
    const groups = value.split("=").filter(Boolean);
    const conditions = groups.map((group) => oneLine(sql.ref(column), trimEndOf(fold(group), /[\s^]/)));
    return sql`(${sql.join(conditions, sql` and `)})`;
  };

/** A prefix or a whole name is matched by LIKE, for which the database can estimate the number of rows. */
function oneLine(column: Condition, pattern: string): Condition {
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
  const whole = [`${text}\n%`, `%\n${text}`, `%\n${text}\n%`].map((like) => sql`${column} like ${like}`);
  return sql`(${column} = ${pattern} or ${sql.join(whole, sql` or `)})`;
}

const patientName: Match = (value, fuzzy) => {
  if (!fuzzy) return nameLine("d.names")(value, false);
  if (value.length > queryRules.valueLength) return null;
  const words = fold(value)
    .split(/[\s^=*?]+/)
    .filter(Boolean);
  if (words.length === 0) return sql`true`;
  const likes = words.map((word) => sql`d.haystack like ${`%${word.replace(/[\\%_]/g, "\\$&")}%`}`);
  return sql`(${sql.join(likes, sql` and `)})`;
};

/** PS3.4 C.2.2.2.5: a day, or a span that may be open at one end. */
const days =
  (column: string): Match =>
  (value) => {
    const [from, to, more] = value.includes("-") ? value.split("-") : [value, value];
    const ends = [from, to].map((text) => (text === "" || text === undefined ? "" : isoDay(text)));
    if (more !== undefined || ends.includes(null) || ends.every((end) => end === "")) return null;
    const [first, last] = ends;
    const at = sql.ref(column);
    if (first === "") return sql`${at} <= ${last}::date`;
    return last === "" ? sql`${at} >= ${first}::date` : sql`${at} between ${first}::date and ${last}::date`;
  };

/** Omitted parts of a time cover their whole range: 10 is from 10:00:00 to 10:59:59. */
const times =
  (column: string): Match =>
  (value) => {
    const [from = "", to = "", more] = value.includes("-") ? value.split("-") : [value, value];
    const ends = [from, to].map((text) => text.replaceAll(":", ""));
    if (more !== undefined || ends.every((end) => end === "")) return null;
    if (ends.some((end) => end !== "" && !/^\d{2}(\d{2}(\d{2}(\.\d{1,6})?)?)?$/.test(end))) return null;
    const at = sql`${sql.ref(column)} collate "C"`;
    const [first = "", last = ""] = ends;
    return sql`(${at} <> '' and ${at} >= ${first} and ${last === "" ? sql`true` : sql`${at} <= ${`${last}~`}`})`;
  };

const whole =
  (column: string): Match =>
  (value) =>
    /^-?\d{1,9}$/.test(value.trim()) ? sql`${sql.ref(column)} = ${Number(value)}` : null;

const modalities: Match = (value) => {
  const list = value.split(/[,\\]/);
  return wild("m")(value, false) && /[*?]/.test(value)
    ? sql`exists (select from unnest(d.modalities) m where ${wild("m")(value, false)!})`
    : sql`d.modalities && ${list}::text[]`;
};

const key = (level: Level, match: Match) => ({ level, match });
const keys: Record<string, { level: Level; match: Match }> = {
  "00080020": key("study", days("d.study_date")),
  "00080030": key("study", times("d.study_time")),
  "00080050": key("study", wild("d.accession")),
  "00080061": key("study", modalities),
  "00080090": key("study", nameLine("d.referring")),
  "00081030": key("study", wild("d.description", true)),
  "00100010": key("study", patientName),
  "00100020": key("study", wild("d.patient_number")),
  "00100030": key("study", days("d.birth_date")),
  "00100040": key("study", wild("d.sex")),
  "0020000D": key("study", uids("d.uid")),
  "00200010": key("study", wild("d.study_number")),
  "00080060": key("series", wild("r.modality")),
  "0020000E": key("series", uids("r.uid")),
  "00200011": key("series", whole("r.number")),
  "0008103E": key("series", wild("r.description")),
  "00400244": key("series", days("r.step_date")),
  "00080016": key("instance", uids("i.sop_class")),
  "00080018": key("instance", uids("i.uid")),
  "00200013": key("instance", whole("i.number")),
};
