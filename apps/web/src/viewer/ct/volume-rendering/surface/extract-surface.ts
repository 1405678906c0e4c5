import { cropGeometry, cropSlices, type VoxelBox } from "@arcada/imaging/surface/voxel-box";
import type { VoxelGrid } from "@arcada/imaging/surface/voxel-grid";
import type { SurfaceResult, SurfaceMessage, SurfaceOptions } from "./extract-surface.worker.ts";

export type ExtractedSurface = Exclude<SurfaceResult, { wanted: unknown }>;

/**
 * Extracts a surface in a worker, which receives the volume a few slices at a time. Rejects with the signal's reason if
 * it is cancelled.
 */
export function extractSurface(
  grid: VoxelGrid,
  box: VoxelBox,
  plan: Omit<SurfaceOptions, "geometry">,
  signal: AbortSignal,
  onPart: (part: number) => void,
): Promise<ExtractedSurface> {
  const worker = new Worker(new URL("./extract-surface.worker.ts", import.meta.url), { type: "module" });
  const send = (order: SurfaceMessage, transfer: Transferable[] = []) => worker.postMessage(order, { transfer });
  return new Promise<ExtractedSurface>((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    worker.addEventListener("error", () => reject(new Error("the surface could not be made")));
    worker.addEventListener("message", ({ data }: MessageEvent<SurfaceResult>) => {
      if (!("wanted" in data)) return resolve(data);
      onPart(data.part);
      const values = cropSlices(grid, box, data.wanted.from, data.wanted.to);
      send({ values }, [values.buffer]);
    });
    send({ plan: { ...plan, geometry: cropGeometry(grid.info, box) } });
  }).finally(() => worker.terminate());
}
