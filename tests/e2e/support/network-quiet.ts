import type { Page, Request } from "playwright-core";
import { present } from "@arcada/testing/require-present";

interface NetworkActivity {
  pending: Set<Request>;
  changedAt: number;
}
const activities = new WeakMap<Page, NetworkActivity>();
/** Live updates never end, so they do not count. */
const isLiveUpdate = (request: Request): boolean => request.url().includes("/v1/notice/stream");

/** Starts to count the requests of a page; called before its first address is opened. */
export function watchRequests(page: Page): void {
  const activity: NetworkActivity = { pending: new Set(), changedAt: 0 };
  activities.set(page, activity);
  const end = (request: Request) => {
    if (activity.pending.delete(request)) activity.changedAt = performance.now();
  };
  page.on("request", (request) => void (isLiveUpdate(request) || activity.pending.add(request)));
  page.on("requestfinished", end);
  page.on("requestfailed", end);
}

const quietMs = 150;
const longestMs = 5000;
/** Waits until a page has loaded nothing for a while, and has shown what it received. */
export async function waitUntilQuiet(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  const activity = present(activities.get(page), "activity of a watched page");
  const began = performance.now();
  activity.changedAt = began;
  while (performance.now() < began + longestMs) {
    if (activity.pending.size === 0 && performance.now() >= activity.changedAt + quietMs) break;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}
