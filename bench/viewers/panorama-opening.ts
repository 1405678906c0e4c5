import type { BrowserContext, Page } from "playwright-core";
import { screens } from "@arcada/contract/screens";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { createTranslator } from "../../tests/e2e/support/translations.ts";
import { freePort, Product } from "@arcada/testing/setup/product-process";
import type { Figure } from "../lib/figure-table.ts";
import { openThrottledLink, SharedLink } from "../lib/throttled-link.ts";
import { importVolume } from "./ct-viewer.ts";

const t = createTranslator("zh");
const rounds = Number(process.env.ARCADA_BENCH_ROUNDS ?? 5);
const steps = 5;

/** Seconds. */
interface PanoramaTimes {
  first: number;
  fullQuality: number;
  step: number;
}

/** A CBCT that opens with its panorama and its cross-sections, over 100 Mbit/s with 20 ms. */
export async function measurePanorama(say: (line: string) => void): Promise<Figure[]> {
  const product = new Product({ NODE_ENV: "production", LOGIN_STEP_UP: "off" });
  product.port = await freePort();
  const line = await openThrottledLink(product.port, new SharedLink({ bytesPerSecond: 12_500_000, latency: 20 }));
  try {
    await product.start();
    const { clinic, volume } = await importVolume(product, say);
    const seen: PanoramaTimes[] = [];
    for (let round = 0; round < rounds; round++) {
      seen.push(await measureVisit(`${line.address}${screens.ctViewer.path}?study=${volume.id}`, clinic.token));
      say(`panorama ${JSON.stringify(seen.at(-1))}`);
    }
    const middle = (pick: keyof PanoramaTimes) => seen.map((one) => one[pick]).toSorted((a, b) => a - b)[rounds >> 1];
    return [
      { what: "panorama and cross-sections first seen", ours: middle("first"), unit: "s", goal: { most: 0.8 } },
      { what: "both as fine as they will be, all slices there", ours: middle("fullQuality"), unit: "s" },
      { what: "half a millimetre deeper, as fine again", ours: middle("step"), unit: "s" },
    ];
  } finally {
    line.close();
    await product.remove();
  }
}

const viewportNames = [t("viewer.pane.panorama"), t("viewer.pane.section")];

/** The box of a viewport in the window. */
type Box = Record<"x" | "y" | "width" | "height", number>;

async function measureVisit(address: string, token: string): Promise<PanoramaTimes> {
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ locale: "zh-CN", viewport: { width: 1440, height: 900 } });
    await context.addCookies([{ name: "Admin-Token", value: token, url: address }]);
    const boxes = await rememberPanorama(context, address);
    const page = await context.newPage();
    await page.addInitScript(watchForImages, boxes);
    await page.goto(address, { waitUntil: "commit" });
    const seen = await page.waitForFunction(() => (globalThis as unknown as WatchedPage).seenAt, null, {
      polling: 100,
      timeout: 180_000,
    });
    const first = Number(await seen.jsonValue()) / 1000;
    await page.getByText(t("viewer.stage.full"), { exact: true }).first().waitFor({ timeout: 180_000 });
    await waitUntilFine(page);
    const fine = await readClock(page);
    await page.getByRole("group", { name: viewportNames[0], exact: true }).focus();
    const began = await readClock(page);
    for (let step = 0; step < steps; step++) {
      await page.keyboard.press("ArrowDown");
      await waitUntilFine(page);
    }
    return { first, fullQuality: fine, step: ((await readClock(page)) - began) / steps };
  } finally {
    await browser.close();
  }
}

/**
 * Selects the panorama once by hand, then clears the browser except for that choice. Returns the boxes of the
 * viewports.
 */
async function rememberPanorama(context: BrowserContext, address: string): Promise<Box[]> {
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole("button", { name: t("viewer.layout.title"), exact: true }).click();
  await page.getByRole("menuitem", { name: t("viewer.layout.panorama"), exact: true }).click();
  const boxes: Box[] = [];
  for (const name of viewportNames) {
    const viewport = page.getByRole("group", { name, exact: true });
    await viewport.waitFor();
    boxes.push((await viewport.boundingBox())!);
  }
  await page.evaluate(watchForImages, boxes);
  await page.waitForFunction(() => (globalThis as unknown as WatchedPage).seenAt, null, { timeout: 180_000 });
  await page.evaluate(() => caches.delete("arcada.files"));
  await page.close();
  return boxes;
}

const readClock = async (page: Page): Promise<number> => (await page.evaluate(() => performance.now())) / 1000;

interface WatchedPage {
  /** Ms of the page's clock. */
  seenAt?: number;
}

/** Checks ten times a second if canvases show something in each of these boxes of the window, until they do. */
function watchForImages(boxes: Box[]): void {
  const probe = Object.assign(document.createElement("canvas"), { width: 32, height: 32 });
  const brush = probe.getContext("2d", { willReadFrequently: true });
  const shows = ({ x, y, width, height }: Box): boolean => {
    if (!brush) return false;
    brush.clearRect(0, 0, 32, 32);
    const [across, down] = [32 / width, 32 / height];
    for (const canvas of document.querySelectorAll("canvas")) {
      const { left, top, width: canvasWidth, height: canvasHeight } = canvas.getBoundingClientRect();
      if (canvas.width > 0)
        brush.drawImage(canvas, (left - x) * across, (top - y) * down, canvasWidth * across, canvasHeight * down);
    }
    const { data } = brush.getImageData(0, 0, 32, 32);
    return data.filter((value, at) => at % 4 === 0 && value > 40).length > 40;
  };
  const ask = () => {
    if (boxes.every(shows)) Object.assign(globalThis, { seenAt: performance.now() });
    // Each check makes the page wait for its graphics: more checks would slow down the measured page.
    else setTimeout(() => requestAnimationFrame(ask), 100);
  };
  requestAnimationFrame(ask);
}

/** Waits two frames, then until the label for a coarse rendering is gone. */
async function waitUntilFine(page: Page): Promise<void> {
  const frame = () => page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => done())));
  await frame();
  await frame();
  await page.getByText(t("viewer.rough"), { exact: true }).first().waitFor({ state: "detached", timeout: 180_000 });
}
