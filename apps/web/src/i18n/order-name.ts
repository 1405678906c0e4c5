import { formatTeeth } from "@arcada/contract/kernel/tooth-numbers";
import type { ToothScheme } from "@arcada/contract/kernel/tooth-schemes";
import type { OrderRow } from "@arcada/contract/order/order.calls";
import type { ItemKind, Material } from "@arcada/contract/order/prescription.choices";
import { toNonBreakingRanges } from "./non-breaking.ts";
import { useTexts } from "./texts.ts";
import type { NameUnder, Translate } from "./texts.ts";
import { useToothScheme } from "./tooth-notation.ts";

type OrderWork = Pick<OrderRow, "caseType" | "work">;
type NamedOrder = OrderWork & Pick<OrderRow, "patientName">;

/** The names of orders in the reader's language and tooth notation. */
export interface OrderNames {
  /** "crown 16, bridge 35–37": the work alone. */
  work: (order: OrderWork) => string;
  /** "Amelia Hart · crown 16": what people call the order. */
  name: (order: NamedOrder) => string;
  /** The name with the number, for places that show nothing else, such as a tab. */
  title: (order: NamedOrder & Pick<OrderRow, "number">) => string;
}

/** Names orders in the reader's language and tooth notation. */
export function useOrderNames(): OrderNames {
  const t = useTexts("order");
  const scheme = useToothScheme();
  return {
    work: (order) => formatWork(t, scheme, order),
    name: (order) => formatOrderName(t, scheme, order),
    title: (order) => formatOrderTitle(t, scheme, order),
  };
}

/**
 * Returns the order's name and its number, outside of components. The texts of `order` must be loaded. The isolate keeps
 * the parts of the number in place within right-to-left text.
 */
export const formatOrderTitle = (
  t: Translate,
  scheme: ToothScheme,
  order: NamedOrder & Pick<OrderRow, "number">,
): string => `${formatOrderName(t, scheme, order)} · \u2066${order.number}\u2069`;

const formatOrderName = (t: Translate, scheme: ToothScheme, order: NamedOrder): string =>
  [order.patientName, formatWork(t, scheme, order)].filter(Boolean).join(" · ");

/** More kinds of work than these are counted only, so that a name stays a name. */
const maxKinds = 2;

function formatWork(t: Translate, scheme: ToothScheme, { caseType, work }: OrderWork): string {
  const teethByKind = new Map<NameUnder<"order.work">, number[]>();
  for (const item of work) {
    const key = workKey(item.kind, item.material, caseType);
    teethByKind.set(key, [...(teethByKind.get(key) ?? []), ...item.teeth]);
  }
  const named = [...teethByKind].map(([key, teeth]) =>
    t(`order.work.${key}`, { teeth: toNonBreakingRanges(formatTeeth(teeth, scheme)) }).trim(),
  );
  if (named.length === 0) return t(`order.caseType.${caseType}`);
  const more = named.length > maxKinds ? ` +${named.length - maxKinds}` : "";
  return named.slice(0, maxKinds).join(", ") + more;
}

const ceramics: readonly (Material | null)[] = ["zirconia", "layeredZirconia", "pressCeramic", "glassCeramic"];

/** A crown is called by what it stands on and what it is made of, where people have words for these. */
function workKey(kind: ItemKind, material: Material | null, caseType: OrderRow["caseType"]): NameUnder<"order.work"> {
  if (kind !== "crown") return kind;
  if (caseType === "implant") return "implantCrown";
  return ceramics.includes(material) ? "ceramicCrown" : "crown";
}
