import type { OrderRow } from "@arcada/contract/order/order.calls";
import { orderRules } from "@arcada/contract/order/order.rules";
import type { Template } from "@arcada/contract/order/template.calls";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import { applyDefaults, fillFromTemplate, findDefaultTemplate } from "../templates/fill-from-template.ts";
import type { ItemDefaults } from "../templates/fill-from-template.ts";
import { changeCaseType, createEmptyDraft } from "./order-draft.ts";
import type { Draft } from "./order-draft.ts";
import { addItem } from "./prescription-items.ts";

/** The facts that are known when a new order is opened. */
export interface OrderContext {
  patientId: string;
  /** The laboratories with a relationship. */
  labs: readonly { id: string }[];
  templates: readonly Template[];
  /** The user's latest order, and the patient's. */
  own: Pick<OrderRow, "receiver" | "work"> | undefined;
  patients: Pick<OrderRow, "work"> | undefined;
  studies: readonly Pick<StudyRow, "id" | "kind" | "createdAt">[];
  /** The tooth that the page was opened for, and whether it is to be replaced. */
  tooth: number | null;
  isReplaced: boolean;
}

export interface OrderStart {
  draft: Draft;
  /** Defaults for the first item. */
  item: ItemDefaults;
  /** The template that filled the draft. */
  template: Template | null;
  /** The fields that the user has asked for by the way in: templates do not overwrite them. */
  asked: readonly (keyof Draft)[];
}

/** Returns the draft with which a new order begins: what the user and the patient usually have is filled in. */
export function startOrder(context: OrderContext, now: Date = new Date()): OrderStart {
  const targetIid = chooseLab(context);
  const template = findDefaultTemplate(context.templates, targetIid) ?? null;
  const item: ItemDefaults = {
    kind: template?.content.kind ?? null,
    material: template?.content.material ?? findLast(context.own, "material"),
    shadeGuide: template?.content.shadeGuide ?? null,
    // A shade belongs to a person: another patient's is never proposed.
    shade: findLast(context.patients, "shade"),
  };
  const empty = {
    ...createEmptyDraft(context.patientId, now),
    targetIid,
    studies: findFreshScans(context.studies, now),
  };
  const filled: Draft = { ...empty, ...(template && fillFromTemplate(empty, template.content, () => true, now)) };
  const draft = context.isReplaced ? { ...filled, ...changeCaseType(filled, "implant") } : filled;
  const asked: OrderStart["asked"] = context.isReplaced ? ["caseType", "items"] : ["items"];
  if (context.tooth === null) return { draft, item, template, asked: [] };
  const { items } = addItem({ items: [], active: -1 }, [context.tooth]);
  return { draft: { ...draft, items: applyDefaults(items, item, draft.caseType) }, item, template, asked };
}

/** The only laboratory, or the one that had the user's latest order. */
function chooseLab({ labs, own }: OrderContext): string | null {
  if (labs.length === 1) return labs[0]!.id;
  return labs.find(({ id }) => id === own?.receiver?.iid)?.id ?? null;
}

const findLast = <K extends "material" | "shade">(
  order: Pick<OrderRow, "work"> | undefined,
  field: K,
): OrderRow["work"][number][K] | null => order?.work.findLast((item) => item[field] !== null)?.[field] ?? null;

/** The latest intraoral scan, if it is so recent that it was made for this order. */
function findFreshScans(studies: OrderContext["studies"], now: Date): string[] {
  const oldest = new Date(now.getTime() - orderRules.freshScanDays * 86_400_000).toISOString();
  const scans = studies.filter(({ kind, createdAt }) => kind === "model" && createdAt >= oldest);
  const latest = scans.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0];
  return latest ? [latest.id] : [];
}
