import { useEffect, useState } from "react";
import type { BlurredImage, RasterImage } from "@arcada/imaging/gl/raster-image";
import type { BlurJob } from "./blur.worker.ts";

/** A blurred copy of the image, computed in the background when sharpening is first requested; null until then. */
export function useBlurredImage(image: RasterImage, isWanted: boolean): BlurredImage | null {
  const [computed, setComputed] = useState<{ of: RasterImage; blurred: BlurredImage } | null>(null);
  const isReady = computed?.of === image;
  useEffect(() => {
    if (!isWanted || isReady) return;
    const worker = new Worker(new URL("./blur.worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<BlurredImage>) =>
      setComputed({ of: image, blurred: data }),
    );
    const { columns, rows } = image;
    const job: BlurJob =
      image.kind === "grey"
        ? { kind: "grey", data: image.data, columns, rows }
        : { kind: "image", bitmap: image.bitmap, columns, rows };
    worker.postMessage(job);
    return () => worker.terminate();
  }, [image, isWanted, isReady]);
  useEffect(() => () => void (computed?.blurred.kind === "image" && computed.blurred.bitmap.close()), [computed]);
  return isReady ? computed.blurred : null;
}
