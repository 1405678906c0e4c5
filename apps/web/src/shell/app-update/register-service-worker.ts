import { findAppEntry } from "../../data/app-entry.ts";
import { createStore } from "../../browser/external-store.ts";

/** True once a newer version of the application has been loaded and waits for a reload of this page. */
export const isUpdateReady = createStore(false);

const checkEveryMs = 30 * 60_000;
let waitingWorker: ServiceWorker | null = null;
let wantsReload = false;

/**
 * Lets the application open without a network, and learns of new versions. The first page loads without it.
 * @param loadTexts loads the texts of the pages that open without a network, in the reader's language
 */
export function registerServiceWorker(loadTexts: () => Promise<unknown>): void {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  if (!serviceWorker || import.meta.env.DEV) return;
  const begin = () => void register(serviceWorker, loadTexts).catch(() => {});
  const whenIdle = () =>
    "requestIdleCallback" in window ? requestIdleCallback(begin, { timeout: 10_000 }) : setTimeout(begin, 3_000);
  if (document.readyState === "complete") whenIdle();
  else addEventListener("load", whenIdle, { once: true });
}

/** Reloads this page in the new version. */
export function startNewVersion(): void {
  wantsReload = true;
  if (waitingWorker?.state === "installed") waitingWorker.postMessage({ takeOver: true });
  else location.reload();
}

async function register(container: ServiceWorkerContainer, loadTexts: () => Promise<unknown>): Promise<void> {
  const hadController = container.controller !== null;
  container.addEventListener("controllerchange", () => {
    if (wantsReload) return location.reload();
    // Another tab has started the new version. The first worker of all replaces nobody.
    if (hadController && container.controller) void announceUnlessCurrent(container.controller);
  });
  const registration = await container.register("/service-worker.js", { updateViaCache: "none" });
  if (registration.waiting) void announceUnlessCurrent(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const { installing } = registration;
    installing?.addEventListener("statechange", () => {
      if (installing.state === "installed" && container.controller) void announceUnlessCurrent(installing);
    });
  });
  const { active } = await container.ready;
  await loadTexts();
  active?.postMessage({ keep: listLoadedFiles() });
  checkForUpdates(registration);
}

/** A page that was opened after an update is of the new version already: its worker takes over without a word. */
async function announceUnlessCurrent(worker: ServiceWorker): Promise<void> {
  if (!(await hasThisPage(worker))) {
    waitingWorker = worker;
    isUpdateReady.set(true);
  } else if (worker.state === "installed") worker.postMessage({ takeOver: true });
}

const hasThisPage = (worker: ServiceWorker): Promise<boolean> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<boolean>) => resolve(data);
    worker.postMessage({ has: findAppEntry() ?? "" }, [port2]);
  });

/** The scripts and styles that this page loaded before the worker answered for it. */
const listLoadedFiles = (): string[] =>
  performance
    .getEntriesByType("resource")
    .map(({ name }) => new URL(name))
    .flatMap(({ origin, pathname }) =>
      origin === location.origin && pathname.startsWith("/assets/") ? [pathname] : [],
    );

function checkForUpdates(registration: ServiceWorkerRegistration): void {
  let checkedAt = Date.now();
  const check = () => {
    if (document.visibilityState !== "visible" || Date.now() - checkedAt < checkEveryMs || !navigator.onLine) return;
    checkedAt = Date.now();
    registration.update().catch(() => {});
  };
  addEventListener("visibilitychange", check);
  setInterval(check, checkEveryMs);
}
