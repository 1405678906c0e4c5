import { useEffect, useRef, useState } from "react";
import { takeBringer } from "../first/bringer.ts";
import { FetchFault, fetchAside, fetchBytes, fetchUnpacked } from "../frame/fetch-bytes.ts";
import { graphics } from "@arcada/imaging/gl/graphics";
import { halfOffset } from "@arcada/imaging/gl/half";
import { groupSize } from "@arcada/imaging/volume/preview";
import { renewing } from "../frame/renewing.ts";
import { decodePool } from "./decode-pool.ts";
import { loadVolume, type VolumeFiles } from "./load-volume.ts";
import { textureBudget, textureFactor } from "./texture-size.ts";
import { VolumeStore } from "./volume-store.ts";

type VolumeStage = "waiting" | "preview" | "half" | "full";

export interface VolumeLoad {
  store: VolumeStore;
  stage: VolumeStage;
  /** Share of the slices that have arrived, 0 to 1. */
  part: number;
  fault: { reason: FetchFault["reason"] | "memory"; again: () => void } | null;
  /** Loads the volume at full resolution; null if it is. */
  loadFull: (() => void) | null;
  /** Loads a group of slices at full resolution, for a volume that is shown at half its resolution. */
  bringSharp: ((group: number, signal: AbortSignal) => Promise<void>) | null;
}

type Level = "half" | "full";

interface Progress {
  stage: VolumeStage;
  part: number;
  lacksRoom: boolean;
}

/**
 * Loads a volume while the page is open: the preview first, then all slices from the current ones outwards. A volume
 * beyond the graphics processor's memory is loaded at half its resolution until the user requests the full one.
 */
export function useVolume(files: VolumeFiles, renew: () => Promise<VolumeFiles | null>): VolumeLoad {
  const latest = useRef({ files, renew });
  useEffect(() => void (latest.current = { files, renew }));
  // A series' size never changes: only a retry begins anew.
  const [{ store, level }, setChosen] = useState(() => storeFor(files, levelFor(files)));
  const [failed, setFault] = useState<FetchFault["reason"] | "memory" | null>(null);
  const [{ lacksRoom, ...progress }, setProgress] = useState<Progress>({ stage: "waiting", part: 0, lacksRoom: false });

  useEffect(() => {
    const gone = new AbortController();
    const stopTelling = tellSlowly(store, setProgress);
    bring(store, level, latest.current, gone.signal).catch((error: unknown) => {
      if (!gone.signal.aborted) setFault(reasonOf(error));
    });
    return () => {
      gone.abort();
      stopTelling();
    };
  }, [store, level]);
  const fault = lacksRoom ? "memory" : failed;
  const begin = (wanted: Level, coarsened = 1) => {
    setFault(null);
    setChosen(storeFor(files, wanted, coarsened));
  };
  const again = () => {
    if (fault !== "memory") return begin(level);
    if (level === "full" && files.half) return begin("half");
    begin(level, store.factor * 2);
  };
  return {
    store,
    ...progress,
    fault: fault && { reason: fault, again },
    loadFull: level === "half" ? () => begin("full") : null,
    bringSharp: level === "half" ? (group, signal) => bringSharp(store, latest.current, group, signal) : null,
  };
}

const levelFor = ({ info, half }: VolumeFiles): Level =>
  half && textureFactor(info, graphics().largest3d, textureBudget()) > 1 ? "half" : "full";

/**
 * @param coarsened the least number of voxels along each axis that become one in the display, if finer ones did not fit
 */
function storeFor(files: VolumeFiles, level: Level, coarsened = 1): { store: VolumeStore; level: Level } {
  const { info } = partOf(files, level);
  // A user who requests a large volume at full resolution sees it as fine as a texture can be.
  const budget = files.half && level === "full" ? Infinity : textureBudget();
  const factor = Math.min(4, Math.max(coarsened, textureFactor(info, graphics().largest3d, budget)));
  return { level, store: new VolumeStore(info, halfOffset(info.min, info.max), factor, files.info, files.arch) };
}

const partOf = (files: VolumeFiles, level: Level): VolumeFiles =>
  level === "half" && files.half ? { ...files, ...files.half } : files;

async function bring(
  store: VolumeStore,
  level: Level,
  { files, renew }: { files: VolumeFiles; renew: () => Promise<VolumeFiles | null> },
  signal: AbortSignal,
): Promise<void> {
  const pool = decodePool();
  const bringer = takeBringer();
  const stop = () => {
    pool.stop();
    bringer.stop();
  };
  signal.addEventListener("abort", stop);
  try {
    await loadVolume(
      partOf(files, level),
      {
        fetchPreview: (url, bytes) => fetchUnpacked(url, bytes, signal),
        fetchGroup: (url) => fetchAside(url, bringer),
        decode: pool.decode,
        renew: async () => {
          const fresh = await renew();
          return fresh && partOf(fresh, level);
        },
        pause: growing(),
      },
      { offset: store.offset, factor: store.factor, centre: () => store.lookedAt, signal },
      {
        preview: (values, info) => store.putPreview(values, info),
        group: (first, group) => store.putGroup(first, group),
      },
    );
  } finally {
    signal.removeEventListener("abort", stop);
    pool.stop();
    bringer.end();
  }
}

/** Short at first, since a usual volume is ready within seconds; every poll is a call that lists the whole study. */
function growing(): () => Promise<void> {
  let ms = 700;
  return () => new Promise((resolve) => setTimeout(resolve, (ms = Math.min(ms * 1.3, 5000))));
}

async function bringSharp(
  store: VolumeStore,
  { files, renew }: { files: VolumeFiles; renew: () => Promise<VolumeFiles | null> },
  group: number,
  signal: AbortSignal,
): Promise<void> {
  const bytes = await renewing(
    files,
    async () => (await renew()) ?? files,
    async ({ groups }) => {
      const url = groups[group];
      return url ? await fetchBytes(url, signal) : null;
    },
  );
  if (!bytes) return;
  const pool = decodePool(1);
  try {
    const decoded = await pool.decode({ bytes, info: store.whole, offset: store.offset, factor: 1 });
    if (!signal.aborted) store.putSharp(group * groupSize, decoded);
  } finally {
    pool.stop();
  }
}

const reasonOf = (error: unknown): FetchFault["reason"] | "memory" =>
  error instanceof FetchFault ? error.reason : error instanceof RangeError ? "memory" : "damaged";

/** Reports progress at most four times a second: each group would render the whole page again. */
function tellSlowly(store: VolumeStore, tell: (progress: Progress) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    timer = undefined;
    const { lacksRoom, isHalf, preview } = store;
    const part = store.slices / store.info.slices;
    const whole = isHalf ? "half" : "full";
    const isWhole = part >= 1 && !lacksRoom;
    tell({ stage: isWhole ? whole : preview || part > 0 ? "preview" : "waiting", part, lacksRoom });
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
