import { useState } from "react";
import type { CephContent, CephLandmark, CephImagePoint } from "@arcada/contract/ceph/ceph.schema";
import type { CephAnalysis } from "@arcada/analysis/ceph/analyses";
import { landmarkInfos, referenceLandmarks, type LandmarkInfo } from "@arcada/analysis/ceph/landmarks";
import { landmarkEntries } from "@arcada/analysis/ceph/normalised-tracing";
import { listRequiredLandmarks } from "@arcada/analysis/ceph/required-landmarks";
import { createThinPlateSpline } from "@arcada/analysis/ceph/thin-plate-spline";

/** A landmark that is being dragged. */
export interface DraggedLandmark {
  landmark: NonNullable<LandmarkGuide["active"]>;
  spot: CephImagePoint;
}

export const guideSets = ["analysis", "all"] as const;
type GuideSet = (typeof guideSets)[number];

export interface LandmarkGuide {
  landmarkSet: GuideSet;
  chooseSet: (landmarkSet: GuideSet) => void;
  /** The landmarks of the set, in the order of placing. */
  landmarks: readonly LandmarkInfo[];
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
  const [landmarkSet, setLandmarkSet] = useState<GuideSet>("analysis");
  const landmarks = listLandmarks(landmarkSet, analysis, content);
  const order = landmarks.map(({ id }) => id);
  const [selected, setSelected] = useState<CephLandmark | null | undefined>(undefined);
  const findNextMissing = (landmark: CephLandmark | null, placed: CephContent["landmarks"]): CephLandmark | null => {
    const from = landmark ? order.indexOf(landmark) + 1 : 0;
    return [...order.slice(from), ...order.slice(0, from)].find((id) => !placed[id]) ?? null;
  };
  // A landmark that was to be placed next may not belong to the analysis that was chosen since.
  const isOutsideSet = selected != null && !content.landmarks[selected] && !order.includes(selected);
  const active = selected === undefined || isOutsideSet ? findNextMissing(null, content.landmarks) : selected;
  return {
    landmarkSet,
    chooseSet: (next) => {
      setLandmarkSet(next);
      setSelected(undefined);
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

const listLandmarks = (landmarkSet: GuideSet, analysis: CephAnalysis, { landmarks }: CephContent) =>
  landmarkSet === "all" ? landmarkInfos : listRequiredLandmarks(analysis, landmarks);

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
