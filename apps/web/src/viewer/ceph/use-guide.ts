import { useState } from "react";
import type { CephContent, CephLandmark, CephSpot } from "@arcada/contract/ceph/ceph.shape";
import { cephAnalyses, type CephAnalysis } from "@arcada/analysis/ceph/analyses";
import { landmarkRows, usualPlaces } from "@arcada/analysis/ceph/landmarks";
import { cephMeasures } from "@arcada/analysis/ceph/measures";
import { entriesOf } from "@arcada/analysis/ceph/frame";
import { warped } from "@arcada/analysis/ceph/warp";

export const guideSets = ["usual", "analysis", "all"] as const;
type GuideSet = (typeof guideSets)[number];

export interface Guide {
  set: GuideSet;
  choose: (set: GuideSet) => void;
  landmarks: readonly CephLandmark[];
  /** The landmark that is placed or corrected next. */
  active: CephLandmark | null;
  take: (landmark: CephLandmark | null) => void;
  /** Selects the next landmark that is not placed, from the active one on, cyclically. */
  next: () => void;
  /** Called after `landmark` was placed. */
  placed: (landmark: CephLandmark) => void;
}

/** Steps through the landmarks that are not placed, in their order. */
export function useGuide(content: CephContent, analysis: CephAnalysis): Guide {
  const [set, choose] = useState<GuideSet>("usual");
  const landmarks = landmarksOf(set, analysis);
  const [chosen, take] = useState<CephLandmark | null | undefined>(undefined);
  const missingAfter = (landmark: CephLandmark | null, placed: CephContent["landmarks"]): CephLandmark | null => {
    const from = landmark ? landmarks.indexOf(landmark) + 1 : 0;
    return [...landmarks.slice(from), ...landmarks.slice(0, from)].find((id) => !placed[id]) ?? null;
  };
  const active = chosen === undefined ? missingAfter(null, content.landmarks) : chosen;
  return {
    set,
    choose: (next) => {
      choose(next);
      take(landmarksOf(next, analysis).find((id) => !content.landmarks[id]) ?? null);
    },
    landmarks,
    active,
    take,
    next: () => take(missingAfter(active, content.landmarks)),
    // A landmark that is corrected stays selected.
    placed: (landmark) =>
      take(
        content.landmarks[landmark] ? landmark : missingAfter(landmark, { ...content.landmarks, [landmark]: [0, 0] }),
      ),
  };
}

function landmarksOf(set: GuideSet, analysis: CephAnalysis): CephLandmark[] {
  const needed = new Set(
    cephAnalyses[analysis].measures.flatMap((name): readonly CephLandmark[] => cephMeasures[name].needs),
  );
  return landmarkRows
    .filter(({ id, isUsual }) => set === "all" || (set === "usual" ? isUsual : needed.has(id)))
    .map(({ id }) => id);
}

/** Estimates the place of a landmark from those that are placed; null before there are enough. */
export function likelyPlace({ landmarks, aspect }: CephContent, landmark: CephLandmark): CephSpot | null {
  const placed = entriesOf(landmarks).filter(([id]) => id !== landmark);
  const bend = warped(
    placed.map(([id]) => usualPlaces[id]),
    placed.map(([, [x, y]]) => [x, y * aspect]),
  );
  if (!bend) return null;
  const [x, y] = bend(usualPlaces[landmark]);
  return [x, y / aspect];
}
