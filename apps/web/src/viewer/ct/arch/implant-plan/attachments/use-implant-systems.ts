import { useMemo } from "react";
import { builtInLibrary } from "@arcada/contract/implant/built-in-library";
import {
  listSystemChoices,
  type DrillSleeve,
  type SystemChoice,
} from "@arcada/contract/implant/implant-library.schema";
import { implantCalls } from "@arcada/contract/implant/implant.calls";
import { useCall } from "../../../../../data/use-call.ts";
import { useCanAccess } from "../../../../../session/permission-gate.tsx";

/** The systems that may be planned: the organisation's own libraries first, then the product's. */
export function useImplantSystems(): readonly SystemChoice[] {
  const mayRead = useCanAccess(implantCalls.libraries);
  const { data } = useCall(implantCalls.libraries, {}, { enabled: mayRead });
  return useMemo(() => listSystemChoices([...(data ?? []).map(({ library }) => library), builtInLibrary]), [data]);
}

export const findSystem = (systems: readonly SystemChoice[], name: string | null): SystemChoice | undefined =>
  systems.find((one) => one.name === name);

/** Angles and sleeves for implants without a system. */
export const genericAngles = [0, 15, 17, 25, 30];
export const genericSleeve: DrillSleeve = { name: "5.0", inner: 5, outer: 6.2, height: 5, offsets: [2, 4, 6, 9] };
