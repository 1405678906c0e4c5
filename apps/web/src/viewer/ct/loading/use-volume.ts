import { useEffect, useRef, useState } from "react";
import { takeOverFetcher } from "../../files/file-fetcher.ts";
import { FetchError, fetchInWorker, fetchBytes, fetchDecompressed } from "../../files/fetch-bytes.ts";
import { getGraphicsCapabilities } from "@arcada/imaging/gl/graphics-capabilities";
import { chooseHalfFloatOffset } from "@arcada/imaging/gl/half-float";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import { slicesPerGroup } from "@arcada/imaging/volume/volume-preview";
import { retryWithRenewedUrls } from "../../files/retry-with-renewed-urls.ts";
import { createDecodePool } from "./decode-pool.ts";
import { loadVolume, type VolumeFiles } from "./load-volume.ts";
import { canHoldWhole, chooseFirstLevel, computeDownsamplingFactor, getTextureBudget } from "./texture-size.ts";
import { VolumeStore } from "./volume-store.ts";

type VolumeStage = "waiting" | "preview" | "half" | "full";

export interface VolumeLoad {
  store: VolumeStore;
  stage: VolumeStage;
  /** Share of the slices that have arrived, 0 to 1. */
  part: number;
  fault: { reason: FetchError["reason"] | "memory"; retry: () => void } | null;
  /** Loads the volume at full resolution; null if it is, or if this device has too little memory for it. */
  loadFull: (() => void) | null;
  /** Loads a group of slices at full resolution, for a volume that is shown at half its resolution. */
  loadFullResolution: ((group: number, signal: AbortSignal) => Promise<void>) | null;
}

type ResolutionLevel = "half" | "full";

interface Progress {
  stage: VolumeStage;
  part: number;
  isOutOfMemory: boolean;
}

/**
 * Loads a volume while the page is open: the preview first, then all slices from the current ones outwards. A volume
 * beyond the memory of the graphics or of a tablet is loaded at half its resolution until the user requests the full one.
 */
export function useVolume(files: VolumeFiles, renew: () => Promise<VolumeFiles | null>): VolumeLoad {
  const latest = useRef({ files, renew });
  useEffect(() => void (latest.current = { files, renew }));
  // A series' size never changes: only a retry begins anew.
  const [{ store, level }, setChosen] = useState(() =>
    createStore(files, chooseFirstLevel(files.info, files.half !== null, chooseFactor(files.info))),
  );
  const [failed, setFault] = useState<FetchError["reason"] | "memory" | null>(null);
  const [{ isOutOfMemory, ...progress }, setProgress] = useState<Progress>({
    stage: "waiting",
    part: 0,
    isOutOfMemory: false,
  });

  useEffect(() => {
    const controller = new AbortController();
    const stopReporting = reportProgress(store, setProgress);
    loadInto(store, level, latest.current, controller.signal).catch((error: unknown) => {
      if (!controller.signal.aborted) setFault(reasonOf(error));
    });
    return () => {
      controller.abort();
      stopReporting();
      store.release();
    };
  }, [store, level]);
  const fault = isOutOfMemory ? "memory" : failed;
  const begin = (wanted: ResolutionLevel, coarsened = 1) => {
    setFault(null);
    setChosen(createStore(files, wanted, coarsened));
  };
  const retry = () => {
    if (fault !== "memory") return begin(level);
    if (level === "full" && files.half) return begin("half");
    begin(level, store.factor * 2);
  };
  return {
    store,
    ...progress,
    fault: fault && { reason: fault, retry },
    loadFull: level === "half" && canHoldWhole(files.info, chooseFactor(files.info)) ? () => begin("full") : null,
    loadFullResolution:
      level === "half" ? (group, signal) => loadFullResolution(store, latest.current, group, signal) : null,
  };
}

const chooseFactor = (info: VolumeInfo): number =>
  computeDownsamplingFactor(info, getGraphicsCapabilities().max3dTextureSize, getTextureBudget());

