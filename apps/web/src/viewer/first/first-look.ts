import { countOf, middleGrids, middlePlanes } from "@arcada/imaging/view/middle-planes";
import type { Study } from "@arcada/contract/study/study.calls";
import { bringEarly, isComing, takeEarly } from "../../kernel/early-answers.ts";
import { keptKeyOf, keptStorage, keptStoreName } from "../../kernel/kept-store.ts";
import { volumeFilesOf } from "../ct/volume-files.ts";
import { isLocked } from "../../kernel/locked.ts";
import { paintFirstLook } from "./first-panes.ts";
import { beginWalls } from "./first-walls.ts";
import { dropBringer, earlyBringer } from "./bringer.ts";
import { isOver } from "./first-stage.ts";

// A separate script, which a viewer's page loads before all others: it requests the study and shows the middle of its
// volume while the app is still loading. It is small and imports nothing of the app.
const { pathname, searchParams: query } = new URL(location.href);
const study = query.get("study");
const token = /(?:^|; )Admin-Token=([^;]+)/.exec(document.cookie)?.[1];

/** Returns true if there is a volume. */
async function begin(id: string, asker: string): Promise<boolean> {
  const address = addressOf("detail", { id, brief: "true" });
  const [answer, copy] = twice(fetch(address, { headers: headersOf(asker), signal: AbortSignal.timeout(10_000) }));
  bringEarly(address, answer);
  if (pathname !== "/CT3DWebView" || isLocked()) return false;
  const opening = keptStorage()?.open(keptStoreName);
  const { data } = (await (await copy).json()) as { data?: Study };
  const named = query.get("item") ?? query.get("series");
  const volumes = data?.series.filter(({ volume }) => volume?.preview) ?? [];
  const series = named ? volumes.find(({ id: own }) => own === named) : volumes[0];
  const files = series ? volumeFilesOf(series) : null;
  if (!series || !files?.preview) return false;
  const { url, info } = files.preview;
  const store = await opening?.catch(() => undefined);
  const name = keptKeyOf(url) ?? "";
  const kept = await store?.match(name);
  walls?.look({
    whole: files.info,
    preview: files.preview,
    arch: files.arch ?? null,
    kept: kept ? name : null,
    marks: { url: addressOf("marks", { id }), headers: headersOf(asker), owner: series.instances[0]?.id },
  });
  const planes = series.volume?.firstLook;
  const within = (bytes: ArrayBuffer) => middlePlanes(files.info, { info, data: new Int16Array(bytes) });
  const values = kept
    ? within(await kept.arrayBuffer())
    : planes
      ? await planesBefore(planes, url)
      : within(await previewFrom(url));
  if (values.length === countOf(middleGrids(files.info, info)) && !isOver()) paintFirstLook(values, info, files.info);
  // Only the viewer, after its query to the graphics processor, knows if it loads a large volume at full resolution.
  if (files.half) return true;
  // A user whose layout shows a panorama waits for its arch first, not for slices, which would compete for the same
  // processor.
  await walls?.end;
  const ahead = middleFirst(files.groups);
  bringGroups(ahead.slice(0, besideScripts), store !== undefined);
  await rest;
  bringGroups(ahead.slice(besideScripts), store !== undefined);
  return true;
}

/** The planes alone are a fortieth of the preview, which the app needs next. */
async function planesBefore(planes: string, preview: string): Promise<Int16Array> {
  const answer = fetch(planes, { cache: "no-store" });
  if (!isComing(preview)) bringEarly(preview, fetch(preview, { cache: "no-store" }));
  return new Int16Array(await (await answer).arrayBuffer());
}

/** Fetches the preview of a volume that was prepared without its planes. */
async function previewFrom(url: string): Promise<ArrayBuffer> {
  const [answer, copy] = twice(takeEarly(url) ?? fetch(url, { cache: "no-store" }));
  bringEarly(url, answer);
  return (await copy).arrayBuffer();
}

// Must equal the app's own request, so that the app finds the answer.
const addressOf = (call: string, input: Record<string, string>): string =>
  `/v1/study/${call}?${new URLSearchParams(input).toString()}`;

const headersOf = (asker: string): Record<string, string> => ({
  token: asker,
  "session-id": asker,
  "local-time": new Date().toLocaleString("sv-SE"),
  "app-platform": "cbct",
  "accept-language": /(?:^|; )language=(\w+)/.exec(document.cookie)?.[1] ?? "zh",
});

/** Clones one response for two readers. */
function twice(answer: Promise<Response>): [Promise<Response>, Promise<Response>] {
  const both = answer.then((one) => [one, one.clone()] as const);
  both.catch(() => {});
  return [both.then(([one]) => one), both.then(([, copy]) => copy)];
}

/** Small scripts are requested one after the other, and the connection would idle between them: some 5 MB fill it. */
const besideScripts = 3;
/** Some 40 MB: a browser that has decoded none of it by then is too busy for more. */
const mostGroups = 24;

/** From the middle outwards, in the order in which the viewer will request them. */
function middleFirst(groups: readonly (string | null)[]): string[] {
  const middle = (groups.length - 1) / 2;
  return groups
    .flatMap((url, place) => (url ? [{ url, far: Math.abs(place - middle) }] : []))
    .toSorted((one, other) => one.far - other.far)
    .slice(0, mostGroups)
    .map(({ url }) => url);
}

let watch: ReturnType<typeof setInterval> | undefined;

/** Prefetches slices while the app that shows them is still loading. */
function bringGroups(urls: readonly string[], isKept: boolean): void {
  if (location.pathname !== pathname) return;
  const bringer = earlyBringer();
  if (!bringer) return;
  for (const url of urls) bringer.bringAhead(url, isKept);
  // Downloads stop if the user leaves for another page before the viewer is loaded.
  watch ??= setInterval(() => {
    if (location.pathname === pathname && performance.now() < longest) return;
    clearInterval(watch);
    dropBringer();
  }, 500);
}
const longest = 60_000;

/** Preloads the app's own scripts, which the page names: after the study call and its files, not before them. */
function bringTheRest(): Promise<unknown> {
  const names = document.querySelector<HTMLMetaElement>('meta[name="ahead"]')?.content ?? "";
  const links = names
    .split(" ")
    .filter(Boolean)
    .map((href) => Object.assign(document.createElement("link"), { rel: "modulepreload", href, fetchPriority: "low" }));
  document.head.append(...links);
  const ended = (link: HTMLLinkElement) =>
    new Promise((resolve) => {
      for (const event of ["load", "error"]) link.addEventListener(event, resolve);
    });
  return Promise.all(links.map(ended));
}

const walls = pathname === "/CT3DWebView" && !isLocked() ? beginWalls() : null;
// With a code in the address another user may be signed in a moment later.
const asker = study && !query.has("token") ? token : undefined;
const looking = study && asker ? begin(study, decodeURIComponent(asker)) : Promise.resolve(false);
void looking.catch(() => false).then((isFound) => isFound || walls?.stop());
const rest = bringTheRest();
