import { studyCalls } from "@arcada/contract/study/study.calls";
import { useCall } from "../../data/use-call.ts";
import { findAdvice, type AdviceName } from "./prescription-advice.ts";
import { findMissing, collectRoles, type DraftGap } from "./order-draft.ts";
import type { DraftForm } from "./use-draft.ts";

export interface OrderCheck {
  missing: DraftGap[];
  advice: AdviceName[];
  /** The patient's studies, or undefined while loading. */
  studies: ReturnType<typeof useCall<typeof studyCalls.list>>;
}

export function useOrderCheck({ draft, saved }: DraftForm): OrderCheck {
  const studies = useCall(studyCalls.list, { patientId: draft.patientId }, { enabled: draft.patientId !== "" });
  const roles = collectRoles(draft, saved?.files ?? [], studies.data ?? []);
  return {
    missing: findMissing(draft, roles),
    advice: findAdvice(draft, { roles, studies: studies.data ?? [] }),
    studies,
  };
}
