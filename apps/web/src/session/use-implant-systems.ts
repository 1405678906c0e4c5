import { useMemo } from "react";
import { builtInLibrary } from "@arcada/contract/implant/built-in-library";
import { listSystemChoices, type SystemChoice } from "@arcada/contract/implant/implant-library.schema";
import { implantCalls } from "@arcada/contract/implant/implant.calls";
import { useCall } from "../data/use-call.ts";
import { useCanAccess } from "./permission-gate.tsx";

/**
 * The implant systems for plans and orders: the organisation's own libraries first, then the product's. The product's
 * are there at once, and alone for users who may not read the others.
 */
export function useImplantSystems(): readonly SystemChoice[] {
  const mayRead = useCanAccess(implantCalls.libraries);
  const { data } = useCall(implantCalls.libraries, {}, { enabled: mayRead });
  return useMemo(() => listSystemChoices([...(data ?? []).map(({ library }) => library), builtInLibrary]), [data]);
}
