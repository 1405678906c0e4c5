import { useRef, useState } from "react";
import type { Template } from "@arcada/contract/order/template.calls";
import { templateCalls } from "@arcada/contract/order/template.calls";
import { useCall } from "../../data/use-call.ts";
import type { Draft } from "../form/order-draft.ts";
import { findDefaultTemplate, fillFromTemplate, noDefaults, findEditedFields } from "./fill-from-template.ts";
import type { ItemDefaults } from "./fill-from-template.ts";
import type { OrderStart } from "../form/order-defaults.ts";
import type { DraftForm } from "../form/use-draft.ts";

export interface Templates {
  all: readonly Template[];
  defaults: ItemDefaults;
  /** The template that filled open fields when its lab was chosen. */
  applied: Template | null;
  /** A change by the user: templates no longer overwrite its fields. Choosing a lab applies its default template. */
  change: (change: Partial<Draft>) => void;
  /** Applies a template to the draft and overwrites existing values. */
  apply: (template: Template) => void;
}

/** The templates of this form, and the fields that the user has changed. */
export function useTemplates({ draft, change }: DraftForm, start: OrderStart | null): Templates {
  const all = useCall(templateCalls.list, {}).data ?? [];
  const [applied, setApplied] = useState<Template | null>(start?.template ?? null);
  const [defaults, setDefaults] = useState(start?.item ?? noDefaults);
  const applyItemDefaults = ({ kind, material, shadeGuide }: Template["content"]) =>
    setDefaults((now) => ({ ...now, kind, material: material ?? now.material, shadeGuide }));
  const [initialDraft] = useState(draft);
  const editedFields = useRef<Set<keyof Draft> | null>(null);
  const getEditedFields = () => (editedFields.current ??= new Set(start?.asked ?? findEditedFields(initialDraft)));
  return {
    all,
    defaults,
    applied,
    change: (made) => {
      for (const field of Object.keys(made) as (keyof Draft)[]) getEditedFields().add(field);
      const lab = made.targetIid !== undefined && made.targetIid !== draft.targetIid ? made.targetIid : null;
      const template = findDefaultTemplate(all, lab);
      if (template) applyItemDefaults(template.content);
      if (lab) setApplied(template ?? null);
      const templateFields = template
        ? fillFromTemplate({ ...draft, ...made }, template.content, (field) => !getEditedFields().has(field))
        : {};
      change({ ...templateFields, ...made });
    },
    apply: (template) => {
      const { content, targetIid } = template;
      applyItemDefaults(content);
      setApplied(null);
      change({
        ...fillFromTemplate(draft, content, (field) => field !== "items" || draft.items.length === 0),
        ...(targetIid && draft.targetIid === null && { targetIid }),
      });
    },
  };
}
