import { orderRules } from "@arcada/contract/order/order.rules";
import type { CaseType } from "@arcada/contract/order/order.rules";
import type { LabCase } from "@arcada/exchange/lab-case/lab-case";
import { changeCaseType, getItemKinds } from "./order-draft.ts";
import type { Draft } from "./order-draft.ts";
import { changeKind } from "./prescription-items.ts";
import type { Item } from "./prescription-items.ts";

/** Returns the fields of the order form that a case fills; fields that it says nothing about stay as they are. */
export function fillFromCase(draft: Draft, content: LabCase, today: string): Partial<Draft> {
  const { items, notes, orderNumber, dueDate } = content;
  const caseType = items.length === 0 ? draft.caseType : findCaseType(content);
  return {
    ...(caseType !== draft.caseType && changeCaseType({ ...draft, items: [] }, caseType)),
    ...(items.length > 0 && { items: items.slice(0, orderRules.maxItems).map((item) => fitItem(item, caseType)) }),
    ...(content.fixType && { fixType: content.fixType }),
    ...(notes && { instructions: [draft.instructions, notes].filter(Boolean).join("\n").slice(0, 4000) }),
    ...(orderNumber && { sourceOrder: orderNumber.slice(0, 40) }),
    ...(dueDate && dueDate > today && { dueDate }),
  };
}

/** The type that has all kinds of work of the case, its own if it has. */
function findCaseType({ caseType, items }: LabCase): CaseType {
  const fits = (type: CaseType) => items.every(({ kind }) => getItemKinds(type).includes(kind));
  return [caseType, "restoration", "implant"].find((type): type is CaseType => fits(type as CaseType)) ?? caseType;
}

/** Work that the type of the case does not have is kept in words. */
function fitItem(item: Item, caseType: CaseType): Item {
  if (getItemKinds(caseType).includes(item.kind)) return item;
  return { ...item, ...changeKind(item, "other"), remark: [item.kind, item.remark].filter(Boolean).join(" · ") };
}
