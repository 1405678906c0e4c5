import { fitSurfaces, type SurfacePoints } from "@arcada/imaging/surface/registration";
import type { RigidTransform } from "@arcada/imaging/geometry/rigid-transform";
import { surfaceDistances, type TreeSurface } from "../distance-map/surface-distances.ts";

export type CompareJob =
  | { work: "distances"; from: Pick<TreeSurface, "positions" | "pose">; onto: TreeSurface; reach: number }
  | { work: "fit"; from: SurfacePoints; onto: SurfacePoints; start: RigidTransform };

export type CompareMessage =
  | { part: number }
  | { distances: Float32Array }
  | { rigidTransform: RigidTransform; rms: number };

self.addEventListener("message", ({ data }: MessageEvent<CompareJob>) => {
  if (data.work === "fit") return fit(data);
  const distances = surfaceDistances(data.from, data.onto, data.reach, (part) => post({ part }));
  post({ distances }, [distances.buffer]);
});

/**
 * Only the nearer half of the surface is used: versions differ where work was done, and scans end in different places.
 */
const fitOptions = { keep: 0.5, reach: 4 };
const maxRounds = 60;

function fit({ from, onto, start }: Extract<CompareJob, { work: "fit" }>): void {
  const onRound = (round: number) => {
    post({ part: round / maxRounds });
    return true;
  };
  const { rigidTransform, rms } = fitSurfaces(from, onto, { ...fitOptions, start, onRound });
  post({ rigidTransform, rms });
}

const post = (answer: CompareMessage, transfer: ArrayBufferLike[] = []): void =>
  self.postMessage(answer, { transfer: transfer as Transferable[] });
