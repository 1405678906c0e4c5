import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { launchUnbufferedBrowser } from "./launch-unbuffered-browser.ts";
import type { ThrottledLink } from "./throttled-link.ts";

export interface MeasuredPage {
  address: string;
  /** Ours is a signed-in page. */
  cookie?: string;
  lines: ThrottledLink[];
  /** Its canvas does not preserve the drawing buffer, so the browser is told to preserve it. */
  losesDrawingBuffer?: true;
}
/** The cost of one visit, in seconds and MB. */
export interface VisitCost {
  firstImage: number;
  complete: number;
  megabytes: number;
  memory: number;
  code: number;
  reopenedMegabytes: number;
}

/** One visit in a new browser, and a second opening in the same browser. */
export async function measureVisit({
  address,
  cookie,
  lines,
  losesDrawingBuffer: forgets,
}: MeasuredPage): Promise<VisitCost> {
  const browser = await launchUnbufferedBrowser();
  try {
    const context = await browser.newContext({ locale: "zh-CN", viewport: { width: 1440, height: 900 } });
    if (cookie) await context.addCookies([{ name: "Admin-Token", value: cookie, url: address }]);
    if (forgets) await context.addInitScript(preserveDrawingBuffers);
    const page = await context.newPage();
    await page.addInitScript(watchForFirstImage);
    const scripts = new Set<string>();
    page.on("response", (response) => {
      if (/\.m?js(\?|$)/.test(response.url()) && response.ok()) scripts.add(response.url());
    });
    for (const line of lines) line.takeByteCount();
    await page.goto(address, { waitUntil: "commit" });
    const first = await page.waitForFunction(() => (globalThis as unknown as WatchedPage).shownAt, null, {
      timeout: 180_000,
    });
    const whole = await waitUntilQuiet(page, lines);
    const memory = await readMemory(browser);
    const code = (await Promise.all([...scripts].map(readGzippedSize))).reduce((sum, bytes) => sum + bytes, 0);
    const seen = {
      firstImage: Number(await first.jsonValue()) / 1000,
      complete: whole.at / 1000,
      megabytes: whole.bytes / 1e6,
      memory,
      code: code / 1e6,
    };
    const second = await context.newPage();
    await second.addInitScript(watchForFirstImage);
    await page.close();
    for (const line of lines) line.takeByteCount();
    await second.goto(address, { waitUntil: "commit" });
    await second.waitForFunction(() => (globalThis as unknown as WatchedPage).shownAt, null, { timeout: 180_000 });
    return { ...seen, reopenedMegabytes: (await waitUntilQuiet(second, lines)).bytes / 1e6 };
  } finally {
    await browser.close();
  }
}

const readGzippedSize = async (url: string): Promise<number> =>
  gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer()), { level: 9 }).length;

interface WatchedPage {
  shownAt?: number;
}

function preserveDrawingBuffers(): void {
  // oxlint-disable-next-line unbound-method
  const own = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, type: string, settings?: object) {
    const merged = type.startsWith("webgl") ? { ...settings, preserveDrawingBuffer: true } : settings;
    return Reflect.apply(own, this, [type, merged]) as RenderingContext | null;
  } as typeof own;
}

/** Checks ten times a second if a canvas of some size shows something; by the page's own clock. */
function watchForFirstImage(): void {
  const probe = Object.assign(document.createElement("canvas"), { width: 32, height: 32 });
  const brush = probe.getContext("2d", { willReadFrequently: true });
  const shows = (canvas: HTMLCanvasElement): boolean => {
    const { width, height } = canvas.getBoundingClientRect();
    if (!brush || width < 150 || height < 150 || canvas.width === 0) return false;
    brush.clearRect(0, 0, 32, 32);
    brush.drawImage(canvas, 0, 0, 32, 32);
    const { data } = brush.getImageData(0, 0, 32, 32);
    let bright = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at] > 40 && data[at + 3] > 0) bright++;
    return bright > 40;
  };
  const ask = () => {
    if ([...document.querySelectorAll("canvas")].some(shows)) Object.assign(globalThis, { shownAt: performance.now() });
    // Each check makes the page wait for its graphics: more checks would slow down the measured page.
    else setTimeout(() => requestAnimationFrame(ask), 100);
  };
  requestAnimationFrame(ask);
}

/**
 * Waits until nothing has arrived for a while, then returns the time of the last bytes over the lines, in ms of the
 * page's clock.
 */
async function waitUntilQuiet(page: Page, lines: readonly ThrottledLink[]): Promise<{ at: number; bytes: number }> {
  let [bytes, at, calm] = [0, 0, 0];
  while (calm < 30) {
    const now = lines.reduce((sum, line) => sum + line.takeByteCount(), 0);
    // Small transfers are change notifications, not images. While requests continue, however, images may still arrive.
    if (now > 4096 || at === 0) at = await page.evaluate(() => performance.now());
    calm = now > 512 ? 0 : calm + 1;
    bytes += now;
    await page.waitForTimeout(100);
  }
  return { at, bytes };
}

/**
 * Returns the MB of the page's process and of the graphics process: their private memory, and their part of shared
 * memory.
 */
export async function readMemory(browser: Browser): Promise<number> {
  const { page, graphics } = await readMemoryByProcess(browser);
  return page + graphics;
}

/** Returns the memory (MB, Pss) of the page processes and of the graphics process. */
export async function readMemoryByProcess(browser: Browser): Promise<{ page: number; graphics: number }> {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = await devtools.send("SystemInfo.getProcessInfo");
  await devtools.detach();
  const sumOf = (wanted: string) =>
    processInfo
      .filter(({ type }) => type === wanted)
      .reduce((sum, { id }) => {
        const kilobytes = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))?.[1];
        return sum + (Number(kilobytes ?? 0) * 1024) / 1e6;
      }, 0);
  return { page: sumOf("renderer"), graphics: sumOf("GPU") };
}
