import { useMemo, useState } from "react";
import { analysisCalls } from "@arcada/contract/analysis/analysis.calls";
import { useCall } from "../../../../../data/use-call.ts";
import { useCanAccess } from "../../../../../session/permission-gate.tsx";
import type { SuggestedStructures } from "../implant-plan.ts";
import { findVolumeMeasurement, readSuggestions } from "./suggested-structures.ts";

/** The measured volume, and the annotation's instance that its marks belong to. */
export interface MeasuredVolume {
  patientId: string | null;
  seriesId: string;
  owner: string | null;
}

export interface Suggestions {
  suggested: SuggestedStructures;
  /** Takes a suggestion away from this plan until the viewer is opened again. */
  hideSuggestion: (id: string) => void;
}

/**
 * Reads the suggestions of a volume for a plan. They are fetched once somebody plans, for readers who may see
 * analyses; hidden suggestions are left out.
 */
export function useSuggestedStructures({ patientId, seriesId, owner }: MeasuredVolume, isWanted: boolean): Suggestions {
  const mayRead = useCanAccess(analysisCalls.list);
  const enabled = isWanted && mayRead && patientId !== null;
  const analyses = useCall(analysisCalls.list, { patientId: patientId ?? "" }, { enabled });
  const measured = enabled ? findVolumeMeasurement(analyses.data ?? [], seriesId) : null;
  const { data: detail } = useCall(analysisCalls.detail, { id: measured?.id ?? "" }, { enabled: measured !== null });
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const seen = detail?.seen;
  const suggested = useMemo(
    () =>
      readSuggestions(
        (seen ?? []).filter(({ id }) => !hidden.has(id)),
        owner ?? "",
      ),
    [seen, hidden, owner],
  );
  return { suggested, hideSuggestion: (id) => setHidden((now) => new Set([...now, id])) };
}
