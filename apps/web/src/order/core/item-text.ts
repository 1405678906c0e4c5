import type { Order } from "@arcada/contract/order/order.calls";
import type { Translate } from "../../i18n/texts.ts";

type Item = Pick<Order["prescription"]["items"][number], "kind" | "material" | "shade">;

/** "Crown, zirconia, A2": an item in one line. */
export const itemText = (t: Translate, { kind, material, shade }: Item): string =>
  [t(`order.kind.${kind}`), material && t(`order.material.${material}`), shade].filter(Boolean).join(" · ");
