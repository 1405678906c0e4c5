import { bestFit, type SurfacePoints } from "@arcada/imaging/surface/registration";
import type { Movement } from "@arcada/imaging/surface/movement";
import { surfaceDistances, type TreeSurface } from "./map/surface-distances.ts";

export type CompareJob =
  | { work: "distances"; from: Pick<TreeSurface, "positions" | "pose">; onto: TreeSurface; reach: number }
  | { work: "fit"; from: SurfacePoints; onto: SurfacePoints; start: Movement };

export type CompareAnswer = { part: number } | { distances: Float32Array } | { movement: Movement; rms: number };

self.addEventListener("message", ({ data }: MessageEvent<CompareJob>) => {
  if (data.work === "fit") return fit(data);
  const distances = surfaceDistances(data.from, data.onto, data.reach, (part) => tell({ part }));
  tell({ distances }, [distances.buffer]);
});

/**
 * Only the nearer half of the surface is used: versions differ where work was done, and scans end in different places.
 */
const plan = { keep: 0.5, reach: 4 };
const rounds = 60;

function fit({ from, onto, start }: Extract<CompareJob, { work: "fit" }>): void {
  const onRound = (round: number) => {
    tell({ part: round / rounds });
    return true;
  };
  const { movement, rms } = bestFit(from, onto, { ...plan, start, onRound });
  tell({ movement, rms });
}

const tell = (answer: CompareAnswer, transfer: ArrayBufferLike[] = []): void =>
  self.postMessage(answer, { transfer: transfer as Transferable[] });
