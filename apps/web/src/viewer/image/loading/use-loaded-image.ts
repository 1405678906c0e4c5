import type { Instance } from "@arcada/contract/study/study.schema";
import { useEffect, useReducer, useRef, useState } from "react";
import { FetchError } from "../../files/fetch-bytes.ts";
import { retryWithRenewedUrls } from "../../files/retry-with-renewed-urls.ts";
import { loadImageFrame, type LoadedImage, type ImageFile } from "./load-image.ts";

export type ImageLoad =
  | { state: "loading"; progress: number }
  | { state: "ready"; loaded: LoadedImage }
  | { state: "failed"; reason: FetchError["reason"]; retry: () => void };

/**
 * Loads a frame of an instance's image; `renew` returns renewed addresses. The previous frame stays until the next is
 * loaded; unmounting stops the transfer.
 */
export function useLoadedImage(instance: Instance, frame: number, renew: () => Promise<ImageFile | null>): ImageLoad {
  const [attempt, retry] = useReducer((count: number) => count + 1, 0);
  const wanted = `${instance.id} ${frame} ${attempt}`;
  const [reported, setReported] = useState<{ of: string; load: ImageLoad }>();
  const source = useRef({ file: instance.picture, frame, renew });
  useEffect(() => void (source.current = { file: instance.picture, frame, renew }));

  useEffect(() => {
    const aborter = new AbortController();
    const setLoad = (load: ImageLoad) =>
      setReported((now) => (load.state === "loading" && now?.load.state === "ready" ? now : { of: wanted, load }));
    loadWithRenewal(source.current, aborter.signal, (progress) => setLoad({ state: "loading", progress })).then(
      (loaded) => {
        if (aborter.signal.aborted) closeBitmap(loaded);
        else setLoad({ state: "ready", loaded });
      },
      (error: unknown) => {
        if (aborter.signal.aborted) return;
        setLoad({ state: "failed", reason: error instanceof FetchError ? error.reason : "damaged", retry });
      },
    );
    return () => aborter.abort();
  }, [wanted]);
  useEffect(() => () => void (reported?.load.state === "ready" && closeBitmap(reported.load.loaded)), [reported]);
  return reported && (reported.of === wanted || reported.load.state === "ready")
    ? reported.load
    : { state: "loading", progress: 0 };
}

/** Frees its memory at once, not at the next garbage collection. */
const closeBitmap = ({ image }: LoadedImage): void => void (image.kind === "image" && image.bitmap.close());

interface ImageSource {
  file: ImageFile | null;
  frame: number;
  renew: () => Promise<ImageFile | null>;
}

const loadWithRenewal = (
  { file, frame, renew }: ImageSource,
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<LoadedImage> =>
  retryWithRenewedUrls(file, renew, (found) => {
    if (!found) throw new FetchError("damaged");
    return loadImageFrame(found, frame, signal, onProgress);
  });
