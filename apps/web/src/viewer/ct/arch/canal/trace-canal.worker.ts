import { CanalError, type CanalProblem } from "@arcada/imaging/canal/canal-error";
import { chooseControlPoints, type CanalPoints } from "@arcada/imaging/canal/control-points";
import { traceCanal } from "@arcada/imaging/canal/trace-canal";
import type { Vector } from "@arcada/imaging/geometry/vector";
import type { VoxelGrid } from "@arcada/imaging/surface/voxel-grid";

export interface CanalTask {
  grid: VoxelGrid;
  points: readonly Vector[];
}

export type CanalAnswer = { share: number } | { found: CanalPoints } | { problem: CanalProblem };

const answer = (message: CanalAnswer) => self.postMessage(message);

self.addEventListener("message", ({ data: { grid, points } }: MessageEvent<CanalTask>) => {
  try {
    const places = traceCanal(grid, points, (share) => answer({ share }));
    answer({ found: chooseControlPoints(places) });
  } catch (error) {
    if (!(error instanceof CanalError)) throw error;
    answer({ problem: error.problem });
  }
});
