import { countPlaneValues, createMiddlePlaneGrids, sampleMiddlePlanes } from "@arcada/imaging/view/middle-planes";
import type { Study } from "@arcada/contract/study/study.schema";
import { announceFirstPicture } from "../../data/first-picture.ts";
import { addPrefetch, isPrefetching, takePrefetched } from "../../data/prefetched-responses.ts";
import {
  getPersistedFileKey,
  getPersistedFileStorage,
  persistedFileCacheName,
} from "../../browser/persisted-file-cache-key.ts";
import { findFieldOfView } from "../ct-core/viewport-layouts.ts";
import { readVolumeFiles } from "../ct-core/volume-files.ts";
import type { VolumeFiles } from "../ct/loading/load-volume.ts";
import { isLocked } from "../../browser/session-lock.ts";
import { drawFirstPaint } from "./first-paint-planes.ts";
import { startArchFirstPaint } from "./ct-arch-first-paint.ts";
import { stopPrefetcher, getPrefetcher } from "../files/file-fetcher.ts";
import { hasFirstPaintEnded } from "./first-paint-overlay.ts";

// A separate script, which a viewer's page loads before all others: it requests the study and shows the middle of its
// volume while the app is still loading. It is small and imports nothing of the app.
const { pathname, searchParams: query } = new URL(location.href);
const study = query.get("study");
const token = /(?:^|; )Admin-Token=([^;]+)/.exec(document.cookie)?.[1];

/** A volume that was found, and whether the browser can keep its files. */
interface FoundVolume {
  files: VolumeFiles;
  isKept: boolean;
}

/** Resolves when the planes of a volume are drawn; null if there is none. */
async function startFirstPaint(id: string, sessionToken: string): Promise<FoundVolume | null> {
  const address = buildUrl("detail", { id, brief: "true" });
  const [answer, copy] = cloneResponse(
    fetch(address, { headers: buildHeaders(sessionToken), signal: AbortSignal.timeout(10_000) }),
  );
  addPrefetch(address, answer, sessionToken);
  if (pathname !== "/CT3DWebView" || isLocked()) return null;
  const openingStore = getPersistedFileStorage()?.open(persistedFileCacheName);
  const { data } = (await (await copy).json()) as { data?: Study };
  const requestedId = query.get("item") ?? query.get("series");
  const volumes = data?.series.filter(({ volume }) => volume?.preview) ?? [];
  const series = requestedId ? volumes.find(({ id: own }) => own === requestedId) : volumes[0];
  const files = series ? readVolumeFiles(series) : null;
  if (!series || !files?.preview) return null;
  const { url, info } = files.preview;
  const store = await openingStore?.catch(() => undefined);
  const name = getPersistedFileKey(url) ?? "";
  const stored = await store?.match(name);
  if (findFieldOfView(files.info) === "teeth") archPaint?.stop();
  else
    archPaint?.start({
      whole: files.info,
      preview: files.preview,
      arch: files.arch ?? null,
      archImages: series.volume?.archImages ?? null,
      storedName: stored ? name : null,
      annotations: {
        url: buildUrl("marks", { id }),
        headers: buildHeaders(sessionToken),
        owner: series.instances[0]?.id,
      },
    });
  const planes = series.volume?.firstLook;
  const middlePlanesFrom = (bytes: ArrayBuffer) =>
    sampleMiddlePlanes(files.info, { info, data: new Int16Array(bytes) });
  const fetchingValues = stored
    ? stored.arrayBuffer().then(middlePlanesFrom)
    : planes
      ? fetchPlanes(planes, url)
      : fetchPreview(url).then(middlePlanesFrom);
  void preloadAppScripts();
  const values = await fetchingValues;
  if (values.length === countPlaneValues(createMiddlePlaneGrids(files.info, info)) && !hasFirstPaintEnded())
    drawFirstPaint(values, info, files.info);
  return { files, isKept: store !== undefined };
}

/** Resolves when the browser has painted what was drawn; at once on a page that nobody sees. */
const waitForPaint = (): Promise<void> =>
  new Promise((resolve) => (document.hidden ? resolve() : requestAnimationFrame(() => setTimeout(resolve))));

/** The planes alone are a fortieth of the preview, which the app needs next. */
async function fetchPlanes(planes: string, preview: string): Promise<Int16Array> {
  const answer = fetch(planes, { cache: "no-store" });
  if (!isPrefetching(preview)) addPrefetch(preview, fetch(preview, { cache: "no-store" }));
  return new Int16Array(await (await answer).arrayBuffer());
}

