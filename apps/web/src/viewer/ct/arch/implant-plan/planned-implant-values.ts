import type { Annotation } from "@arcada/contract/study/annotation";
import { buildPlan, isPlanAnnotation, type Implant } from "./implant-plan.ts";

/** The values of a planned implant that leave the viewer, in mm. */
interface PlannedImplantValues {
  tooth: number | null;
  system: string | null;
  diameter: number;
  length: number;
  /** Degrees of its abutment; null without one. */
  abutmentAngle: number | null;
  distances: { to: "canal" | "implant" | "root" | "sinus"; mm: number }[];
}

/** Returns the planned implants of a study with their sizes and their distances to what they must not touch. */
export const listPlannedImplants = (annotations: readonly Annotation[]): PlannedImplantValues[] =>
  buildPlan(annotations.filter(isPlanAnnotation)).implants.map(toPlannedValues);

function toPlannedValues(implant: Implant): PlannedImplantValues {
  const { body, length, tooth, system, attachments, toCanal, toImplant, toRoot, toSinus } = implant;
  const gaps = { canal: toCanal, implant: toImplant, root: toRoot, sinus: toSinus };
  return {
    tooth,
    system,
    diameter: body.shoulder * 2,
    length,
    abutmentAngle: attachments.abutment?.angle ?? null,
    distances: (["canal", "implant", "root", "sinus"] as const).flatMap((to) => {
      const gap = gaps[to];
      return gap ? [{ to, mm: gap.mm }] : [];
    }),
  };
}
