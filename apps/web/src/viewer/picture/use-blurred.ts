import { useEffect, useState } from "react";
import type { Blurred, Picture } from "@arcada/imaging/gl/picture";
import type { BlurJob } from "./blur.worker.ts";

/** A blurred copy of the image, computed in the background when sharpening is first requested; null until then. */
export function useBlurred(picture: Picture, isWanted: boolean): Blurred | null {
  const [made, setMade] = useState<{ of: Picture; blurred: Blurred } | null>(null);
  const isThere = made?.of === picture;
  useEffect(() => {
    if (!isWanted || isThere) return;
    const worker = new Worker(new URL("./blur.worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<Blurred>) => setMade({ of: picture, blurred: data }));
    const { columns, rows } = picture;
    const job: BlurJob =
      picture.kind === "grey"
        ? { kind: "grey", data: picture.data, columns, rows }
        : { kind: "image", bitmap: picture.bitmap, columns, rows };
    worker.postMessage(job);
    return () => worker.terminate();
  }, [picture, isWanted, isThere]);
  useEffect(() => () => void (made?.blurred.kind === "image" && made.blurred.bitmap.close()), [made]);
  return isThere ? made.blurred : null;
}
