import type { CephContent, CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import { cephAnalyses, type CephAnalysis, type CephAnalysisDefinition } from "./analyses.ts";
import { landmarkInfos, type LandmarkInfo } from "./landmarks.ts";
import { cephMeasures } from "./measures.ts";

/**
 * Returns the landmarks that the rows of an analysis need, in the order of placing, and no others. The two points of
 * the occlusal plane are left out where the first molars and incisors already define it.
 */
export function listRequiredLandmarks(
  analysis: CephAnalysis,
  placed: CephContent["landmarks"] = {},
): readonly LandmarkInfo[] {
  const definition: CephAnalysisDefinition = cephAnalyses[analysis];
  const needed = new Set(definition.measures.flatMap((name): readonly CephLandmark[] => cephMeasures[name].needs));
  if (definition.sideLandmark) needed.add(definition.sideLandmark);
  const hasPlaneFromTeeth = !definition.isFunctional && placed.U6 && placed.L6 && placed.U1 && placed.L1;
  if (hasPlaneFromTeeth) for (const id of ["OcA", "OcP"] as const) if (!placed[id]) needed.delete(id);
  return landmarkInfos.filter(({ id }) => needed.has(id));
}
