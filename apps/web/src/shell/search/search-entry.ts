import type { ScreenName } from "@arcada/contract/screens";
import type { SearchParams } from "../../browser/navigation.tsx";
import type { Icon } from "../screen-icons.ts";

/** A row of the search. */
export interface SearchEntry {
  /** Unique among all rows that are shown. */
  id: string;
  title: string;
  /** The part that tells it from others with the same title. */
  detail: string;
  Icon: Icon;
  /** The page that it opens, or what it does. */
  target: { screen: ScreenName; search?: SearchParams } | (() => void);
}

/** Rows under one heading. */
export interface SearchGroup {
  id: string;
  title: string;
  entries: readonly SearchEntry[];
}
