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
  /** True once the filter is known: from the address, or from the default view. */
  isReady: boolean;
  looks: readonly OrderLook[];
  columns: readonly OrderColumn[];
  setColumns: (columns: OrderColumn[] | null) => void;
  apply: (look: OrderLook) => void;
}

/** A user's own views of the list. The default view opens if the address contains no filter. */
export function useLooks(): Looks {
  const { data, isError, isPaused } = useCall(listCalls.looks, {});
  const setSearch = useSetSearch();
  const isNamed = Object.keys(useSearch()).length > 0;
  // Null: the address determines the filter. Undefined: not known yet.
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
    // The choice is visible at once. If storing it for the next time fails, the error is ignored.
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
