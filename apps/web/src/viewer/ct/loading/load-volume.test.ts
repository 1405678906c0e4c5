import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import { describe, expect, it } from "vitest";
import { FetchError } from "../../files/fetch-bytes.ts";
import { loadVolume, type LoadOptions, type VolumeFiles, type LoadDependencies } from "./load-volume.ts";

const info: VolumeInfo = {
  columns: 4,
  rows: 4,
  slices: 84,
  spacing: [1, 1, 1],
  origin: [0, 0, 0],
  direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  min: 0,
  max: 100,
  valueOffset: 0,
  valueScale: 1,
  window: { center: 50, width: 100 },
  valueName: "grey",
};
const filesOf = (prefix: string): VolumeFiles => ({
  info,
  preview: { url: `${prefix}/preview`, info },
  arch: undefined,
  half: null,
  groups: Array.from({ length: 11 }, (_, at) => `${prefix}/${at}`),
  isGrowing: false,
});

/** Loads with files that fail as specified; returns the events, in order. */
async function loaded(
  change: Partial<LoadDependencies> = {},
  signal = new AbortController().signal,
  options: Partial<LoadOptions> = {},
  files = filesOf("old"),
  put: () => void = () => {},
) {
  const arrived: number[] = [];
  let previews = 0;
  const dependencies: LoadDependencies = {
    fetchPreview: async (_url, bytes) => new Uint8Array(bytes),
    fetchGroup: async (url) => new TextEncoder().encode(url),
    decode: async () => ({ id: 0, values: new Int16Array(128), halves: new Uint16Array(128), count: 8 }),
    renew: async () => null,
    pause: async () => {},
    ...change,
  };
  const events = { preview: () => void previews++, group: (first: number) => (put(), void arrived.push(first)) };
  const end = await loadVolume(
    files,
    dependencies,
    { offset: 0, factor: 1, centre: () => 42, signal, ...options },
    events,
  ).then(
    () => null,
    (error: unknown) => error,
  );
  return { came: arrived, previews, end };
}

describe("loading a volume", () => {
  it("starts with the preview and the visible slices", async () => {
    const { came: arrived, previews, end } = await loaded();
    expect(end).toBeNull();
    expect(previews).toBe(1);
    expect(arrived[0]).toBe(40);
    expect(arrived.toSorted((a, b) => a - b)).toEqual([0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80]);
  });

  it("continues with other slices when the user scrolls to them", async () => {
    let currentSlice = 42;
    const fetchGroup = async () => {
      currentSlice = 4;
      return new Uint8Array(1);
    };
    const { came: arrived } = await loaded({ fetchGroup }, undefined, { centre: () => currentSlice });
    expect(arrived.slice(0, 3)).toEqual([40, 0, 8]);
    expect(arrived.at(-1)).toBe(80);
  });

  it("requests new addresses once when they have expired", async () => {
    let renewals = 0;
    const { came: arrived, end } = await loaded({
      fetchGroup: async (url) => {
        if (url.startsWith("old")) throw new FetchError("gone");
        return new Uint8Array(1);
      },
      renew: async () => {
        renewals++;
        return filesOf("new");
      },
    });
    expect([end, renewals, arrived.length]).toEqual([null, 1, 11]);
  });

  it("retries a failed group once, and reports a second failure", async () => {
    const tries = new Map<string, number>();
    const flaky = (often: number) => async (url: string) => {
      tries.set(url, (tries.get(url) ?? 0) + 1);
      if (url === "old/3" && (tries.get(url) ?? 0) <= often) throw new FetchError("network");
      return new Uint8Array(1);
    };
    expect((await loaded({ fetchGroup: flaky(1) })).came).toHaveLength(11);
    tries.clear();
    const twice = await loaded({ fetchGroup: flaky(2) });
    expect(twice.came).toHaveLength(10);
    expect(twice.end).toMatchObject({ reason: "network" });
  });

  it("waits for groups that are being converted, and reports when the conversion has stopped", async () => {
    const made = (count: number, isGrowing: boolean): VolumeFiles => ({
      ...filesOf("old"),
      groups: filesOf("old").groups.map((group, at) => (at < count ? group : null)),
      isGrowing,
    });
    const grows = (...stages: VolumeFiles[]) =>
      loaded({ renew: async () => stages.shift() ?? null }, undefined, undefined, made(2, true));
    const whole = await grows(made(2, true), made(7, true), made(11, false));
    expect(whole.end).toBeNull();
    expect(whole.came.slice(0, 2)).toEqual([8, 0]);
    expect(whole.came.toSorted((a, b) => a - b)).toEqual([0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80]);
    const half = await grows(made(7, true), made(7, false));
    expect(half.came).toHaveLength(7);
    expect(half.end).toMatchObject({ reason: "unconverted" });
  });

  it("reports a group that cannot be decoded as damaged", async () => {
    const { end } = await loaded({ decode: () => Promise.reject(new Error("codec")) });
    expect(end).toMatchObject({ reason: "damaged" });
  });

  it("stops at once if there is no memory for a loaded group", async () => {
    let requestCount = 0;
    const fetchGroup = async () => (requestCount++, new Uint8Array(1));
    const { came: arrived, end } = await loaded({ fetchGroup }, undefined, undefined, undefined, () => {
      throw new RangeError("no room");
    });
    expect([arrived, end]).toEqual([[], expect.any(RangeError)]);
    // Eight are on their way; no more are begun.
    expect(requestCount).toBe(8);
  });

  it("stops when the page is left", async () => {
    const leave = new AbortController();
    const { came: arrived } = await loaded(
      { fetchGroup: async () => (leave.abort(), new Uint8Array(1)) },
      leave.signal,
    );
    expect(arrived).toEqual([]);
  });
});
