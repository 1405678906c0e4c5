import { patientCalls, patientRules, patientSorts, defaultDirection } from "@arcada/contract/patient/patient.calls";
import { sexes } from "@arcada/contract/patient/patient-field-definition";
import type { PatientFilter as Narrowing } from "@arcada/contract/patient/patient.calls";
import { send } from "../data/ask.ts";
import type { SearchParams } from "../browser/navigation.tsx";
import { queryKeyOf } from "../data/query-client.ts";
import { usePagedList } from "../data/use-paged-list.ts";

export type Sex = (typeof sexes)[number];
/** The filter that the address of the list contains. */
export type PatientFilter = Omit<Narrowing, "way"> & { way: "up" | "down" };

/** The patients that a filter finds, page after page. */
export const usePatients = (filter: PatientFilter) =>
  usePagedList(queryKeyOf(patientCalls.list, filter), (pageParam, signal) =>
    send(patientCalls.list, { ...filter, ...pageParam }, { signal }),
  );

const dayPattern = /^\d{4}-\d\d-\d\d$/;
const parsers = {
  search: (text: string) => text.trim() || undefined,
  sex: (text: string) => sexes.find((one) => one === text),
  ageFrom: parseYears,
  ageTo: parseYears,
  createdFrom: parseDay,
  createdTo: parseDay,
  visitFrom: parseDay,
  visitTo: parseDay,
  ct: parseYesNo,
  report: parseYesNo,
} as const;
function parseYears(text: string) {
  const years = Number(text);
  return /^\d+$/.test(text) && years <= patientRules.maxAge ? years : undefined;
}
function parseDay(text: string) {
  return dayPattern.test(text) ? text : undefined;
}
function parseYesNo(text: string) {
  return (["yes", "no"] as const).find((one) => one === text);
}

/** Search parameters that filter the list. */
export const filterFields = Object.keys(parsers) as (keyof typeof parsers)[];
/** The fields under "Filters". */
export const foldedFields = filterFields.filter((field) => field !== "search" && field !== "sex");

/** Invalid values in the address are ignored. */
export function parseFilter(address: SearchParams): PatientFilter {
  const sort = patientSorts.find((one) => one === address["sort"]) ?? "recentVisitAt";
  const way = (["up", "down"] as const).find((one) => one === address["way"]) ?? defaultDirection[sort];
  const values = filterFields.flatMap((field) => {
    const value = parsers[field](address[field] ?? "");
    return value === undefined ? [] : [[field, value] as const];
  });
  return { sort, way, ...(Object.fromEntries(values) as Omit<PatientFilter, "sort" | "way">) };
}

export const isFiltered = (filter: PatientFilter): boolean => filterFields.some((field) => filter[field] !== undefined);
/** True if the server stopped counting at its maximum. */
export const isTotalCapped = (filter: PatientFilter, total: number): boolean =>
  isFiltered(filter) && total >= patientRules.maxTotalCount;
