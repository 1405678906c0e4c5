import { afterEach, expect, it, vi } from "vitest";
import { isUpdateReady, registerServiceWorker } from "./register-service-worker.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  isUpdateReady.set(false);
});

interface Tag {
  src: string;
  dataset: Record<string, string>;
}

const address = "https://arcada.example";
const pages: { name: string; scripts: Tag[] }[] = [
  { name: "a list", scripts: [{ src: `${address}/assets/index-1.js`, dataset: {} }] },
  {
    name: "a CBCT",
    scripts: [
      { src: `${address}/assets/first-look-1.js`, dataset: { firstPaint: "" } },
      { src: `${address}/assets/start-app-1.js`, dataset: { app: "/assets/index-1.js" } },
    ],
  },
];

/** Opens a page with these scripts while a worker that has this file waits; returns the messages that it gets. */
async function openPage(scripts: Tag[], file: string): Promise<object[]> {
  const sent: object[] = [];
  const waiting = {
    state: "installed",
    postMessage: (message: object, [port]: MessagePort[] = []) => {
      sent.push(message);
      if ("has" in message) port?.postMessage(message.has === file);
      port?.close();
    },
  };
  const registration = Object.assign(new EventTarget(), { waiting, active: { postMessage: () => {} } });
  const container = { controller: {}, register: async () => registration, ready: new Promise(() => {}) };
  vi.stubEnv("DEV", false);
  vi.stubGlobal("navigator", { serviceWorker: Object.assign(new EventTarget(), container) });
  vi.stubGlobal("window", { requestIdleCallback: true });
  vi.stubGlobal("requestIdleCallback", (begin: () => void) => begin());
  vi.stubGlobal("location", { href: `${address}/`, origin: address });
  vi.stubGlobal("document", { scripts, readyState: "complete" });
  registerServiceWorker(async () => {});
  await expect.poll(() => isUpdateReady.get() || sent.length > 1).toBe(true);
  return sent;
}

it.each(pages)("lets a worker of the same version take over on the page of $name", async ({ scripts }) => {
  expect(await openPage(scripts, "/assets/index-1.js")).toContainEqual({ takeOver: true });
  expect(isUpdateReady.get()).toBe(false);
});

it.each(pages)("announces a worker of another version on the page of $name", async ({ scripts }) => {
  expect(await openPage(scripts, "/assets/index-2.js")).not.toContainEqual({ takeOver: true });
  expect(isUpdateReady.get()).toBe(true);
});
