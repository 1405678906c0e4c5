import { useState } from "react";
import type { CephContent, CephLandmark, CephImagePoint } from "@arcada/contract/ceph/ceph.schema";
import { cephAnalyses, type CephAnalysis } from "@arcada/analysis/ceph/analyses";
import { landmarkInfos, referenceLandmarks } from "@arcada/analysis/ceph/landmarks";
import { cephMeasures } from "@arcada/analysis/ceph/measures";
import { landmarkEntries } from "@arcada/analysis/ceph/normalised-tracing";
import { createThinPlateSpline } from "@arcada/analysis/ceph/thin-plate-spline";

/** A landmark that is being dragged. */
export interface DraggedLandmark {
  landmark: NonNullable<LandmarkGuide["active"]>;
  spot: CephImagePoint;
}

export const guideSets = ["usual", "analysis", "all"] as const;
type GuideSet = (typeof guideSets)[number];

export interface LandmarkGuide {
  landmarkSet: GuideSet;
  chooseSet: (landmarkSet: GuideSet) => void;
  landmarks: readonly CephLandmark[];
  /** The landmark that is placed or corrected next. */
  active: CephLandmark | null;
  select: (landmark: CephLandmark | null) => void;
  /** Selects the next landmark that is not placed, from the active one on, cyclically. */
  next: () => void;
  /** Called after `landmark` was placed. */
  handlePlaced: (landmark: CephLandmark) => void;
}

/** Steps through the landmarks that are not placed, in their order. */
export function useLandmarkGuide(content: CephContent, analysis: CephAnalysis): LandmarkGuide {
  const [landmarkSet, setLandmarkSet] = useState<GuideSet>("usual");
  const landmarks = listLandmarks(landmarkSet, analysis);
  const [selected, setSelected] = useState<CephLandmark | null | undefined>(undefined);
  const findNextMissing = (landmark: CephLandmark | null, placed: CephContent["landmarks"]): CephLandmark | null => {
    const from = landmark ? landmarks.indexOf(landmark) + 1 : 0;
    return [...landmarks.slice(from), ...landmarks.slice(0, from)].find((id) => !placed[id]) ?? null;
  };
  const active = selected === undefined ? findNextMissing(null, content.landmarks) : selected;
  return {
    landmarkSet,
    chooseSet: (next) => {
      setLandmarkSet(next);
      setSelected(listLandmarks(next, analysis).find((id) => !content.landmarks[id]) ?? null);
    },
    landmarks,
    active,
    select: setSelected,
    next: () => setSelected(findNextMissing(active, content.landmarks)),
    // A landmark that is corrected stays selected.
    handlePlaced: (landmark) =>
      setSelected(
        content.landmarks[landmark]
          ? landmark
          : findNextMissing(landmark, { ...content.landmarks, [landmark]: [0, 0] }),
      ),
  };
}

function listLandmarks(landmarkSet: GuideSet, analysis: CephAnalysis): CephLandmark[] {
  const needed = new Set(
    cephAnalyses[analysis].measures.flatMap((name): readonly CephLandmark[] => cephMeasures[name].needs),
  );
  return landmarkInfos
    .filter(({ id, isUsual }) => landmarkSet === "all" || (landmarkSet === "usual" ? isUsual : needed.has(id)))
    .map(({ id }) => id);
}

/** Estimates the place of a landmark from those that are placed; null before there are enough. */
export function estimateLandmarkPosition(
  { landmarks, aspect }: CephContent,
  landmark: CephLandmark,
): CephImagePoint | null {
  const placed = landmarkEntries(landmarks).filter(([id]) => id !== landmark);
  const warp = createThinPlateSpline(
    placed.map(([id]) => referenceLandmarks[id]),
    placed.map(([, [x, y]]) => [x, y * aspect]),
  );
  if (!warp) return null;
  const [x, y] = warp(referenceLandmarks[landmark]);
  return [x, y / aspect];
}
