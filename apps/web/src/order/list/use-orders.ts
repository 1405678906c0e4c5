import type { Input } from "@arcada/contract/kernel/call";
import { pageRules } from "@arcada/contract/kernel/fields";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { orderStates } from "@arcada/contract/order/order.cycle";
import { listRules, orderSorts, statesOf, usualSort, usualWay } from "@arcada/contract/order/list.filter";
import type { OrderSort } from "@arcada/contract/order/list.filter";
import { caseTypes } from "@arcada/contract/order/order.rules";
import { send } from "../../kernel/ask.ts";
import type { Search } from "../../kernel/link.tsx";
import { keyOf } from "../../kernel/queries.ts";
import { usePages } from "../../kernel/use-pages.ts";

export type OrderFilter = Omit<Input<typeof orderCalls.list>, "page" | "pageSize" | "cursor">;

/** The orders that a filter finds, page after page. */
export const useOrders = (filter: OrderFilter, enabled: boolean) =>
  usePages(
    keyOf(orderCalls.list, filter),
    (place, signal) => send(orderCalls.list, { ...filter, ...place, pageSize: pageRules.orders }, { signal }),
    { enabled },
  );

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const day = /^\d{4}-\d{2}-\d{2}$/;
const kept = (value: string | undefined, shape: RegExp) => (value && shape.test(value) ? value : undefined);

/** Returns the filter from the address. Unknown values are ignored. */
export function filterOf(address: Search): OrderFilter {
  const states = statesOf(address["states"] ?? "");
  const filter = {
    state: orderStates.find((one) => one === address["state"]),
    states: states.length > 0 ? states.join(",") : undefined,
    turn: address["turn"] === "mine" ? ("mine" as const) : undefined,
    search: address["search"]?.trim() || undefined,
    caseType: caseTypes.find((one) => one === address["caseType"]),
    otherIid: kept(address["otherIid"], uuid),
    personId: kept(address["personId"], uuid),
    createdFrom: kept(address["createdFrom"], day),
    createdTo: kept(address["createdTo"], day),
    dueFrom: kept(address["dueFrom"], day),
    dueTo: kept(address["dueTo"], day),
    sort: orderSorts.find((one) => one === address["sort"]),
    way: (["up", "down"] as const).find((one) => one === address["way"]),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as OrderFilter;
}

/** Search parameters of the folded filters. */
export const foldedFields = [
  "states",
  "caseType",
  "otherIid",
  "personId",
  "createdFrom",
  "createdTo",
  "dueFrom",
  "dueTo",
] as const;
/** The search parameters that a saved view contains. */
export const keptFields = ["state", "turn", "search", ...foldedFields, "sort", "way"] as const;

export const settingsOf = (address: Search): Record<string, string> =>
  Object.fromEntries(keptFields.flatMap((field) => (address[field] ? [[field, address[field]]] : [])));
/** Returns the search parameters of a view and removes those of an earlier choice. */
export const addressFor = (settings: Record<string, string>): Search =>
  Object.fromEntries(keptFields.map((field) => [field, settings[field]]));

export function sortOf(filter: OrderFilter): { by: OrderSort; down: boolean } {
  const by = filter.sort ?? usualSort(filter);
  return { by, down: (filter.way ?? usualWay[by]) === "down" };
}

const uncounted = ["search", ...foldedFields.filter((field) => field !== "states")] as const;
/** True if the server stopped counting at its maximum. Filters by state and turn alone are counted completely. */
export const isCountedOut = (filter: OrderFilter, total: number): boolean =>
  total >= listRules.totalMost && uncounted.some((field) => filter[field] !== undefined);
export const isFiltered = (filter: OrderFilter): boolean =>
  filter.state !== undefined || filter.states !== undefined || uncounted.some((field) => filter[field] !== undefined);
