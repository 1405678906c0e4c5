import { patientCalls, patientRules, patientSorts, sexes, usualWay } from "@arcada/contract/patient/patient.calls";
import type { PatientFilter as Narrowing } from "@arcada/contract/patient/patient.calls";
import { send } from "../kernel/ask.ts";
import type { Search } from "../kernel/link.tsx";
import { keyOf } from "../kernel/queries.ts";
import { usePages } from "../kernel/use-pages.ts";

export type Sex = (typeof sexes)[number];
/** The filter that the address of the list contains. */
export type PatientFilter = Omit<Narrowing, "way"> & { way: "up" | "down" };

/** The patients that a filter finds, page after page. */
export const usePatients = (filter: PatientFilter) =>
  usePages(keyOf(patientCalls.list, filter), (place, signal) =>
    send(patientCalls.list, { ...filter, ...place }, { signal }),
  );

const day = /^\d{4}-\d\d-\d\d$/;
const read = {
  search: (text: string) => text.trim() || undefined,
  sex: (text: string) => sexes.find((one) => one === text),
  ageFrom: yearsIn,
  ageTo: yearsIn,
  createdFrom: dayIn,
  createdTo: dayIn,
  visitFrom: dayIn,
  visitTo: dayIn,
  ct: eitherIn,
  report: eitherIn,
} as const;
function yearsIn(text: string) {
  const years = Number(text);
  return /^\d+$/.test(text) && years <= patientRules.ageMost ? years : undefined;
}
function dayIn(text: string) {
  return day.test(text) ? text : undefined;
}
function eitherIn(text: string) {
  return (["yes", "no"] as const).find((one) => one === text);
}

/** Search parameters that filter the list. */
export const narrowingFields = Object.keys(read) as (keyof typeof read)[];
/** The fields under "Filters". */
export const foldedFields = narrowingFields.filter((field) => field !== "search" && field !== "sex");

/** Invalid values in the address are ignored. */
export function filterOf(address: Search): PatientFilter {
  const sort = patientSorts.find((one) => one === address["sort"]) ?? "recentVisitAt";
  const way = (["up", "down"] as const).find((one) => one === address["way"]) ?? usualWay[sort];
  const given = narrowingFields.flatMap((field) => {
    const value = read[field](address[field] ?? "");
    return value === undefined ? [] : [[field, value] as const];
  });
  return { sort, way, ...(Object.fromEntries(given) as Omit<PatientFilter, "sort" | "way">) };
}

export const isFiltered = (filter: PatientFilter): boolean =>
  narrowingFields.some((field) => filter[field] !== undefined);
/** True if the server stopped counting at its maximum. */
export const isCountedOut = (filter: PatientFilter, total: number): boolean =>
  isFiltered(filter) && total >= patientRules.totalMost;
