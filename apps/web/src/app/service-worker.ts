/**
 * Opens the application without a network. It answers two kinds of requests: pages of the application and their scripts
 * and styles. Calls, files, uploads, event streams, DICOMweb and FHIR pass it untouched, and nothing of a patient is in
 * its caches: what an offline page shows is kept by `browser/offline-answers.ts`, encrypted.
 *
 * The build replaces the three names below. The file imports nothing, because it must be one script.
 */
const shellFiles = "__ARCADA_SHELL__" as unknown as readonly string[];
const pagePaths = "__ARCADA_PAGES__" as unknown as readonly string[];
const version = "__ARCADA_VERSION__" as string;

/** The part of the worker's scope that this file uses; the types of workers and of pages exclude each other in one project. */
interface WorkerScope {
  addEventListener(name: "install" | "activate", handle: (event: WaitingEvent) => void): void;
  addEventListener(name: "fetch", handle: (event: FetchingEvent) => void): void;
  addEventListener(name: "message", handle: (event: MessageEvent<WorkerMessage> & WaitingEvent) => void): void;
  skipWaiting(): Promise<void>;
  registration: { navigationPreload?: { enable(): Promise<void> } };
}
interface WaitingEvent {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchingEvent extends WaitingEvent {
  request: Request;
  preloadResponse?: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
}
/** `takeOver`: a page wants the new version. `keep`: files that a page had loaded before. `has`: is this file of your version? */
type WorkerMessage = { takeOver: true } | { keep: string[] } | { has: string };

const scope = globalThis as unknown as WorkerScope;
const cachePrefix = "arcada.shell.";
const cacheName = cachePrefix + version;
const shellPage = "/";
/** After this time without an answer a page opens from the cache; its lists say how old they are. */
const patienceMs = 6000;

scope.addEventListener("install", (event) => event.waitUntil(fillCache()));

scope.addEventListener("activate", (event) => {
  // Pages that are open already stay without it: to take them over while they load would load their files twice.
  event.waitUntil(Promise.all([dropOldCaches(), scope.registration.navigationPreload?.enable()]));
});

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (pagePaths.includes(url.pathname)) event.respondWith(openPage(event));
  } else if (isShellFile(url.pathname)) event.respondWith(loadFile(event));
});

scope.addEventListener("message", (event) => {
  const { data } = event;
  if ("takeOver" in data) event.waitUntil(scope.skipWaiting());
  else if ("has" in data) event.ports[0]?.postMessage(shellFiles.includes(data.has));
  else event.waitUntil(keepFiles(data.keep.filter(isShellFile)));
});

/** Their names contain a hash of their content. */
function isShellFile(path: string): boolean {
  return /^\/assets\/[^/]+\.(js|css|svg)$/.test(path);
}

async function fillCache(): Promise<void> {
  const cache = await caches.open(cacheName);
  // Without cookies the page names no files of a signed-in user's page.
  const page = await fetch(shellPage, { credentials: "omit", cache: "no-store" });
  if (!page.ok) throw new Error(`the page could not be fetched: ${page.status}`);
  await cache.put(shellPage, page);
  await cache.addAll([...shellFiles]);
}

/** Keeps the version before, whose pages may still be open and load further files of theirs. */
async function dropOldCaches(): Promise<void> {
  const shells = (await caches.keys()).filter((name) => name.startsWith(cachePrefix));
  const old = shells.filter((name) => name !== cacheName).slice(0, -1);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function keepFiles(paths: readonly string[]): Promise<void> {
  const cache = await caches.open(cacheName);
  for (const path of new Set(paths)) if (!(await cache.match(path))) await cache.add(path).catch(() => {});
}

async function openPage(event: FetchingEvent): Promise<Response> {
  const cached = async () => (await caches.open(cacheName)).match(shellPage);
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), patienceMs));
  const answer = (async () => (await event.preloadResponse) ?? fetch(event.request))();
  try {
    const response = await Promise.race([answer, late]);
    // A proxy answers for a server that is being restarted.
    if (response && ![502, 503, 504].includes(response.status)) return response;
    return (await cached()) ?? (await answer);
  } catch (error) {
    const page = await cached();
    if (page) return page;
    throw error;
  } finally {
    event.waitUntil(answer.catch(() => {}));
  }
}

async function loadFile({ request }: FetchingEvent): Promise<Response> {
  const known = await caches.match(request.url);
  if (known) return known;
  const response = await fetch(request);
  if (response.ok) {
    const copy = response.clone();
    const cache = await caches.open(cacheName);
    await cache.put(request.url, copy).catch(() => {});
  }
  return response;
}
