import { allTeeth } from "@arcada/contract/kernel/tooth-numbers";
import type { Annotation } from "@arcada/contract/study/annotation";
import { buildPlan, isPlanAnnotation, type Implant } from "./implant-plan.ts";

/** The values of a planned implant that leave the viewer, in mm. */
interface PlannedImplantValues {
  tooth: number | null;
  system: string | null;
  diameter: number;
  length: number;
  distances: { to: "canal" | "implant" | "root"; mm: number }[];
}

/** Returns the planned implants of a study with their sizes and their distances to canals, implants and roots. */
export const listPlannedImplants = (annotations: readonly Annotation[]): PlannedImplantValues[] =>
  buildPlan(annotations.filter(isPlanAnnotation)).implants.map(toValues);

function toValues({ annotation, body, length, toCanal, toImplant, toRoot }: Implant): PlannedImplantValues {
  const tooth = Number(annotation.text);
  const system = annotation.settings?.["system"];
  const gaps = { canal: toCanal, implant: toImplant, root: toRoot };
  return {
    tooth: allTeeth.includes(tooth) ? tooth : null,
    system: typeof system === "string" && system !== "" ? system : null,
    diameter: body.shoulder * 2,
    length,
    distances: (["canal", "implant", "root"] as const).flatMap((to) => {
      const gap = gaps[to];
      return gap ? [{ to, mm: gap.mm }] : [];
    }),
  };
}
