import { guideNames, hasShade, materialsFor, shadeGuides } from "@arcada/contract/order/prescription.choices";
import { needsSchemeByDefault } from "@arcada/contract/order/order.rules";
import type { Template, TemplateContent } from "@arcada/contract/order/template.calls";
import { dayAfter, createEmptyDraft, hasItems, getItemKinds, changeCaseType } from "../form/order-draft.ts";
import type { Draft } from "../form/order-draft.ts";
import type { Item } from "../form/prescription-items.ts";

/** Defaults for the first item of an order. */
export type ItemDefaults = Pick<TemplateContent, "kind" | "material" | "shadeGuide"> & Pick<Item, "shade">;
export const noDefaults: ItemDefaults = { kind: null, material: null, shadeGuide: null, shade: null };

/** Returns the fields that a template fills in a draft. `isOpen` decides whether it may fill a field. */
export function fillFromTemplate(
  draft: Draft,
  content: TemplateContent,
  isOpen: (field: keyof Draft) => boolean,
  now: Date = new Date(),
): Partial<Draft> {
  const { caseType } = content;
  const changesCase = caseType !== null && caseType !== draft.caseType && isOpen("caseType") && isOpen("items");
  const fields: Partial<Draft> = {
    ...(content.workKinds && { workKinds: content.workKinds }),
    ...(content.implantSystem && { implantSystem: content.implantSystem }),
    ...(content.fixType && { fixType: content.fixType }),
    ...(content.instructions && { instructions: content.instructions }),
    ...(content.schemeRequired !== null && { schemeRequired: content.schemeRequired }),
    ...(content.maskName !== null && { maskName: content.maskName }),
    ...(content.dueDays && { dueDate: dayAfter(now, content.dueDays) }),
  };
  const open = Object.entries(fields).filter(([field]) => isOpen(field as keyof Draft));
  return { ...(changesCase && changeCaseType(draft, caseType)), ...Object.fromEntries(open) };
}

/** Returns the items of a draft with defaults applied to the first one, which has just been started. */
export const applyDefaults = (
  items: readonly Item[],
  { kind, material, shade }: ItemDefaults,
  caseType: Draft["caseType"],
): Item[] =>
  items.map((item) => {
    const allowedKind = kind && item.kind !== "bridge" && getItemKinds(caseType).includes(kind) ? kind : item.kind;
    return {
      ...item,
      kind: allowedKind,
      material: material && materialsFor(allowedKind).includes(material) ? material : null,
      shade: hasShade(allowedKind) ? shade : null,
    };
  });

/** Returns the content of a template that is made from a draft. */
export function toTemplateContent(draft: Draft, now: Date = new Date()): TemplateContent {
  const [first] = hasItems(draft.caseType) ? draft.items : [];
  const days = draft.dueDate ? Math.round((Date.parse(draft.dueDate) - Date.parse(dayAfter(now, 0))) / 86_400_000) : 0;
  const shade = first?.shade;
  return {
    caseType: draft.caseType,
    kind: first?.kind ?? null,
    material: first?.material ?? null,
    shadeGuide:
      (shade && guideNames.find((guide) => (shadeGuides[guide] as readonly string[]).includes(shade))) ?? null,
    workKinds: draft.workKinds,
    implantSystem: draft.caseType === "implant" ? draft.implantSystem : null,
    fixType: draft.caseType === "implant" ? draft.fixType : null,
    instructions: draft.instructions,
    schemeRequired: draft.schemeRequired,
    maskName: draft.maskName,
    dueDays: days >= 1 && days <= 365 ? days : null,
  };
}

/** Returns the template that fills open fields for this lab. The user's own precedes the clinic's. */
export const findDefaultTemplate = (templates: readonly Template[], lab: string | null): Template | undefined =>
  templates
    .filter(({ isDefault, targetIid }) => isDefault && targetIid !== null && targetIid === lab)
    .toSorted((a, b) => Number(a.forAll) - Number(b.forAll))[0];

/** Returns the fields of a draft that differ from a new one, which means that the user has changed them. */
export function findEditedFields(draft: Draft): (keyof Draft)[] {
  const defaults: Draft = {
    ...createEmptyDraft(draft.patientId),
    caseType: draft.caseType,
    schemeRequired: needsSchemeByDefault(draft.caseType),
  };
  return (Object.keys(defaults) as (keyof Draft)[]).filter(
    (field) => JSON.stringify(draft[field]) !== JSON.stringify(defaults[field]),
  );
}
