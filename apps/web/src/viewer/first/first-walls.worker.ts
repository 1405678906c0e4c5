import type { Mark } from "@arcada/contract/study/mark";
import type { ArchGuess } from "@arcada/imaging/arch/guess";
import { bendOf } from "@arcada/imaging/arch/bend-fit";
import { archPath } from "@arcada/imaging/arch/path";
import { sectionAlong, sectionAt, sectionCount } from "@arcada/imaging/arch/section";
import { sectionPicture, wallPicture, type SlabView } from "@arcada/imaging/arch/slab-picture";
import type { Size } from "@arcada/imaging/view/picture-view";
import { middleVoxelOf } from "@arcada/imaging/view/volume-geometry";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import { keptStorage, keptStoreName } from "../../kernel/kept-store.ts";
import { firstSectionLook, firstWallLook, sectionFor, type ArchView } from "../ct/arch/arch-look.ts";
import { archDrawn, archMarkIn, firstJaw } from "../ct/arch/arch-mark.ts";
import { firstAround, fittedSection } from "../ct/arch/cells.ts";
import { fittedWall } from "../ct/arch/wall-space.ts";

export interface WallsTask {
  whole: VolumeInfo;
  preview: { url: string; info: VolumeInfo };
  /** The automatically detected arch, which applies if nobody has drawn one. */
  arch: ArchGuess | null;
  /** The name under which the browser already stores the preview; null if it does not. */
  kept: string | null;
  /** The call that returns the annotations of the study, and the instance that represents the series. */
  marks: { url: string; headers: Record<string, string>; owner: string | undefined };
  /** In CSS pixels. */
  panorama: Size | null;
  sections: readonly Size[];
}

/** A response that the page itself needs, too. */
export interface Passed {
  url: string;
  status: number;
  body: ArrayBuffer;
}

/** Values of the volume, `[row][column]`. */
export interface WallPicture extends Size {
  values: Int16Array<ArrayBuffer>;
}

export interface Walls {
  panorama: WallPicture | null;
  sections: readonly WallPicture[];
}

self.addEventListener("message", ({ data }: MessageEvent<WallsTask>) => {
  wallsOf(data).then(
    (walls) => self.postMessage(walls),
    () => self.postMessage({ panorama: null, sections: [] } satisfies Walls),
  );
});

/** Everything is requested here: the page's own thread is busy loading the app. */
async function wallsOf({
  whole,
  preview: { url, info },
  arch,
  kept,
  marks,
  panorama,
  sections,
}: WallsTask): Promise<Walls> {
  const [bytes, drawn] = await Promise.all([kept ? bytesKept(kept) : brought(url), archIn(marks)]);
  const preview = { info, data: new Int16Array(bytes) };
  // An arch without edges is of an older version; the viewer detects it again.
  const line = drawn ?? (arch?.edges && { points: arch[firstJaw], up: arch.up });
  // A proxy or store in between may have served the gzip without decoding.
  const isWhole = preview.data.length === info.columns * info.rows * info.slices;
  const path = line && isWhole ? archPath(line.points, line.up, firstWallLook.depth) : null;
  if (!path) return { panorama: null, sections: [] };
  const bend = panorama && firstWallLook.isBent ? bendOf(info, preview.data, path) : null;
  const { spacing } = firstSectionLook;
  const count = sectionCount(path, spacing);
  const first = firstAround(sectionFor(path, spacing, middleVoxelOf(whole)), sections.length, count);
  return {
    panorama: panorama && {
      ...coarse(panorama),
      values: wallPicture(
        preview,
        { ...path, ...(bend && { bend }) },
        viewIn(panorama, fittedWall(path, whole, panorama), firstWallLook.slab),
      ),
    },
    sections: sections.slice(0, count).map((cell, at) => ({
      ...coarse(cell),
      values: sectionPicture(
        preview,
        sectionAt(path, sectionAlong(spacing, first + at)),
        viewIn(cell, fittedSection(cell), firstSectionLook.slab),
      ),
    })),
  };
}

async function bytesKept(name: string): Promise<ArrayBuffer> {
  const found = await (await keptStorage()?.open(keptStoreName))?.match(name);
  if (!found) throw new TypeError("it is kept no more");
  return found.arrayBuffer();
}

/** Fetches for this thread and the page. */
async function brought(url: string, headers?: Record<string, string>): Promise<ArrayBuffer> {
  const answer = await fetch(url, headers ? { headers, signal: AbortSignal.timeout(10_000) } : { cache: "no-store" });
  const body = await answer.arrayBuffer();
  const own = body.slice(0);
  self.postMessage({ url, status: answer.status, body } satisfies Passed, { transfer: [body] });
  if (!answer.ok) throw new TypeError("there is none");
  return own;
}

/** The arch that a user has drawn for the jaw that is shown first; null if there is none. */
async function archIn({ url, headers, owner }: WallsTask["marks"]) {
  const text = new TextDecoder().decode(await brought(url, headers));
  const { data } = JSON.parse(text) as { data?: { marks: Mark[] } };
  const own = data?.marks.filter(({ instanceId }) => instanceId === owner) ?? [];
  const drawn = archMarkIn(own, firstJaw);
  return drawn ? archDrawn(drawn) : null;
}

/** A preview's voxel covers several pixels: every second one is enough. */
const step = 2;
const coarse = ({ width, height }: Size): Size => ({
  width: Math.ceil(width / step),
  height: Math.ceil(height / step),
});

function viewIn(pane: Size, { middle, scale }: ArchView, slab: number): SlabView {
  const { width, height } = coarse(pane);
  return { columns: width, rows: height, middle, pixel: step / scale, slab };
}
