import { slicesPerGroup } from "@arcada/imaging/volume/volume-preview";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import { FetchError } from "../../files/fetch-bytes.ts";
import type { DecodeSlices, Decoded } from "./decode-pool.ts";
import type { ArchGuess } from "@arcada/imaging/arch/detection/detected-arches";

/** The addresses of a volume's derived files. */
export interface VolumeFiles {
  info: VolumeInfo;
  preview: { url: string; info: VolumeInfo } | null;
  /** Null if none was found; undefined if nobody has looked for it. */
  arch: ArchGuess | null | undefined;
  /** The same at half the resolution, for large volumes. */
  half: { info: VolumeInfo; groups: readonly (string | null)[] } | null;
  /** Null: not made yet. */
  groups: readonly (string | null)[];
  /** True while the missing files are being made. */
  isGrowing: boolean;
}

/** The dependencies of loading, passed in so that it can be tested without a browser. */
export interface LoadDependencies {
  fetchPreview: (url: string, bytes: number) => Promise<Uint8Array<ArrayBuffer>>;
  fetchGroup: (url: string) => Promise<Uint8Array<ArrayBuffer>>;
  decode: DecodeSlices;
  /** Fetches the same files under renewed addresses. */
  renew: () => Promise<VolumeFiles | null>;
  /** Resolves when it is time to ask if more files have been made. */
  pause: () => Promise<void>;
}

export interface LoadEvents {
  preview: (values: Int16Array, info: VolumeInfo) => void;
  /** Slices from `first` on, lossless. */
  group: (first: number, group: Decoded) => void;
}

export interface LoadOptions {
  offset: number;
  factor: number;
  /** The current slice: of the remaining groups, the one nearest to it comes next. */
  centre: () => number;
  signal: AbortSignal;
}

// Five downloads run at a time; the other lanes hold groups that wait to be decoded.
const maxConcurrent = 8;

/**
 * Loads a volume: the preview, then groups of slices several at a time; groups that are still being made follow when
 * they are ready. A failed group is retried once at the end. Throws FetchFault; `damaged` if a group cannot be decoded,
 * `unconverted` if some are missing and nobody makes them. Throws RangeError as soon as memory runs out.
 */
export async function loadVolume(
  files: VolumeFiles,
  dependencies: LoadDependencies,
  options: LoadOptions,
  events: LoadEvents,
): Promise<void> {
  const source = createRenewable(files, dependencies.renew);
  const { info } = files;
  if (files.preview) await loadPreview(source, dependencies, events, files.preview.info);
  const failed: number[] = [];
  const loadGroup = async (group: number) => {
    const bytes = await source.use((now) => dependencies.fetchGroup(getGroupUrl(now, group)));
    const decoded = await dependencies
      .decode({ bytes, info, offset: options.offset, factor: options.factor })
      .catch((error: unknown) => {
        throw new FetchError("damaged", error);
      });
    if (!options.signal.aborted) events.group(group * slicesPerGroup, decoded);
  };
  const remaining = new Set(Array.from({ length: Math.ceil(info.slices / slicesPerGroup) }, (_, group) => group));
  const next = () => takeNearest(remaining, source.now().groups, options.centre() / slicesPerGroup - 0.5);
  for (;;) {
    await runConcurrently(next, options.signal, (group) =>
      loadGroup(group).catch((error: unknown) => {
        if (error instanceof RangeError) throw error;
        failed.push(group);
      }),
    );
    if (remaining.size === 0 || !source.now().isGrowing) break;
    await dependencies.pause();
    options.signal.throwIfAborted();
    await source.renew();
  }
  await runConcurrently(() => failed.shift(), options.signal, loadGroup);
  if (remaining.size > 0) throw new FetchError("unconverted");
}

async function loadPreview(
  source: RenewableFiles,
  dependencies: LoadDependencies,
  events: LoadEvents,
  info: VolumeInfo,
): Promise<void> {
  const size = info.columns * info.rows * info.slices * 2;
  try {
    const bytes = await source.use((now) => dependencies.fetchPreview(now.preview?.url ?? "", size));
    events.preview(new Int16Array(bytes.buffer), info);
  } catch (error) {
    // The volume can be shown without its preview, only later.
    if (!(error instanceof FetchError) || error.reason !== "damaged") throw error;
  }
}

/** Removes and returns the available group that is nearest to this one. */
function takeNearest(remaining: Set<number>, made: readonly (string | null)[], wanted: number): number | undefined {
  let best: number | undefined;
  for (const group of remaining)
    if (made[group] && (best === undefined || Math.abs(group - wanted) < Math.abs(best - wanted))) best = group;
  if (best !== undefined) remaining.delete(best);
  return best;
}

async function runConcurrently(
  next: () => number | undefined,
  signal: AbortSignal,
  work: (item: number) => Promise<void>,
): Promise<void> {
  const runNext = async () => {
    for (let item = next(); item !== undefined; item = next()) {
      signal.throwIfAborted();
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: maxConcurrent }, runNext));
}

interface RenewableFiles {
  now: () => VolumeFiles;
  renew: () => Promise<void>;
  use: <T>(work: (files: VolumeFiles) => Promise<T>) => Promise<T>;
}

/**
 * Addresses expire after minutes, large volumes may take longer: an expired address is renewed once for all lanes
 * together.
 */
function createRenewable(files: VolumeFiles, renew: () => Promise<VolumeFiles | null>): RenewableFiles {
  let now = files;
  let renewing: Promise<VolumeFiles | null> | null = null;
  const renewOnce = async () => {
    renewing ??= renew().finally(() => (renewing = null));
    now = (await renewing) ?? now;
  };
  return {
    now: () => now,
    renew: renewOnce,
    use: async (work) => {
      const attempted = now;
      try {
        return await work(attempted);
      } catch (error) {
        if (!(error instanceof FetchError) || error.reason !== "gone") throw error;
        if (now === attempted) await renewOnce();
        if (now === attempted) throw error;
        return work(now);
      }
    },
  };
}

function getGroupUrl({ groups }: VolumeFiles, group: number): string {
  const url = groups[group];
  if (!url) throw new FetchError("damaged");
  return url;
}
