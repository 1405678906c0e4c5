import { useMemo } from "react";
import type { Annotation } from "@arcada/contract/study/annotation";
import { identityTransform, type RigidTransform } from "@arcada/imaging/geometry/rigid-transform";
import type { AnnotationStore } from "../../annotations/store/use-annotations.ts";

/** The poses of models that were registered with another model of the scene; all others keep the pose of their file. */
export function useAlignedPoses(
  annotations: AnnotationStore,
  ids: readonly string[],
): ReadonlyMap<string, RigidTransform> {
  const serialized = JSON.stringify(
    findAlignments(annotations, ids).map((annotation) => [annotation.instanceId, readRigidTransform(annotation)]),
  );
  return useMemo(() => new Map(JSON.parse(serialized) as [string, RigidTransform][]), [serialized]);
}

/** Registrations of one model of the scene with another. */
export const findAlignments = (annotations: AnnotationStore, ids: readonly string[]): Annotation[] =>
  annotations.list.filter(
    ({ tool, instanceId, settings }) =>
      tool === "registration" &&
      instanceId !== null &&
      ids.includes(instanceId) &&
      ids.includes(String(settings?.["onto"])),
  );

export const buildAlignmentSettings = (
  rigidTransform: RigidTransform,
  onto: string,
): NonNullable<Annotation["settings"]> => ({
  onto,
  ...Object.fromEntries(rigidTransform.map((value, at) => [`m${at}`, value])),
});

const readRigidTransform = ({ settings }: Annotation): RigidTransform =>
  identityTransform.map((value, at) => Number(settings?.[`m${at}`] ?? value)) as unknown as RigidTransform;
