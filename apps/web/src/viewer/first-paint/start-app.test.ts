import { setImmediate } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const scripts = { loads: "0", fails: "throw 0", isStuck: "await new Promise(() => {})" };
let opened = 0;

/**
 * The page of a CBCT `age` ms after the navigation, whose first script does this, and whose picture has been announced.
 * The scripts are data: addresses.
 */
async function openPage({ first = "loads" as keyof typeof scripts, picture = Promise.resolve(), age = 0 } = {}) {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"], now: 0 });
  vi.resetModules();
  vi.advanceTimersByTime(age);
  opened++;
  const state = { isStarted: false };
  vi.stubGlobal("startApp", () => (state.isStarted = true));
  vi.stubGlobal("location", { href: "https://arcada.example/CT3DWebView" });
  const toAddress = (code: string) => `data:text/javascript,${encodeURIComponent(`/* ${opened} */ ${code};`)}`;
  vi.stubGlobal("document", {
    scripts: [
      { src: toAddress(scripts[first]), dataset: { firstPaint: "" } },
      { src: "https://arcada.example/assets/start-app-1.js", dataset: { app: toAddress("startApp()") } },
    ],
  });
  const { announceFirstPicture: announce } = await import("../../data/first-picture.ts");
  announce(picture);
  void import("./start-app.ts");
  await waitUntil(() => vi.getTimerCount() > 0);
  return {
    /** Waits for the start of the app, so many ms of the real clock at most. */
    startsWithin: (ms: number) => waitUntil(() => state.isStarted, ms),
    pass: (ms: number) => vi.advanceTimersByTime(ms),
  };
}

/** Resolves with true once the condition holds, and with false after so many ms of the real clock. */
async function waitUntil(condition: () => boolean, ms = 5000): Promise<boolean> {
  const end = Date.now() + ms;
  while (!condition() && Date.now() < end) await setImmediate();
  return condition();
}

it("starts the app at once on a page without a volume", async () => {
  const { startsWithin } = await openPage();
  expect(await startsWithin(5000)).toBe(true);
});

it("starts the app once the first picture is shown or has failed", async () => {
  for (const end of ["resolve", "reject"] as const) {
    const picture = Promise.withResolvers<void>();
    const { startsWithin } = await openPage({ picture: picture.promise });
    expect(await startsWithin(100)).toBe(false);
    picture[end]();
    expect(await startsWithin(5000)).toBe(true);
  }
});

it("starts the app at once if the script of the first picture fails", async () => {
  const { startsWithin } = await openPage({ first: "fails" });
  expect(await startsWithin(5000)).toBe(true);
});

it.each([
  { late: "the script of the first picture", page: { first: "isStuck" as const } },
  { late: "the first picture", page: { picture: new Promise<void>(() => {}) } },
])("starts the app 1.5 s after the navigation without $late", async ({ page }) => {
  const { startsWithin, pass } = await openPage({ ...page, age: 900 });
  pass(550);
  expect(await startsWithin(100)).toBe(false);
  pass(100);
  expect(await startsWithin(5000)).toBe(true);
});
