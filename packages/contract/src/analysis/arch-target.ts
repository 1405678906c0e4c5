import { panoramaEdges } from "../study/volume.schema.ts";
import type { Target } from "./observation.ts";

const archJaws = ["upper", "lower"] as const;
const archCuts = ["height", "right", "front", "left", ...panoramaEdges] as const;

/** A dental arch in a volume, or the part of it or of its jaw that the field of view cuts. */
interface ArchPart {
  jaw: (typeof archJaws)[number];
  cut: (typeof archCuts)[number] | null;
}

/** The arch as an observation's target: no tooth is claimed at its ends. */
export const createArchTarget = ({ jaw, cut }: ArchPart): Target => ({
  kind: "region",
  from: null,
  to: null,
  name: cut ? `${jaw}.${cut}` : jaw,
});

const codesOfJaws: ReadonlySet<string> = new Set(["CBCT_ARCH", "CBCT_PANO", "CBCT_TOOTH", "CBCT_JAW"]);

/**
 * Returns the arch, or the part of one, that is meant; null for every other code and target. Observations of engine 1.1.1 and before name
 * the arch by the teeth 18 to 28 and 48 to 38, which nobody had found.
 */
export function readArchPart(code: string, target: Target): ArchPart | null {
  if (!codesOfJaws.has(code) || target.kind !== "region") return null;
  if (target.from !== null) return { jaw: target.from < 30 ? "upper" : "lower", cut: null };
  const [jawName, cutName] = (target.name ?? "").split(".");
  const jaw = archJaws.find((candidate) => candidate === jawName);
  return jaw ? { jaw, cut: archCuts.find((candidate) => candidate === cutName) ?? null } : null;
}

export const canalSides = ["right", "left"] as const;
export type CanalSide = (typeof canalSides)[number];

/** The nerve canal of one side of the lower jaw, as an observation's target. */
export const createCanalTarget = (side: CanalSide): Target => ({ kind: "region", from: null, to: null, name: side });

/** Returns the side of the nerve canal that is meant; null for every other code and target. */
export const readCanalSide = (code: string, target: Target): CanalSide | null =>
  code === "CBCT_CANAL" && target.kind === "region" ? (canalSides.find((side) => side === target.name) ?? null) : null;
