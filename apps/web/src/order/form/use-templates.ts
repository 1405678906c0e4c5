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
  /** The template that filled what was open when its lab was chosen. */
  applied: Template | null;
  /** A person's change: its fields are theirs from now on. A lab that is chosen brings its default along. */
  change: (change: Partial<Draft>) => void;
  /** Writes a template into the draft, over what stands there. */
  begin: (template: Template) => void;
}

/** The templates of this form, and which of its fields somebody has written. */
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
