import type { Annotation } from "@arcada/contract/study/annotation";
import { defaultJaw, initialPanoramaSettings } from "@arcada/imaging/arch/arch-display-settings";
import { decodeArchImages, describeArchImageSource, type ArchImages } from "@arcada/imaging/arch/arch-images";
import { createCurvedSurface } from "@arcada/imaging/arch/curved-surface";
import { fitBend } from "@arcada/imaging/arch/fit-surface-bend";
import type { ArchGuess } from "@arcada/imaging/arch/detection/detected-arches";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import { getPersistedFileStorage, persistedFileCacheName } from "../../browser/persisted-file-cache-key.ts";
import { readDrawnArch, findArchAnnotation } from "../ct-core/arch-annotation.ts";
import {
  chooseArchViews,
  renderArchViews,
  resampleArchViews,
  type ArchViewportImages,
  type ArchViewportSizes,
} from "./arch-viewport-images.ts";
import { nameBend, type FittedBend } from "./first-paint-bend.ts";

export interface ArchFirstPaintTask extends ArchViewportSizes {
  whole: VolumeInfo;
  preview: { url: string; info: VolumeInfo };
  /** The automatically detected arch, which applies if nobody has drawn one. */
  arch: ArchGuess | null;
  /** The address of its images; null if there are none. */
  archImages: string | null;
  /** The name under which the browser already stores the preview; null if it does not. */
  storedName: string | null;
  /** The call that returns the annotations of the study, and the instance that represents the series. */
  annotations: { url: string; headers: Record<string, string>; owner: string | undefined };
}

/** A response that the page itself needs, too; null if the request failed. */
export interface ForwardedResponse {
  url: string;
  response: { status: number; body: ArrayBuffer } | null;
}

export interface ArchFirstPaintImages extends ArchViewportImages {
  /** The layer of the panorama, which the page would otherwise fit a second time. */
  bend: { name: string; bend: FittedBend } | null;
}

const noImages: ArchFirstPaintImages = { panorama: null, crossSections: [], bend: null };

self.addEventListener("message", ({ data }: MessageEvent<ArchFirstPaintTask>) => {
  createImages(data).then(
    (images) => self.postMessage(images),
    () => self.postMessage(noImages),
  );
});

/** Everything is requested here: the page's own thread is busy loading the app. */
async function createImages(task: ArchFirstPaintTask): Promise<ArchFirstPaintImages> {
  const { whole, preview, arch, storedName, annotations, panorama } = task;
  const fetchingImages = task.archImages === null ? null : fetchArchImages(task.archImages).catch(() => null);
  const fetchingPreview = storedName === null ? fetchPreviewAfter(fetchingImages, preview.url) : null;
  const drawn = await fetchDrawnArch(annotations);
  const archImages = drawn ? null : await fetchingImages;
  // An arch without edges is of an older version; the viewer detects it again.
  const line = drawn ?? (arch?.edges && { points: arch[defaultJaw], up: arch.up });
  const path = line ? createCurvedSurface(line.points, line.up, initialPanoramaSettings.depth) : null;
  if (!line || !path) return noImages;
  const views = chooseArchViews(path, whole, preview.info, task);
  const name = nameBend(annotations.owner ?? null, line.points, line.up, preview.info);
  const found = archImages?.source === describeArchImageSource(line) ? resampleArchViews(archImages, views) : null;
  if (archImages && found) return { ...found, bend: panorama && { name, bend: archImages.bend } };
  const data = new Int16Array(await (fetchingPreview ?? readStoredPreview(storedName ?? "")));
  const { info } = preview;
  // A proxy or store in between may have served the gzip without decoding.
  if (data.length !== info.columns * info.rows * info.slices) return noImages;
  const bend = panorama && initialPanoramaSettings.isBent ? fitBend(info, data, path) : null;
  const images = renderArchViews({ info, data }, { ...path, ...(bend && { bend }) }, views);
  return { ...images, bend: panorama && { name, bend } };
}

async function fetchArchImages(url: string): Promise<ArchImages> {
  const answer = await fetch(url, { cache: "no-store", signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new TypeError("there are none");
  return decodeArchImages(await answer.arrayBuffer());
}

/** The page needs the preview in any case, and the images first: they are a seventh of it. */
function fetchPreviewAfter(earlier: Promise<unknown> | null, url: string): Promise<ArrayBuffer> {
  const delay = new Promise((resolve) => setTimeout(resolve, maxDelayMs));
  const fetching = earlier ? Promise.race([earlier, delay]).then(() => fetchForBoth(url)) : fetchForBoth(url);
  fetching.catch(() => {});
  return fetching;
}

/** A request that is never answered must not hold back the preview. */
const maxDelayMs = 2000;

async function readStoredPreview(name: string): Promise<ArrayBuffer> {
  const found = await (await getPersistedFileStorage()?.open(persistedFileCacheName))?.match(name);
  if (!found) throw new TypeError("it is kept no more");
  return found.arrayBuffer();
}

/** Fetches for this thread and the page. */
async function fetchForBoth(url: string, headers?: Record<string, string>): Promise<ArrayBuffer> {
  const fetching = fetch(url, headers ? { headers, signal: AbortSignal.timeout(10_000) } : { cache: "no-store" });
  const readBody = async (answer: Response) => ({ status: answer.status, body: await answer.arrayBuffer() });
  const response = await fetching.then(readBody).catch(() => null);
  const own = response?.status === 200 ? response.body.slice(0) : null;
  self.postMessage({ url, response } satisfies ForwardedResponse, { transfer: response ? [response.body] : [] });
  if (!own) throw new TypeError("there is none");
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
