import type { Generated } from "kysely";
import type { OrderColumn } from "@arcada/contract/order/list.filter";
import type { OrderState } from "@arcada/contract/order/order.cycle";
import type { CaseType } from "@arcada/contract/order/order.rules";

/** An order as one institution finds it: the columns that no step changes. */
export interface OrderEntryTable {
  institution_id: string;
  order_id: string;
  owner_id: string;
  number: string;
  other_id: string | null;
  case_type: CaseType;
  created_at: string;
  sort_name: Generated<string>;
  haystack: string;
  grams: string[];
  worded: Generated<boolean>;
}
export interface OrderTallyTable {
  institution_id: string;
  state: OrderState;
  mine: boolean;
  n: number;
}
export interface OrderLookTable {
  institution_id: string;
  user_id: string;
  id: string;
  name: string | null;
  filter: Generated<Record<string, string>>;
  columns: OrderColumn[] | null;
  standard: Generated<boolean>;
  created_at: Generated<string>;
}
