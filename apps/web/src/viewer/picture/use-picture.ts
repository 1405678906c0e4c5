import type { Instance } from "@arcada/contract/study/study.calls";
import { useEffect, useReducer, useRef, useState } from "react";
import { FetchFault } from "../frame/fetch-bytes.ts";
import { renewing } from "../frame/renewing.ts";
import { loadPicture, type LoadedPicture, type PictureFile } from "./load-picture.ts";

export type PictureLoad =
  | { state: "loading"; part: number }
  | { state: "ready"; loaded: LoadedPicture }
  | { state: "failed"; reason: FetchFault["reason"]; again: () => void };

/**
 * Loads a frame of an instance's image; `renew` returns renewed addresses. The previous frame stays until the next is
 * loaded; unmounting stops the transfer.
 */
export function usePicture(instance: Instance, frame: number, renew: () => Promise<PictureFile | null>): PictureLoad {
  const [attempt, again] = useReducer((count: number) => count + 1, 0);
  const wanted = `${instance.id} ${frame} ${attempt}`;
  const [told, tell] = useState<{ of: string; load: PictureLoad }>();
  const source = useRef({ file: instance.picture, frame, renew });
  useEffect(() => void (source.current = { file: instance.picture, frame, renew }));

  useEffect(() => {
    const gone = new AbortController();
    const setLoad = (load: PictureLoad) =>
      tell((now) => (load.state === "loading" && now?.load.state === "ready" ? now : { of: wanted, load }));
    bring(source.current, gone.signal, (part) => setLoad({ state: "loading", part })).then(
      (loaded) => {
        if (gone.signal.aborted) closed(loaded);
        else setLoad({ state: "ready", loaded });
      },
      (error: unknown) => {
        if (gone.signal.aborted) return;
        setLoad({ state: "failed", reason: error instanceof FetchFault ? error.reason : "damaged", again });
      },
    );
    return () => gone.abort();
  }, [wanted]);
  useEffect(() => () => void (told?.load.state === "ready" && closed(told.load.loaded)), [told]);
  return told && (told.of === wanted || told.load.state === "ready") ? told.load : { state: "loading", part: 0 };
}

/** Frees its memory at once, not at the next garbage collection. */
const closed = ({ picture }: LoadedPicture): void => void (picture.kind === "image" && picture.bitmap.close());

interface Source {
  file: PictureFile | null;
  frame: number;
  renew: () => Promise<PictureFile | null>;
}

const bring = (
  { file, frame, renew }: Source,
  signal: AbortSignal,
  onPart: (part: number) => void,
): Promise<LoadedPicture> =>
  renewing(file, renew, (found) => {
    if (!found) throw new FetchFault("damaged");
    return loadPicture(found, frame, signal, onPart);
  });
