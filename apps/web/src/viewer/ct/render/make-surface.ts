import { croppedGeometry, croppedSlices, type VoxelBox } from "@arcada/imaging/surface/crop";
import type { GridValues } from "@arcada/imaging/surface/grid-values";
import type { SurfaceAnswer, SurfaceOrder, SurfacePlan } from "./surface.worker.ts";

export type MadeSurface = Exclude<SurfaceAnswer, { wanted: unknown }>;

/**
 * Extracts a surface in a worker, which receives the volume a few slices at a time. Rejects with the signal's reason if
 * it is cancelled.
 */
export function makeSurface(
  grid: GridValues,
  box: VoxelBox,
  plan: Omit<SurfacePlan, "geometry">,
  signal: AbortSignal,
  onPart: (part: number) => void,
): Promise<MadeSurface> {
  const worker = new Worker(new URL("./surface.worker.ts", import.meta.url), { type: "module" });
  const send = (order: SurfaceOrder, transfer: Transferable[] = []) => worker.postMessage(order, { transfer });
  return new Promise<MadeSurface>((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    worker.addEventListener("error", () => reject(new Error("the surface could not be made")));
    worker.addEventListener("message", ({ data }: MessageEvent<SurfaceAnswer>) => {
      if (!("wanted" in data)) return resolve(data);
      onPart(data.part);
      const values = croppedSlices(grid, box, data.wanted.from, data.wanted.to);
      send({ values }, [values.buffer]);
    });
    send({ plan: { ...plan, geometry: croppedGeometry(grid.info, box) } });
  }).finally(() => worker.terminate());
}
