import { useRef, useState } from "react";
import type { Template } from "@arcada/contract/order/template.calls";
import { templateCalls } from "@arcada/contract/order/template.calls";
import { useCall } from "../../kernel/use-call.ts";
import type { Draft } from "./draft.ts";
import { defaultFor, filledBy, nothingUsual, writtenIn } from "./templates.ts";
import type { Usual } from "./templates.ts";
import type { DraftForm } from "./use-draft.ts";

export interface Templates {
  all: readonly Template[];
  usual: Usual;
  /** The template that filled open fields when its lab was chosen. */
  applied: Template | null;
  /** A change by the user: templates no longer overwrite its fields. Choosing a lab applies its default template. */
  change: (change: Partial<Draft>) => void;
  /** Applies a template to the draft and overwrites existing values. */
  begin: (template: Template) => void;
}

/** The templates of this form, and the fields that the user has changed. */
export function useTemplates({ draft, change }: DraftForm): Templates {
  const all = useCall(templateCalls.list, {}).data ?? [];
  const [applied, setApplied] = useState<Template | null>(null);
  const [usual, setUsual] = useState(nothingUsual);
  const [first] = useState(draft);
  const written = useRef<Set<keyof Draft> | null>(null);
  const known = () => (written.current ??= new Set(writtenIn(first)));
  return {
    all,
    usual,
    applied,
    change: (made) => {
      for (const field of Object.keys(made) as (keyof Draft)[]) known().add(field);
      const lab = made.targetIid !== undefined && made.targetIid !== draft.targetIid ? made.targetIid : null;
      const template = defaultFor(all, lab);
      if (template) setUsual(template.content);
      if (lab) setApplied(template ?? null);
      const filled = template ? filledBy({ ...draft, ...made }, template.content, (field) => !known().has(field)) : {};
      change({ ...filled, ...made });
    },
    begin: (template) => {
      const { content, targetIid } = template;
      setUsual(content);
      setApplied(null);
      change({
        ...filledBy(draft, content, (field) => field !== "items" || draft.items.length === 0),
        ...(targetIid && draft.targetIid === null && { targetIid }),
      });
    },
  };
}
