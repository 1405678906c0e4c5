import type { ArchGuess } from "@arcada/imaging/arch/guess";
import { groupSize } from "@arcada/imaging/volume/preview";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import { FetchFault } from "../frame/fetch-bytes.ts";
import type { Decode, Decoded } from "./decode-pool.ts";

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
export interface VolumeWays {
  fetchPreview: (url: string, bytes: number) => Promise<Uint8Array<ArrayBuffer>>;
  fetchGroup: (url: string) => Promise<Uint8Array<ArrayBuffer>>;
  decode: Decode;
  /** Fetches the same files under renewed addresses. */
  renew: () => Promise<VolumeFiles | null>;
  /** Resolves when it is time to ask if more files have been made. */
  pause: () => Promise<void>;
}

export interface VolumeEvents {
  preview: (values: Int16Array, info: VolumeInfo) => void;
  /** Slices from `first` on, lossless. */
  group: (first: number, group: Decoded) => void;
}

export interface LoadPlan {
  offset: number;
  factor: number;
  /** The current slice: of the remaining groups, the one nearest to it comes next. */
  centre: () => number;
  signal: AbortSignal;
}

// Five downloads run at a time; the other lanes hold groups that wait to be decoded.
const lanes = 8;

/**
 * Loads a volume: the preview, then groups of slices several at a time; groups that are still being made follow when
 * they are ready. A failed group is retried once at the end. Throws FetchFault; `damaged` if a group cannot be decoded,
 * `unconverted` if some are missing and nobody makes them. Throws RangeError as soon as memory runs out.
 */
export async function loadVolume(
  files: VolumeFiles,
  ways: VolumeWays,
  plan: LoadPlan,
  on: VolumeEvents,
): Promise<void> {
  const source = renewed(files, ways.renew);
  const { info } = files;
  if (files.preview) await bringPreview(source, ways, on, files.preview.info);
  const failed: number[] = [];
  const bring = async (group: number) => {
    const bytes = await source.use((now) => ways.fetchGroup(addressOf(now, group)));
    const decoded = await ways
      .decode({ bytes, info, offset: plan.offset, factor: plan.factor })
      .catch((error: unknown) => {
        throw new FetchFault("damaged", error);
      });
    if (!plan.signal.aborted) on.group(group * groupSize, decoded);
  };
  const left = new Set(Array.from({ length: Math.ceil(info.slices / groupSize) }, (_, group) => group));
  const next = () => nearest(left, source.now().groups, plan.centre() / groupSize - 0.5);
  for (;;) {
    await inLanes(next, plan.signal, (group) =>
      bring(group).catch((error: unknown) => {
        if (error instanceof RangeError) throw error;
        failed.push(group);
      }),
    );
    if (left.size === 0 || !source.now().isGrowing) break;
    await ways.pause();
    plan.signal.throwIfAborted();
    await source.renew();
  }
  await inLanes(() => failed.shift(), plan.signal, bring);
  if (left.size > 0) throw new FetchFault("unconverted");
}

async function bringPreview(source: Renewed, ways: VolumeWays, on: VolumeEvents, info: VolumeInfo): Promise<void> {
  const size = info.columns * info.rows * info.slices * 2;
  try {
    const bytes = await source.use((now) => ways.fetchPreview(now.preview?.url ?? "", size));
    on.preview(new Int16Array(bytes.buffer), info);
  } catch (error) {
    // The volume can be shown without its preview, only later.
    if (!(error instanceof FetchFault) || error.reason !== "damaged") throw error;
  }
}

/** Removes and returns the available group that is nearest to this one. */
function nearest(left: Set<number>, made: readonly (string | null)[], wanted: number): number | undefined {
  let best: number | undefined;
  for (const group of left)
    if (made[group] && (best === undefined || Math.abs(group - wanted) < Math.abs(best - wanted))) best = group;
  if (best !== undefined) left.delete(best);
  return best;
}

async function inLanes(
  next: () => number | undefined,
  signal: AbortSignal,
  work: (item: number) => Promise<void>,
): Promise<void> {
  const lane = async () => {
    for (let item = next(); item !== undefined; item = next()) {
      signal.throwIfAborted();
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

interface Renewed {
  now: () => VolumeFiles;
  renew: () => Promise<void>;
  use: <T>(work: (files: VolumeFiles) => Promise<T>) => Promise<T>;
}

/**
 * Addresses expire after minutes, large volumes may take longer: an expired address is renewed once for all lanes
 * together.
 */
function renewed(files: VolumeFiles, renew: () => Promise<VolumeFiles | null>): Renewed {
  let now = files;
  let renewing: Promise<VolumeFiles | null> | null = null;
  const again = async () => {
    renewing ??= renew().finally(() => (renewing = null));
    now = (await renewing) ?? now;
  };
  return {
    now: () => now,
    renew: again,
    use: async (work) => {
      const tried = now;
      try {
        return await work(tried);
      } catch (error) {
        if (!(error instanceof FetchFault) || error.reason !== "gone") throw error;
        if (now === tried) await again();
        if (now === tried) throw error;
        return work(now);
      }
    },
  };
}

function addressOf({ groups }: VolumeFiles, group: number): string {
  const url = groups[group];
  if (!url) throw new FetchFault("damaged");
  return url;
}
