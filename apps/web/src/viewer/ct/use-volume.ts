import { useEffect, useRef, useState } from "react";
import { FetchFault, fetchBytes, fetchUnpacked } from "../frame/fetch-bytes.ts";
import { graphics } from "../gl/graphics.ts";
import { halfOffset } from "../gl/half.ts";
import { decodePool } from "./decode-pool.ts";
import { loadVolume, type VolumeFiles } from "./load-volume.ts";
import { textureFactor } from "./texture-size.ts";
import { VolumeStore } from "./volume-store.ts";

type VolumeStage = "waiting" | "preview" | "full";

export interface VolumeLoad {
  store: VolumeStore;
  stage: VolumeStage;
  /** Share of the slices that have arrived, 0 to 1. */
  part: number;
  fault: { reason: FetchFault["reason"] | "memory"; again: () => void } | null;
}

/** Brings a volume while the page is open: the preview first, then all slices from the middle outwards. */
export function useVolume(files: VolumeFiles, renew: () => Promise<VolumeFiles | null>): VolumeLoad {
  const latest = useRef({ files, renew });
  useEffect(() => void (latest.current = { files, renew }));
  // A series' size never changes: only another attempt begins anew.
  const [store, setStore] = useState(() => storeFor(files));
  const [fault, setFault] = useState<FetchFault["reason"] | "memory" | null>(null);
  const [progress, setProgress] = useState<{ stage: VolumeStage; part: number }>({ stage: "waiting", part: 0 });

  useEffect(() => {
    const gone = new AbortController();
    const stopTelling = tellSlowly(store, setProgress);
    bring(store, latest.current, gone.signal).catch((error: unknown) => {
      if (!gone.signal.aborted) setFault(reasonOf(error));
    });
    return () => {
      gone.abort();
      stopTelling();
    };
  }, [store]);
  const again = () => {
    setFault(null);
    setStore(storeFor(files));
  };
  return { store, ...progress, fault: fault && { reason: fault, again } };
}

const storeFor = ({ info }: VolumeFiles): VolumeStore =>
  new VolumeStore(info, halfOffset(info.min, info.max), textureFactor(info, graphics().largest3d));

async function bring(
  store: VolumeStore,
  { files, renew }: { files: VolumeFiles; renew: () => Promise<VolumeFiles | null> },
  signal: AbortSignal,
): Promise<void> {
  const pool = decodePool();
  const stop = () => pool.stop();
  signal.addEventListener("abort", stop);
  try {
    await loadVolume(
      files,
      {
        fetchPreview: (url, bytes) => fetchUnpacked(url, bytes, signal),
        fetchGroup: (url) => fetchBytes(url, signal),
        decode: pool.decode,
        renew,
      },
      { offset: store.offset, factor: store.factor, centre: Math.floor(files.info.slices / 2), signal },
      {
        preview: (values, info) => store.putPreview(values, info),
        group: (first, group) => store.putGroup(first, group),
      },
    );
  } finally {
    signal.removeEventListener("abort", stop);
    pool.stop();
  }
}

const reasonOf = (error: unknown): FetchFault["reason"] | "memory" =>
  error instanceof FetchFault ? error.reason : error instanceof RangeError ? "memory" : "damaged";

/** Tells progress at most four times a second: each group would redraw the whole page. */
function tellSlowly(store: VolumeStore, tell: (progress: { stage: VolumeStage; part: number }) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    timer = undefined;
    const part = store.slices / store.info.slices;
    tell({ stage: part >= 1 ? "full" : store.preview || part > 0 ? "preview" : "waiting", part });
  };
  now();
  const stop = store.onChange(() => {
    // The first picture counts: it is told at once.
    if (store.version === 1) now();
    else timer ??= setTimeout(now, 250);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}
