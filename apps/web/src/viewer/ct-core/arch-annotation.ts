import type { Annotation } from "@arcada/contract/study/annotation";
import { patientUp } from "@arcada/imaging/arch/curved-surface";
import { toVector, type Vector } from "@arcada/imaging/geometry/vector";
import type { Jaw } from "@arcada/imaging/arch/detection/detected-arches";

/** Returns the annotation that a user has drawn as the arch of this jaw. */
export const findArchAnnotation = (annotations: readonly Annotation[], jaw: Jaw): Annotation | undefined =>
  annotations.find(({ tool, settings }) => tool === "arch" && (settings?.["jaw"] ?? "lower") === jaw);

/** Control points (patient LPS, mm) and up vector of a drawn arch. */
export const readDrawnArch = (annotation: Annotation): { points: readonly Vector[]; up: Vector } => ({
  points: annotation.points.map(toVector),
  up: readUp(annotation),
});

export const buildArchSettings = (jaw: Jaw, up: Vector): NonNullable<Annotation["settings"]> =>
  String(up) === String(patientUp) ? { jaw } : { jaw, upX: up[0], upY: up[1], upZ: up[2] };

function readUp({ settings }: Annotation): Vector {
  const [x, y, z] = ["upX", "upY", "upZ"].map((name) => Number(settings?.[name] ?? 0)) as [number, number, number];
  const length = Math.hypot(x, y, z);
  return length > 0 ? [x / length, y / length, z / length] : patientUp;
}
