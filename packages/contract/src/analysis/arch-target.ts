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

/**
 * Returns the arch, or the part of one, that is meant; null for every other code and target. Observations of engine 1.1.1 and before name
 * the arch by the teeth 18 to 28 and 48 to 38, which nobody had found.
 */
export function readArchPart(code: string, target: Target): ArchPart | null {
  if ((code !== "CBCT_ARCH" && code !== "CBCT_PANO") || target.kind !== "region") return null;
  if (target.from !== null) return { jaw: target.from < 30 ? "upper" : "lower", cut: null };
  const [jawName, cutName] = (target.name ?? "").split(".");
  const jaw = archJaws.find((candidate) => candidate === jawName);
  return jaw ? { jaw, cut: archCuts.find((candidate) => candidate === cutName) ?? null } : null;
}
