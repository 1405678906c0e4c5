import type { Annotation } from "@arcada/contract/study/annotation";
import type { SegmentCode } from "@arcada/imaging/dicom/segmentation/write-segmentation";
import { createSmoothLine } from "@arcada/imaging/arch/smooth-line";
import { toVector, type Vector } from "@arcada/imaging/geometry/vector";

/** A tube around a line that becomes a segment. */
export interface MarkedStructure {
  label: string;
  algorithm: { type: "SEMIAUTOMATIC"; name: string } | { type: "MANUAL" };
  property: SegmentCode;
  /** Patient LPS, mm. */
  line: Vector[];
  /** mm; or at each point. */
  radius: number | number[];
}

/** mm between samples of a line, finer than any voxel of a jaw. */
const sampleStep = 0.25;
/** mm; what a viewer draws until the user sets it. */
const defaults = { canal: 2.5, root: 5, tip: 2 } as const;

/**
 * The nerve canals and tooth roots among the annotations of a volume, as the viewer shows them.
 * @param owners the instances of the volume's series
 */
export function findMarkedStructures(
  marks: readonly Annotation[],
  owners: ReadonlySet<string>,
  most: number,
): MarkedStructure[] {
  return marks
    .filter(({ instanceId }) => instanceId !== null && owners.has(instanceId))
    .flatMap((mark) => (mark.tool === "canal" ? toCanal(mark) : mark.tool === "root" ? toRoot(mark) : []))
    .slice(0, most);
}

/** SNOMED CT and the code sets of PS3.16 have no concept for the canal with the nerve in it. */
const codes = {
  canal: { value: "MANDIBULAR-CANAL", scheme: "99ARCADA", meaning: "Mandibular canal" },
  root: { value: "TOOTH-ROOT", scheme: "99ARCADA", meaning: "Root of tooth" },
} as const satisfies Record<string, SegmentCode>;

function toCanal(mark: Annotation): MarkedStructure {
  const side = mark.settings?.["side"] === "left" ? "left" : "right";
  const isTraced = mark.settings?.["isTraced"] === true;
  return {
    label: `Mandibular canal, ${side}`,
    algorithm: isTraced ? { type: "SEMIAUTOMATIC", name: "Arcada canal trace" } : { type: "MANUAL" },
    property: codes.canal,
    line: [...createSmoothLine(mark.points.map(toVector), sampleStep).points],
    radius: readNumber(mark, "diameter", defaults.canal) / 2,
  };
}

function toRoot(mark: Annotation): MarkedStructure {
  return {
    label: mark.text ? `Root of tooth ${mark.text}` : "Root of a tooth",
    algorithm: { type: "MANUAL" },
    property: codes.root,
    line: mark.points.map(toVector),
    radius: [readNumber(mark, "diameter", defaults.root) / 2, readNumber(mark, "tip", defaults.tip) / 2],
  };
}

function readNumber({ settings }: Annotation, name: string, fallback: number): number {
  const value = settings?.[name];
  return typeof value === "number" && value > 0 ? Math.min(value, 30) : fallback;
}
