import type { BrowserContext, Route } from "playwright-core";
import type { Series } from "@arcada/contract/study/study.schema";
import { decodeSliceGroup, encodeSliceGroup } from "@arcada/imaging/volume/slice-group-codec";
import { slicesPerGroup } from "@arcada/imaging/volume/volume-preview";

type SeriesVolume = NonNullable<Series["volume"]>;

/**
 * Serves a volume of a product to pages of a browser as if it had been taken with `factor` times as many voxels along
 * each axis, of the same values with grain: drawing and converting one of that size takes minutes, and is not what is
 * measured. Groups are encoded one after another when the page asks for them, so the time until all have arrived says
 * nothing about the page.
 */
export async function enlargeVolume(context: BrowserContext, origin: string, factor: number): Promise<void> {
  let slices: Promise<Int16Array[]> | null = null;
  await context.route("**/v1/study/detail*", async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as unknown;
    const volume = findVolume(answer);
    if (volume) {
      // All groups are at hand before the page asks for one.
      await (slices ??= readSlices(volume, origin));
      Object.assign(volume, describeEnlarged(volume, factor));
    }
    await route.fulfill({ response, json: answer });
  });
  await context.route(/\/bench-(full|half)-\d+$/, (route) => serveGroup(route, slices, factor));
}

async function serveGroup(route: Route, slices: Promise<Int16Array[]> | null, factor: number): Promise<void> {
  const [, kind, group] = /bench-(full|half)-(\d+)$/.exec(route.request().url()) ?? [];
  const small = (await slices) ?? [];
  const side = Math.sqrt(small[0].length);
  const scale = kind === "half" ? factor / 2 : factor;
  const first = Number(group) * slicesPerGroup;
  const count = Math.min(slicesPerGroup, small.length * scale - first);
  const enlarged = Array.from({ length: count }, (_, at) =>
    enlargeSlice(small[Math.floor((first + at) / scale)], side, scale, first + at),
  );
  const bytes = await encodeSliceGroup(enlarged, { columns: side * scale, rows: side * scale });
  await route.fulfill({ body: Buffer.from(bytes), contentType: "application/octet-stream" });
}

/** Repeats each value `scale` times along columns and rows, and adds grain of 32 grey values. */
function enlargeSlice(slice: Int16Array, side: number, scale: number, seed: number): Int16Array {
  const out = new Int16Array((side * scale) ** 2);
  let random = seed + 1;
  for (let at = 0; at < out.length; at++) {
    random = (random * 1103515245 + 12345) % 2 ** 31;
    const [row, column] = [Math.floor(at / (side * scale)), at % (side * scale)];
    out[at] = slice[Math.floor(row / scale) * side + Math.floor(column / scale)] + (random >> 26);
  }
  return out;
}

async function readSlices({ groups }: SeriesVolume, origin: string): Promise<Int16Array[]> {
  const slices: Int16Array[] = [];
  for (const group of groups) {
    const response = await fetch(new URL(group ?? "", origin));
    slices.push(...(await decodeSliceGroup(new Uint8Array(await response.arrayBuffer()))));
  }
  return slices;
}

function describeEnlarged(small: SeriesVolume, factor: number): Partial<SeriesVolume> {
  const {
    preview: _preview,
    firstLook: _firstLook,
    archImages: _archImages,
    half: _half,
    groups: _groups,
    ...info
  } = small;
  const grown = (scale: number) => ({
    ...info,
    columns: info.columns * scale,
    rows: info.rows * scale,
    slices: info.slices * scale,
    spacing: info.spacing.map((mm) => mm / scale),
    // The outer edges stay where they are; the phantom's axes are those of the patient.
    origin: info.origin.map((mm, axis) => mm - (info.spacing[axis] / 2) * (1 - 1 / scale)),
  });
  const addresses = (kind: string, slices: number) =>
    Array.from({ length: Math.ceil(slices / slicesPerGroup) }, (_, group) => `/bench-${kind}-${group}`);
  const half = grown(factor / 2);
  return {
    ...grown(factor),
    half: { info: half, groups: addresses("half", half.slices) },
    groups: addresses("full", info.slices * factor),
  };
}

function findVolume(answer: unknown): SeriesVolume | null {
  if (typeof answer !== "object" || answer === null) return null;
  if ("groupSize" in answer) return answer as SeriesVolume;
  for (const part of Object.values(answer)) {
    const found = findVolume(part);
    if (found) return found;
  }
  return null;
}
