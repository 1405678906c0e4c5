import { useEffect, useState } from "react";
import { usualColumns } from "@arcada/contract/order/list.filter";
import type { OrderColumn } from "@arcada/contract/order/list.filter";
import { listCalls } from "@arcada/contract/order/list.calls";
import type { OrderLook } from "@arcada/contract/order/list.calls";
import { send } from "../../kernel/ask.ts";
import { useSearch, useSetSearch } from "../../kernel/link.tsx";
import { useCall } from "../../kernel/use-call.ts";
import { addressFor } from "./use-orders.ts";

export interface Looks {
  /** What is asked of the list is settled: the address says it, or the standard view has been put there. */
  isReady: boolean;
  looks: readonly OrderLook[];
  columns: readonly OrderColumn[];
  setColumns: (columns: OrderColumn[] | null) => void;
  apply: (look: OrderLook) => void;
}

/** A person's own views of the list. The standard one opens where the address says nothing. */
export function useLooks(): Looks {
  const { data, isError, isPaused } = useCall(listCalls.looks, {});
  const setSearch = useSetSearch();
  const isNamed = Object.keys(useSearch()).length > 0;
  // Null: the address said what to show. Undefined: nobody knows yet.
  const [opening, setOpening] = useState<OrderLook | null | undefined>(isNamed ? null : undefined);
  // Offline, a list that was loaded before is shown without waiting for the views.
  if (opening === undefined && (data || isError || isPaused))
    setOpening(data?.looks.find((look) => look.standard) ?? null);
  useEffect(() => {
    if (opening) setSearch(addressFor(opening.filter));
  }, [opening, setSearch]);
  const [chosen, setChosen] = useState<{ columns: readonly OrderColumn[] | null }>();
  const setColumns = (columns: OrderColumn[] | null) => {
    setChosen({ columns });
    // What was chosen is seen at once; that it is kept for the next time can fail without a word.
    void send(listCalls.setColumns, { columns }).catch(() => {});
  };
  const apply = (look: OrderLook) => {
    setSearch(addressFor(look.filter));
    if (look.columns) setColumns(look.columns);
  };
  return {
    isReady: opening !== undefined,
    looks: data?.looks ?? [],
    columns: (chosen ?? (opening?.columns ? opening : data))?.columns ?? usualColumns,
    setColumns,
    apply,
  };
}
