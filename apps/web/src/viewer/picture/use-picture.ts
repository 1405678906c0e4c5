import type { Instance } from "@arcada/contract/study/study.calls";
import { useEffect, useReducer, useRef, useState } from "react";
import { FetchFault } from "../frame/fetch-bytes.ts";
import { renewing } from "../frame/renewing.ts";
import { loadPicture, type LoadedPicture, type PictureFile } from "./load-picture.ts";

export type PictureLoad =
  | { state: "loading"; part: number }
  | { state: "ready"; loaded: LoadedPicture }
  | { state: "failed"; reason: FetchFault["reason"]; again: () => void };

/** Brings the picture of an instance; `renew` answers with an address that is valid again. Leaving stops the transfer. */
export function usePicture(instance: Instance, renew: () => Promise<PictureFile | null>): PictureLoad {
  const [attempt, again] = useReducer((count: number) => count + 1, 0);
  const wanted = `${instance.id} ${attempt}`;
  const [told, tell] = useState<{ of: string; load: PictureLoad }>();
  const source = useRef({ file: instance.picture, renew });
  useEffect(() => void (source.current = { file: instance.picture, renew }));

  useEffect(() => {
    const gone = new AbortController();
    let bitmap: ImageBitmap | null = null;
    const setLoad = (load: PictureLoad) => tell({ of: wanted, load });
    bring(source.current, gone.signal, (part) => setLoad({ state: "loading", part })).then(
      (loaded) => {
        if (loaded.picture.kind === "image") bitmap = loaded.picture.bitmap;
        if (gone.signal.aborted) bitmap?.close();
        else setLoad({ state: "ready", loaded });
      },
      (error: unknown) => {
        if (gone.signal.aborted) return;
        setLoad({ state: "failed", reason: error instanceof FetchFault ? error.reason : "damaged", again });
      },
    );
    return () => {
      gone.abort();
      bitmap?.close();
    };
  }, [wanted]);
  return told?.of === wanted ? told.load : { state: "loading", part: 0 };
}

interface Source {
  file: PictureFile | null;
  renew: () => Promise<PictureFile | null>;
}

const bring = ({ file, renew }: Source, signal: AbortSignal, onPart: (part: number) => void): Promise<LoadedPicture> =>
  renewing(file, renew, (found) => {
    if (!found) throw new FetchFault("damaged");
    return loadPicture(found, signal, onPart);
  });
