import type { CanalProblem } from "@arcada/imaging/canal/canal-error";
import type { CanalPoints } from "@arcada/imaging/canal/control-points";
import type { Vector } from "@arcada/imaging/geometry/vector";
import { createBoxFromCorners, cropGeometry, cropSlices } from "@arcada/imaging/surface/voxel-box";
import type { VoxelGrid } from "@arcada/imaging/surface/voxel-grid";
import type { VolumeStore } from "../../loading/volume-store.ts";
import type { CanalAnswer, CanalTask } from "./trace-canal.worker.ts";

/** `slices`: they did not arrive; `failed`: the worker ended. */
export type TraceProblem = CanalProblem | "slices" | "failed";

/** Longer than any search takes, mm around the points that it may look at, and ms until it counts as failed. */
const margin = 15;
const timeoutMs = 20_000;

/** Traces a canal in a worker, once all slices have arrived; an abort ends the worker. */
export async function runCanalTrace(
  store: VolumeStore,
  points: readonly Vector[],
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<CanalPoints | TraceProblem> {
  await waitForSlices(store, signal);
  const { grid } = store;
  if (!grid?.isWhole) return "slices";
  return runWorker({ grid: cropAround(grid, points), points }, onShare, signal);
}

const waitForSlices = (store: VolumeStore, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const check = () => {
      if (!store.grid?.isWhole && !signal.aborted) return;
      stop();
      resolve();
    };
    const stop = store.onChange(check);
    signal.addEventListener("abort", check);
    check();
  });

/** The worker gets a copy of what it needs only. */
function cropAround(grid: VoxelGrid, points: readonly Vector[]): VoxelGrid {
  const corner = (sign: 1 | -1): Vector => {
    const edge = (axis: 0 | 1 | 2): number => Math.max(...points.map((point) => sign * point[axis])) + margin;
    return [sign * edge(0), sign * edge(1), sign * edge(2)];
  };
  const box = createBoxFromCorners(grid.info, corner(-1), corner(1));
  return { info: cropGeometry(grid.info, box), data: cropSlices(grid, box, 0, box.count[2]) };
}

const runWorker = (
  task: CanalTask,
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<CanalPoints | TraceProblem> =>
  new Promise((resolve) => {
    const worker = new Worker(new URL("./trace-canal.worker.ts", import.meta.url), { type: "module" });
    const end = (result: CanalPoints | TraceProblem) => {
      worker.terminate();
      clearTimeout(timer);
      resolve(result);
    };
    const timer = setTimeout(() => end("failed"), timeoutMs);
    worker.addEventListener("message", ({ data }: MessageEvent<CanalAnswer>) => {
      if ("share" in data) onShare(data.share);
      else end("found" in data ? data.found : data.problem);
    });
    worker.addEventListener("error", () => end("failed"));
    signal.addEventListener("abort", () => end("failed"));
    worker.postMessage(task, [task.grid.data.buffer]);
  });