/** Fetches the preview of a volume that was prepared without its planes. */
async function fetchPreview(url: string): Promise<ArrayBuffer> {
  const [answer, copy] = cloneResponse(takePrefetched(url) ?? fetch(url, { cache: "no-store" }));
  addPrefetch(url, answer);
  return (await copy).arrayBuffer();
}

// Must equal the app's own request, so that the app finds the answer.
const buildUrl = (call: string, input: Record<string, string>): string =>
  `/v1/study/${call}?${new URLSearchParams(input).toString()}`;

// The app also tells the local time, which the server does not read: formatting it loads the tables of languages.
const buildHeaders = (sessionToken: string): Record<string, string> => ({
  token: sessionToken,
  "session-id": sessionToken,
  "app-platform": "cbct",
  "accept-language": /(?:^|; )language=(\w+)/.exec(document.cookie)?.[1] ?? "zh",
});

/** Clones one response for two readers. */
function cloneResponse(answer: Promise<Response>): [Promise<Response>, Promise<Response>] {
  const pair = answer.then((one) => [one, one.clone()] as const);
  pair.catch(() => {});
  return [pair.then(([one]) => one), pair.then(([, copy]) => copy)];
}

/** Small scripts are requested one after the other, and the connection would idle between them: some 5 MB fill it. */
const groupsDuringScripts = 3;
/** Some 40 MB: a browser that has decoded none of it by then is too busy for more. */
const maxGroups = 24;

/** From the middle outwards, in the order in which the viewer will request them. */
function orderFromMiddle(groups: readonly (string | null)[]): string[] {
  const middle = (groups.length - 1) / 2;
  return groups
    .flatMap((url, index) => (url ? [{ url, far: Math.abs(index - middle) }] : []))
    .toSorted((one, other) => one.far - other.far)
    .slice(0, maxGroups)
    .map(({ url }) => url);
}

/** Prefetches slices while the app that shows them is still loading. */
async function prefetchGroups({ files, isKept }: FoundVolume): Promise<void> {
  // Only the viewer, after its query to the graphics processor, knows if it loads a large volume at full resolution.
  if (files.half) return;
  // A user whose layout shows a panorama waits for its arch first, not for slices, which would compete for the same
  // processor.
  await archPaint?.finished;
  const ahead = orderFromMiddle(files.groups);
  prefetch(ahead.slice(0, groupsDuringScripts), isKept);
  await preloadAppScripts();
  prefetch(ahead.slice(groupsDuringScripts), isKept);
}

let watchTimer: ReturnType<typeof setInterval> | undefined;

function prefetch(urls: readonly string[], isKept: boolean): void {
  if (location.pathname !== pathname) return;
  const fetcher = getPrefetcher();
  if (!fetcher) return;
  for (const url of urls) fetcher.prefetch(url, isKept);
  // Downloads stop if the user leaves for another page before the viewer is loaded.
  watchTimer ??= setInterval(() => {
    if (location.pathname === pathname && performance.now() < maxPrefetchMs) return;
    clearInterval(watchTimer);
    stopPrefetcher();
  }, 500);
}
const maxPrefetchMs = 60_000;

let preloading: Promise<unknown> | undefined;
/** On a slow connection the app's scripts are preloaded after so many ms beside the study call. */
const maxPreloadDelayMs = 300;

/** Preloads the app's own scripts, which the page names: after the study call and its files, not before them. */
const preloadAppScripts = (): Promise<unknown> => (preloading ??= startPreloading());

function startPreloading(): Promise<unknown> {
  const names = document.querySelector<HTMLMetaElement>('meta[name="ahead"]')?.content ?? "";
  const links = names
    .split(" ")
    .filter(Boolean)
    .map((href) => Object.assign(document.createElement("link"), { rel: "modulepreload", href, fetchPriority: "low" }));
  document.head.append(...links);
  const whenSettled = (link: HTMLLinkElement) =>
    new Promise((resolve) => {
      for (const event of ["load", "error"]) link.addEventListener(event, resolve);
    });
  return Promise.all(links.map(whenSettled));
}

// With a code in the address another user may be signed in a moment later.
const sessionToken = study && !query.has("token") ? token : undefined;
const foundVolume =
  study && sessionToken ? startFirstPaint(study, decodeURIComponent(sessionToken)) : Promise.resolve(null);
// Started after the study call has been sent, and before it is answered.
const archPaint = pathname === "/CT3DWebView" && !isLocked() ? startArchFirstPaint() : null;
announceFirstPicture(foundVolume.then((volume) => volume && waitForPaint()));
setTimeout(() => void preloadAppScripts(), maxPreloadDelayMs);
foundVolume
  .catch(() => null)
  .then((volume) => {
    void preloadAppScripts();
    return volume ? prefetchGroups(volume) : archPaint?.stop();
  })
  .catch(() => {});
