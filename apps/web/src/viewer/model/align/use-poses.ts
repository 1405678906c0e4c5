import { useMemo } from "react";
import type { Mark } from "@arcada/contract/study/mark";
import { atRest, type Movement } from "@arcada/imaging/surface/movement";
import type { Marks } from "../../marks/use-marks.ts";

/** The poses of models that were registered with another model of the scene; all others keep the pose of their file. */
export function usePoses(marks: Marks, ids: readonly string[]): ReadonlyMap<string, Movement> {
  const told = JSON.stringify(alignments(marks, ids).map((mark) => [mark.instanceId, movementOf(mark)]));
  return useMemo(() => new Map(JSON.parse(told) as [string, Movement][]), [told]);
}

/** Registrations of one model of the scene with another. */
export const alignments = (marks: Marks, ids: readonly string[]): Mark[] =>
  marks.list.filter(
    ({ tool, instanceId, settings }) =>
      tool === "registration" &&
      instanceId !== null &&
      ids.includes(instanceId) &&
      ids.includes(String(settings?.["onto"])),
  );

export const settingsOf = (movement: Movement, onto: string): NonNullable<Mark["settings"]> => ({
  onto,
  ...Object.fromEntries(movement.map((value, at) => [`m${at}`, value])),
});

const movementOf = ({ settings }: Mark): Movement =>
  atRest.map((value, at) => Number(settings?.[`m${at}`] ?? value)) as unknown as Movement;
