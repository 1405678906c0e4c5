import type { Input } from "@arcada/contract/kernel/call";
import { pageSizes } from "@arcada/contract/kernel/fields";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { orderStates } from "@arcada/contract/order/order.lifecycle";
import {
  deliveries,
  listRules,
  orderLists,
  orderSorts,
  remakeFilters,
  parseStates,
  defaultSort,
  defaultDirection,
} from "@arcada/contract/order/order-list.filter";
import type { OrderSort } from "@arcada/contract/order/order-list.filter";
import { orderTasks } from "@arcada/contract/order/order-tasks";
import { caseTypes } from "@arcada/contract/order/order.rules";
import { send } from "../../data/ask.ts";
import type { SearchParams } from "../../browser/navigation.tsx";
import { queryKeyOf } from "../../data/query-client.ts";
import { usePagedList } from "../../data/use-paged-list.ts";

export type OrderFilter = Omit<Input<typeof orderCalls.list>, "page" | "pageSize" | "cursor">;

/** The orders that a filter finds, page after page. */
export const useOrders = (filter: OrderFilter, enabled: boolean) =>
  usePagedList(
    queryKeyOf(orderCalls.list, filter),
    (pageParam, signal) => send(orderCalls.list, { ...filter, ...pageParam, pageSize: pageSizes.orders }, { signal }),
    { enabled },
  );

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const matchOrUndefined = (value: string | undefined, shape: RegExp) => (value && shape.test(value) ? value : undefined);

/** Returns the filter from the address. Unknown values are ignored. */
export function parseFilter(address: SearchParams): OrderFilter {
  const states = parseStates(address["states"] ?? "");
  const filter = {
    state: orderStates.find((one) => one === address["state"]),
    states: states.length > 0 ? states.join(",") : undefined,
    task: orderTasks.find((one) => one === address["task"]),
    turn: address["turn"] === "mine" ? ("mine" as const) : undefined,
    search: address["search"]?.trim() || undefined,
    caseType: caseTypes.find((one) => one === address["caseType"]),
    otherIid: matchOrUndefined(address["otherIid"], uuidPattern),
    personId: matchOrUndefined(address["personId"], uuidPattern),
    createdFrom: matchOrUndefined(address["createdFrom"], dayPattern),
    createdTo: matchOrUndefined(address["createdTo"], dayPattern),
    dueFrom: matchOrUndefined(address["dueFrom"], dayPattern),
    dueTo: matchOrUndefined(address["dueTo"], dayPattern),
    sentFrom: matchOrUndefined(address["sentFrom"], dayPattern),
    sentTo: matchOrUndefined(address["sentTo"], dayPattern),
    completedFrom: matchOrUndefined(address["completedFrom"], dayPattern),
    completedTo: matchOrUndefined(address["completedTo"], dayPattern),
    openOn: matchOrUndefined(address["openOn"], dayPattern),
    delivered: deliveries.find((one) => one === address["delivered"]),
    remake: remakeFilters.find((one) => one === address["remake"]),
    list: orderLists.find((one) => one === address["list"]),
    sort: orderSorts.find((one) => one === address["sort"]),
    way: (["up", "down"] as const).find((one) => one === address["way"]),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as OrderFilter;
}

/** Search parameters of the folded filters. */
export const foldedFields = [
  "task",
  "states",
  "caseType",
  "otherIid",
  "personId",
  "createdFrom",
  "createdTo",
  "dueFrom",
  "dueTo",
  "sentFrom",
  "sentTo",
  "completedFrom",
  "completedTo",
  "openOn",
  "delivered",
  "remake",
  "list",
] as const;
/** The search parameters that a saved view contains. */
export const savedFields = ["state", "turn", "search", ...foldedFields, "sort", "way"] as const;

export const toViewSettings = (address: SearchParams): Record<string, string> =>
  Object.fromEntries(savedFields.flatMap((field) => (address[field] ? [[field, address[field]]] : [])));
/** Returns the search parameters of a view and removes those of an earlier choice. */
export const toSearch = (settings: Record<string, string>): SearchParams =>
  Object.fromEntries(savedFields.map((field) => [field, settings[field]]));

export function getSort(filter: OrderFilter): { by: OrderSort; down: boolean } {
  const by = filter.sort ?? defaultSort(filter);
  return { by, down: (filter.way ?? defaultDirection[by]) === "down" };
}

const cappedFields = ["search", ...foldedFields.filter((field) => field !== "states")] as const;
/** True if the server stopped counting at its maximum. Filters by state and turn alone are counted completely. */
export const isTotalCapped = (filter: OrderFilter, total: number): boolean =>
  total >= listRules.maxTotalCount && cappedFields.some((field) => filter[field] !== undefined);
export const isFiltered = (filter: OrderFilter): boolean =>
  filter.state !== undefined ||
  filter.states !== undefined ||
  cappedFields.some((field) => filter[field] !== undefined);
