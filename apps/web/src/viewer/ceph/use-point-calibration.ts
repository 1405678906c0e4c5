import { useState } from "react";
import type { CephImagePoint } from "@arcada/contract/ceph/ceph.schema";
import type { Tracing } from "./use-tracing.ts";

/** Two points in the radiograph whose distance the user knows. */
export interface PointCalibration {
  /** Null while nobody calibrates. */
  points: readonly CephImagePoint[] | null;
  start: () => void;
  cancel: () => void;
  addPoint: (spot: CephImagePoint) => void;
  apply: (mm: number) => void;
}

export function usePointCalibration(tracing: Tracing): PointCalibration {
  const [points, setPoints] = useState<readonly CephImagePoint[] | null>(null);
  const { aspect } = tracing.content;
  return {
    points,
    start: () => setPoints([]),
    cancel: () => setPoints(null),
    addPoint: (spot) => setPoints((now) => (now && now.length < 2 ? [...now, spot] : [spot])),
    apply: (mm) => {
      const [from, to] = points ?? [];
      if (!from || !to) return;
      const pixels = Math.hypot(to[0] - from[0], (to[1] - from[1]) * aspect);
      if (pixels === 0) return;
      const width = mm / pixels;
      tracing.change({
        calibration: { source: "points", width, magnification: 1, line: { from, to, mm } },
      });
      setPoints(null);
    },
  };
}
