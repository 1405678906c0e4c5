import type { Browser, Locator, Page } from "playwright-core";
import { screens } from "@arcada/contract/screens";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { freePort, Product } from "@arcada/testing/setup/product-process";
import { createTranslator } from "../../tests/e2e/support/translations.ts";
import { median, type Figure } from "../lib/figure-table.ts";
import { readMemory } from "../lib/measure-page-opening.ts";
import { importVolume } from "./ct-viewer.ts";
import { enlargeVolume } from "./enlarged-volume.ts";

const t = createTranslator("zh");
/** Each voxel of this phantom becomes 4 × 4 × 4, of 0.2 mm: 800 × 800 × 600. */
const size = { columns: 200, rows: 200, slices: Number(process.env.ARCADA_BENCH_SLICES ?? 600) / 4, voxel: 0.8 };
/** Slices that are scrolled in each plane: more than a brick. */
const steps = 36;

/** A volume beyond the budget of the graphics, first at half its resolution and then whole. */
export async function measureLargeVolume(say: (line: string) => void): Promise<Figure[]> {
  const product = new Product({ NODE_ENV: "production", LOGIN_STEP_UP: "off" });
  product.port = await freePort();
  try {
    await product.start();
    const { clinic, volume } = await importVolume(product, say, size);
    say("The volume is opened …");
    const browser = await launchBrowser();
    try {
      const context = await browser.newContext({
        locale: "zh-CN",
        viewport: { width: 1440, height: 900 },
        serviceWorkers: "block",
      });
      await context.addCookies([{ name: "Admin-Token", value: clinic.token, url: product.address }]);
      await enlargeVolume(context, product.address, 4);
      const page = await context.newPage();
      await page.goto(`${product.address}${screens.ctViewer.path}?study=${volume.id}`);
      return await measurePage(browser, page, say);
    } finally {
      await browser.close();
    }
  } finally {
    await product.remove();
  }
}

async function measurePage(browser: Browser, page: Page, say: (line: string) => void): Promise<Figure[]> {
  const memory = watchMemory(browser);
  await stage(page, "half").waitFor({ timeout: 300_000 });
  const half = await memory.settle();
  say(`half: ${half.toFixed(0)} MB`);
  await page.getByRole("button", { name: t("viewer.loadFull") }).click();
  const begun = performance.now();
  await stage(page, "full").waitFor({ timeout: 600_000 });
  const loaded = (performance.now() - begun) / 1000;
  await chooseLayout(page, "mpr");
  const full = await memory.settle();
  say(`whole: ${full.toFixed(0)} MB after ${loaded.toFixed(1)} s, most ${memory.most().toFixed(0)} MB`);
  const scrolled: Record<string, number[]> = {};
  for (const plane of ["axial", "sagittal", "coronal"] as const) {
    scrolled[plane] = await scroll(page, plane);
    say(`${plane}: ${scrolled[plane].map((ms) => ms.toFixed(0)).join(" ")} ms`);
  }
  for (const layout of ["panorama", "implant"] as const) {
    await chooseLayout(page, layout);
    say(`${layout}: ${(await memory.settle()).toFixed(0)} MB, most ${memory.most().toFixed(0)} MB`);
  }
  const most = await memory.stop();
  const all = Object.values(scrolled).flat();
  return [
    { what: "memory at half the resolution (Pss)", ours: half, unit: "MB" },
    { what: "memory with all values (Pss), three planes", ours: full, unit: "MB", goal: { most: 1500 } },
    { what: "the most at any time, scrolling and other layouts included", ours: most, unit: "MB" },
    { what: "all values loaded, without a limit of the line", ours: loaded, unit: "s" },
    { what: "one slice further, until its image is final: median", ours: median(all), unit: "ms" },
    { what: "the same, longest", ours: Math.max(...all), unit: "ms" },
  ];
}

const stage = (page: Page, name: "half" | "full"): Locator =>
  page.getByText(t(`viewer.stage.${name}`), { exact: true }).first();

async function chooseLayout(page: Page, layout: "mpr" | "panorama" | "implant"): Promise<void> {
  await page.getByRole("button", { name: t("viewer.layout.title"), exact: true }).click();
  await page.getByRole("menuitem", { name: t(`viewer.layout.${layout}`), exact: true }).click();
}

/** Returns ms of each step from the key until the viewport no longer states that a finer image follows. */
async function scroll(page: Page, plane: "axial" | "sagittal" | "coronal"): Promise<number[]> {
  const viewport = page.getByRole("group", { name: t(`viewer.plane.${plane}`), exact: true });
  await viewport.focus();
  const note = viewport.locator("xpath=..").getByText(t("viewer.rough"));
  const times: number[] = [];
  for (let step = 0; step < steps; step++) {
    const begun = performance.now();
    await page.keyboard.press("ArrowDown");
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await note.waitFor({ state: "detached", timeout: 60_000 });
    times.push(performance.now() - begun);
  }
  return times;
}

/** Reads the memory of the page's and the graphics process each second. */
function watchMemory(browser: Browser) {
  let most = 0;
  let isStopped = false;
  const read = async () => {
    const now = await readMemory(browser);
    most = Math.max(most, now);
    return now;
  };
  const watching = (async () => {
    while (!isStopped) {
      await read();
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  })();
  return {
    most: () => most,
    /** Waits until what is no longer used has been given back, for ten seconds at most, and returns MB. */
    settle: async () => {
      let last = await read();
      for (let second = 0; second < 10; second++) {
        await new Promise((resolve) => setTimeout(resolve, 1000));
        last = await read();
      }
      return last;
    },
    stop: async () => {
      isStopped = true;
      await watching;
      return most;
    },
  };
}