/**
 * @param coarsened the least number of voxels along each axis that become one in the display, if finer ones did not fit
 */
function createStore(
  files: VolumeFiles,
  level: ResolutionLevel,
  coarsened = 1,
): { store: VolumeStore; level: ResolutionLevel } {
  const { info } = selectFiles(files, level);
  // If the texture is coarser than the values, planes are drawn from bricks at full resolution.
  const factor = Math.min(4, Math.max(coarsened, chooseFactor(info)));
  return {
    level,
    store: new VolumeStore(info, chooseHalfFloatOffset(info.min, info.max), factor, files.info, files.arch),
  };
}

const selectFiles = (files: VolumeFiles, level: ResolutionLevel): VolumeFiles =>
  level === "half" && files.half ? { ...files, ...files.half } : files;

async function loadInto(
  store: VolumeStore,
  level: ResolutionLevel,
  { files, renew }: { files: VolumeFiles; renew: () => Promise<VolumeFiles | null> },
  signal: AbortSignal,
): Promise<void> {
  const pool = createDecodePool();
  const bringer = takeOverFetcher();
  const stop = () => {
    pool.stop();
    bringer.stop();
  };
  signal.addEventListener("abort", stop);
  try {
    await loadVolume(
      selectFiles(files, level),
      {
        fetchPreview: (url, bytes) => fetchDecompressed(url, bytes, signal),
        fetchGroup: (url) => fetchInWorker(url, bringer),
        decode: pool.decode,
        renew: async () => {
          const fresh = await renew();
          return fresh && selectFiles(fresh, level);
        },
        pause: createPollDelay(),
      },
      { offset: store.offset, factor: store.factor, centre: () => store.currentSlice, signal },
      {
        preview: (values, info) => store.putPreview(values, info),
        group: (first, group) => {
          store.putGroup(first, group);
          pool.recycle(group);
        },
      },
    );
  } finally {
    signal.removeEventListener("abort", stop);
    pool.stop();
    bringer.end();
  }
}

/** Short at first, since a usual volume is ready within seconds; every poll is a call that lists the whole study. */
function createPollDelay(): () => Promise<void> {
  let ms = 700;
  return () => new Promise((resolve) => setTimeout(resolve, (ms = Math.min(ms * 1.3, 5000))));
}

async function loadFullResolution(
  store: VolumeStore,
  { files, renew }: { files: VolumeFiles; renew: () => Promise<VolumeFiles | null> },
  group: number,
  signal: AbortSignal,
): Promise<void> {
  const bytes = await retryWithRenewedUrls(
    files,
    async () => (await renew()) ?? files,
    async ({ groups }) => {
      const url = groups[group];
      return url ? await fetchBytes(url, signal) : null;
    },
  );
  if (!bytes) return;
  const pool = createDecodePool(1);
  try {
    const decoded = await pool.decode({ bytes, info: store.fullInfo, offset: store.offset, factor: 1 });
    if (!signal.aborted) store.putFullResolution(group * slicesPerGroup, decoded);
  } finally {
    pool.stop();
  }
}

const reasonOf = (error: unknown): FetchError["reason"] | "memory" =>
  error instanceof FetchError ? error.reason : error instanceof RangeError ? "memory" : "damaged";

/** Reports progress at most four times a second: each group would render the whole page again. */
function reportProgress(store: VolumeStore, onProgress: (progress: Progress) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    timer = undefined;
    const { isOutOfMemory, isHalf, preview } = store;
    const part = store.slices / store.info.slices;
    const whole = isHalf ? "half" : "full";
    const isWhole = part >= 1 && !isOutOfMemory;
    onProgress({ stage: isWhole ? whole : preview || part > 0 ? "preview" : "waiting", part, isOutOfMemory });
  };
  now();
  const stop = store.onChange(() => {
    // The first image counts: it is reported at once.
    if (store.version === 1) now();
    else timer ??= setTimeout(now, 250);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}
