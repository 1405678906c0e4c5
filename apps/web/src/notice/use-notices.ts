import { useInfiniteQuery } from "@tanstack/react-query";
import type { Output } from "@arcada/contract/kernel/call";
import { noticeGroupCalls } from "@arcada/contract/notice/notice-group.calls";
import type { NoticeGroup } from "@arcada/contract/notice/notice-list.calls";
import { listRules } from "@arcada/contract/order/order-list.filter";
import { listCalls } from "@arcada/contract/order/order-list.calls";
import { patientCalls, patientRules } from "@arcada/contract/patient/patient.calls";
import { send } from "../data/ask.ts";
import { queryKeyOf } from "../data/query-client.ts";
import { useCall } from "../data/use-call.ts";
import { useOrderNames } from "../i18n/order-name.ts";
import { useCanAccess } from "../session/permission-gate.tsx";

type GroupPage = Output<typeof noticeGroupCalls.groups>;
export type NoticeFilter = "todo" | "all";

/** The groups of notices, page after page, kept current by live events. */
export function useNoticeGroups(which: NoticeFilter) {
  const query = useInfiniteQuery({
    // The bell reads the first page alone, under the key of the call.
    queryKey: [...queryKeyOf(noticeGroupCalls.groups, { which }), "pages"],
    queryFn: ({ pageParam, signal }): Promise<GroupPage> =>
      send(noticeGroupCalls.groups, { which, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: (last: GroupPage) => last.next,
    meta: { shownBy: "page" },
  });
  return { ...query, data: query.data?.pages.flatMap(({ list }) => list) };
}

/** The names of the orders and patients of notices, by their ids. */
export interface SubjectNames {
  orders: ReadonlyMap<string, { name: string; number: string }>;
  patients: ReadonlyMap<string, string>;
}
/**
 * Reads the names of the subjects when they are shown, by a person who may know them: a notice itself contains the
 * number of an order only.
 */
export function useSubjectNames(groups: readonly NoticeGroup[]): SubjectNames {
  const { name } = useOrderNames();
  const orderIds = distinct(groups.map(({ orderId }) => orderId)).slice(0, listRules.maxNames);
  const patientIds = distinct(groups.map(({ patientId }) => patientId)).slice(0, patientRules.maxNames);
  const mayReadOrders = useCanAccess(listCalls.names);
  const mayReadPatients = useCanAccess(patientCalls.names);
  const orders = useCall(
    listCalls.names,
    { ids: orderIds.join(",") },
    { enabled: mayReadOrders && orderIds.length > 0, keepPrevious: true },
  );
  const patients = useCall(
    patientCalls.names,
    { ids: patientIds.join(",") },
    { enabled: mayReadPatients && patientIds.length > 0, keepPrevious: true },
  );
  return {
    orders: new Map((orders.data ?? []).map((order) => [order.id, { name: name(order), number: order.number }])),
    patients: new Map((patients.data ?? []).map((patient) => [patient.id, patient.name])),
  };
}
const distinct = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))];
