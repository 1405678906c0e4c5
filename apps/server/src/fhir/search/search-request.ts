import { isStorable } from "@arcada/contract/kernel/storable-text";
import type { ResourceType } from "@medplum/fhirtypes";
import { refuse } from "../../platform/http/refuse.ts";
import type { ResourceDefinition } from "../resource-definition.ts";
import { searchRules } from "./search-parameters.ts";

/** A search that was read from its parameters and is within the limits. */
export interface SearchRequest {
  filters: { name: string; modifier: string | null; value: string }[];
  count: number;
  sort: string | null;
  cursor: string | null;
  includes: string[];
  isCountOnly: boolean;
  hasTotal: boolean;
  /** True if the client asks for the number of all matches, however many there are. */
  isTotalExact: boolean;
  /** The parameters that were understood, for the response's own address. */
  used: [string, string][];
}

export const controlParameters = [
  "_count",
  "_sort",
  "_cursor",
  "_include",
  "_summary",
  "_total",
  "_format",
  "_pretty",
] as const;
const relatedConditions = ["_has", "_filter", "_list", "_query", "_content", "_text", "_revinclude"];
const isControl = (name: string): boolean => controlParameters.some((one) => one === name);

/** Lists the parameters of a query or a form; refuses more than a client has reason to send. */
export function listParameters(query: unknown, form: unknown): [string, string][] {
  const pairs = [query, form].flatMap((one) =>
    Object.entries(one ?? {}).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, String(each)]),
    ),
  );
  if (pairs.length > searchRules.maxParameters) refuse("badInput", { parameter: "tooMany" });
  if (pairs.some(([name, value]) => name.length > 100 || value.length > searchRules.maxLength * 4))
    refuse("badInput", { parameter: "tooLong" });
  if (!pairs.flat().every(isStorable)) refuse("badInput", { parameter: "invalid" });
  return pairs;
}

/**
 * Reads a search. A parameter that is not supported is left out, as R4 demands of a lenient search, and refused of a
 * strict one; a suffix that is not supported is refused always.
 */
export function readSearch(
  { parameters, includes, type }: ResourceDefinition,
  pairs: readonly [string, string][],
  isStrict: boolean,
): SearchRequest {
  const filters: SearchRequest["filters"] = [];
  const used: [string, string][] = [];
  for (const [given, value] of pairs) {
    const [name = "", modifier = null, ...more] = given.split(":");
    const isFilter = Object.hasOwn(parameters, name);
    if (!isFilter && !isControl(given)) {
      // A condition on other resources that is left out would return what was not asked for.
      if (isStrict || given.includes(".") || relatedConditions.includes(name))
        refuse("badInput", { [given.slice(0, 60)]: "unknown" });
      continue;
    }
    // A client that leaves a field of its form empty does not ask for it.
    if (value === "") continue;
    if (isFilter) {
      const parameter = parameters[name]!;
      const modifiers = "modifiers" in parameter ? (parameter.modifiers ?? []) : [];
      if (more.length > 0 || (modifier !== null && !modifiers.includes(modifier)))
        refuse("badInput", { [given.slice(0, 60)]: "modifierUnknown" });
      filters.push({ name, modifier, value });
    }
    used.push([given, value]);
  }
  const values = filters.reduce((sum, { value }) => sum + value.split(",").length, 0);
  if (values > searchRules.maxAllValues) refuse("badInput", { value: "tooMany" });
  const control = (name: string): string | null => used.find(([each]) => each === name)?.[1] ?? null;
  const summary = control("_summary");
  if (summary !== null && !["count", "false"].includes(summary)) refuse("badInput", { _summary: "unknown" });
  const count = readCount(control("_count"));
  const isCountOnly = summary === "count" || count === 0;
  return {
    filters,
    count,
    sort: control("_sort"),
    cursor: control("_cursor"),
    includes: used.filter(([name]) => name === "_include").map(([, value]) => readInclude(value, type, includes)),
    isCountOnly,
    hasTotal: control("_total") !== "none",
    isTotalExact: isCountOnly || control("_total") === "accurate",
    used,
  };
}

function readCount(text: string | null): number {
  if (text === null) return searchRules.usual;
  if (!/^\d{1,6}$/.test(text)) refuse("badInput", { _count: "invalid" });
  return Math.min(Number(text), searchRules.most);
}

/** `ImagingStudy:patient` or `ImagingStudy:patient:Patient`; returns the name of the parameter. */
function readInclude(value: string, type: ResourceType, known: ResourceDefinition["includes"]): string {
  const [source, name = "", target] = value.split(":");
  const isKnown =
    source === type && Object.hasOwn(known, name) && (target === undefined || target === known[name]!.target);
  return isKnown ? name : refuse("badInput", { _include: "unknown" });
}
