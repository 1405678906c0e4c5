import type { Annotation } from "@arcada/contract/study/annotation";
import { fitBend } from "@arcada/imaging/arch/fit-surface-bend";
import { createCurvedSurface } from "@arcada/imaging/arch/curved-surface";
import { getCrossSectionPosition, createCrossSection, countCrossSections } from "@arcada/imaging/arch/cross-section";
import { renderCrossSectionImage, renderCurvedSurfaceImage, type SlabView } from "@arcada/imaging/arch/slab-image";
import type { Size } from "@arcada/imaging/view/image-view";
import { getMiddleVoxelPoint } from "@arcada/imaging/volume/volume-geometry";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import { getPersistedFileStorage, persistedFileCacheName } from "../../browser/persisted-file-cache-key.ts";
import {
  initialCrossSectionSettings,
  initialPanoramaSettings,
  findCrossSection,
  type ArchView,
} from "../ct-core/arch-display-settings.ts";
import { readDrawnArch, findArchAnnotation, defaultJaw } from "../ct-core/arch-annotation.ts";
import { findFirstShown, fitCrossSection } from "../ct-core/cross-section-grid.ts";
import { nameBend, type FittedBend } from "./first-paint-bend.ts";
import { fitPanorama } from "../ct/arch/panorama/panorama-space.ts";
import type { ArchGuess } from "@arcada/imaging/arch/detection/detected-arches";

export interface ArchFirstPaintTask {
  whole: VolumeInfo;
  preview: { url: string; info: VolumeInfo };
  /** The automatically detected arch, which applies if nobody has drawn one. */
  arch: ArchGuess | null;
  /** The name under which the browser already stores the preview; null if it does not. */
  storedName: string | null;
  /** The call that returns the annotations of the study, and the instance that represents the series. */
  annotations: { url: string; headers: Record<string, string>; owner: string | undefined };
  /** In CSS pixels. */
  panorama: Size | null;
  crossSections: readonly Size[];
}

/** A response that the page itself needs, too. */
export interface ForwardedResponse {
  url: string;
  status: number;
  body: ArrayBuffer;
}

/** Values of the volume, `[row][column]`. */
export interface ReformattedImage extends Size {
  values: Int16Array<ArrayBuffer>;
}

export interface ArchImages {
  panorama: ReformattedImage | null;
  crossSections: readonly ReformattedImage[];
  /** The layer of the panorama, which the page would otherwise fit a second time. */
  bend: { name: string; bend: FittedBend } | null;
}

const noImages: ArchImages = { panorama: null, crossSections: [], bend: null };

self.addEventListener("message", ({ data }: MessageEvent<ArchFirstPaintTask>) => {
  renderArchImages(data).then(
    (images) => self.postMessage(images),
    () => self.postMessage(noImages),
  );
});

/** Everything is requested here: the page's own thread is busy loading the app. */
async function renderArchImages({
  whole,
  preview: { url, info },
  arch,
  storedName,
  annotations,
  panorama,
  crossSections,
}: ArchFirstPaintTask): Promise<ArchImages> {
  const [bytes, drawn] = await Promise.all([
    storedName ? readStoredPreview(storedName) : fetchForBoth(url),
    fetchDrawnArch(annotations),
  ]);
  const preview = { info, data: new Int16Array(bytes) };
  // An arch without edges is of an older version; the viewer detects it again.
  const line = drawn ?? (arch?.edges && { points: arch[defaultJaw], up: arch.up });
  // A proxy or store in between may have served the gzip without decoding.
  const isWhole = preview.data.length === info.columns * info.rows * info.slices;
  const path = line && isWhole ? createCurvedSurface(line.points, line.up, initialPanoramaSettings.depth) : null;
  if (!path) return noImages;
  const bend = panorama && initialPanoramaSettings.isBent ? fitBend(info, preview.data, path) : null;
  const { spacing } = initialCrossSectionSettings;
  const count = countCrossSections(path, spacing);
  const firstCrossSection = findFirstShown(
    findCrossSection(path, spacing, getMiddleVoxelPoint(whole)),
    crossSections.length,
    count,
  );
  const view =
    panorama && buildSlabView(panorama, fitPanorama(path, whole, panorama), initialPanoramaSettings.slab, info);
  return {
    panorama: view && toImage(view, renderCurvedSurfaceImage(preview, { ...path, ...(bend && { bend }) }, view)),
    crossSections: crossSections.slice(0, count).map((cell, at) => {
      const cellView = buildSlabView(cell, fitCrossSection(cell), initialCrossSectionSettings.slab, info);
      const crossSection = createCrossSection(path, getCrossSectionPosition(spacing, firstCrossSection + at));
      return toImage(cellView, renderCrossSectionImage(preview, crossSection, cellView));
    }),
    bend: line && panorama ? { name: nameBend(annotations.owner ?? null, line.points, line.up, info), bend } : null,
  };
}

async function readStoredPreview(name: string): Promise<ArrayBuffer> {
  const found = await (await getPersistedFileStorage()?.open(persistedFileCacheName))?.match(name);
  if (!found) throw new TypeError("it is kept no more");
  return found.arrayBuffer();
}

/** Fetches for this thread and the page. */
async function fetchForBoth(url: string, headers?: Record<string, string>): Promise<ArrayBuffer> {
  const answer = await fetch(url, headers ? { headers, signal: AbortSignal.timeout(10_000) } : { cache: "no-store" });
  const body = await answer.arrayBuffer();
  const own = body.slice(0);
  self.postMessage({ url, status: answer.status, body } satisfies ForwardedResponse, { transfer: [body] });
  if (!answer.ok) throw new TypeError("there is none");
  return own;
}

/** The arch that a user has drawn for the jaw that is shown first; null if there is none. */
async function fetchDrawnArch({ url, headers, owner }: ArchFirstPaintTask["annotations"]) {
  const text = new TextDecoder().decode(await fetchForBoth(url, headers));
  const { data } = JSON.parse(text) as { data?: { marks: Annotation[] } };
  const own = data?.marks.filter(({ instanceId }) => instanceId === owner) ?? [];
  const drawn = findArchAnnotation(own, defaultJaw);
  return drawn ? readDrawnArch(drawn) : null;
}

/**
 * Returns how many CSS pixels a pixel of the image covers: a preview's voxel gets about two of them, and more would
 * show nothing finer.
 */
const chooseStep = (scale: number, { spacing }: VolumeInfo): number =>
  Math.min(4, Math.max(2, Math.round((scale * Math.min(...spacing)) / 2)));

function buildSlabView(viewport: Size, { middle, scale }: ArchView, slab: number, info: VolumeInfo): SlabView {
  const step = chooseStep(scale, info);
  const [columns, rows] = [Math.ceil(viewport.width / step), Math.ceil(viewport.height / step)];
  return { columns, rows, middle, pixel: step / scale, slab };
}

const toImage = ({ columns, rows }: SlabView, values: Int16Array<ArrayBuffer>): ReformattedImage => ({
  width: columns,
  height: rows,
  values,
});
