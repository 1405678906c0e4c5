import { useEffect, useState } from "react";
import { defaultColumns } from "@arcada/contract/order/order-list.filter";
import type { OrderColumn } from "@arcada/contract/order/order-list.filter";
import { listCalls } from "@arcada/contract/order/order-list.calls";
import type { SavedOrderView } from "@arcada/contract/order/order-list.calls";
import { send } from "../../data/ask.ts";
import { useSearchParams, useSetSearchParams } from "../../browser/navigation.tsx";
import { useCall } from "../../data/use-call.ts";
import { toSearch } from "./use-filtered-orders.ts";

export interface OrderListViews {
  /** True once the filter is known: from the address, or from the default view. */
  isReady: boolean;
  views: readonly SavedOrderView[];
  columns: readonly OrderColumn[];
  setColumns: (columns: OrderColumn[] | null) => void;
  apply: (view: SavedOrderView) => void;
}

/** A user's own views of the list. The default view opens if the address contains no filter. */
export function useSavedViews(): OrderListViews {
  const { data, isError, isPaused } = useCall(listCalls.looks, {});
  const setSearch = useSetSearchParams();
  const hasFilter = Object.keys(useSearchParams()).length > 0;
  // Null: the address determines the filter. Undefined: not known yet.
  const [initialView, setInitialView] = useState<SavedOrderView | null | undefined>(hasFilter ? null : undefined);
  // Offline, a list that was loaded before is shown without waiting for the views.
  if (initialView === undefined && (data || isError || isPaused))
    setInitialView(data?.looks.find((view) => view.standard) ?? null);
  useEffect(() => {
    if (initialView) setSearch(toSearch(initialView.filter));
  }, [initialView, setSearch]);
  const [chosen, setChosen] = useState<{ columns: readonly OrderColumn[] | null }>();
  const setColumns = (columns: OrderColumn[] | null) => {
    setChosen({ columns });
    // The choice is visible at once. If storing it for the next time fails, the error is ignored.
    void send(listCalls.setColumns, { columns }).catch(() => {});
  };
  const apply = (view: SavedOrderView) => {
    setSearch(toSearch(view.filter));
    if (view.columns) setColumns(view.columns);
  };
  return {
    isReady: initialView !== undefined,
    views: data?.looks ?? [],
    columns: (chosen ?? (initialView?.columns ? initialView : data))?.columns ?? defaultColumns,
    setColumns,
    apply,
  };
}
