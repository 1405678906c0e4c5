import type { Browser, Locator, Page } from "playwright-core";
import { screens } from "@arcada/contract/screens";
import { freePort, Product } from "@arcada/testing/setup/product-process";
import { createTranslator } from "../../tests/e2e/support/translations.ts";
import { median, type Figure } from "../lib/figure-table.ts";
import { launchUnbufferedBrowser } from "../lib/launch-unbuffered-browser.ts";
import { readMemoryByProcess } from "../lib/measure-page-opening.ts";
import { importVolume } from "./ct-viewer.ts";
import { enlargeVolume } from "./enlarged-volume.ts";

const t = createTranslator("zh");
/** Each voxel of this phantom becomes 4 × 4 × 4, of 0.2 mm: 800 × 800 × 600. */
const size = { columns: 200, rows: 200, slices: Number(process.env.ARCADA_BENCH_SLICES ?? 600) / 4, voxel: 0.8 };
/** Slices that are scrolled in each plane: by default more than a brick. */
const stepCount = Number(process.env.ARCADA_BENCH_STEPS ?? 36);

/** A volume beyond the budget of the graphics, first at half its resolution and then whole. */
export async function measureLargeVolume(say: (line: string) => void): Promise<Figure[]> {
  const product = new Product({ NODE_ENV: "production", LOGIN_STEP_UP: "off" });
  product.port = await freePort();
  try {
    await product.start();
    const { clinic, volume } = await importVolume(product, say, size);
    say("The volume is opened …");
    const browser = await launchUnbufferedBrowser();
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
  const memory = watchMemory(browser, say);
  try {
    return await measureLevels(page, memory, say);
  } finally {
    await memory.stop();
  }
}

async function measureLevels(
  page: Page,
  memory: ReturnType<typeof watchMemory>,
  say: (line: string) => void,
): Promise<Figure[]> {
  await stage(page, "half").waitFor({ timeout: 300_000 });
  const half = await memory.settle();
  say(`half: ${half.toFixed(0)} MB`);
  await page.getByRole("button", { name: t("viewer.loadFull") }).click({ timeout: 300_000 });
  // No time is reported: most of it is the encoding of this benchmark (see enlargeVolume).
  await stage(page, "full").waitFor({ timeout: 600_000 });
  await chooseLayout(page, "mpr");
  const full = await memory.settle();
  say(`whole: ${full.toFixed(0)} MB, most ${memory.most().toFixed(0)} MB`);
  const scrolled: Record<string, number[]> = {};
  for (const plane of ["axial", "sagittal", "coronal"] as const) {
    scrolled[plane] = await scroll(page, plane);
    say(`${plane}: ${scrolled[plane].map((ms) => ms.toFixed(0)).join(" ")} ms`);
  }
  for (const layout of ["panorama", "implant"] as const) {
    await chooseLayout(page, layout);
    say(`${layout}: ${(await memory.settle()).toFixed(0)} MB, most ${memory.most().toFixed(0)} MB`);
  }
  const { axial, ...fromBricks } = scrolled;
  const steps = { "from the stored slice": axial, "from bricks": Object.values(fromBricks).flat() };
  return [
    { what: "memory at half the resolution (Pss)", ours: half, unit: "MB" },
    { what: "memory with all values (Pss), three planes", ours: full, unit: "MB", goal: { most: 1500 } },
    {
      what: "the most at any time, scrolling and other layouts included",
      ours: memory.most(),
      unit: "MB",
      goal: { most: 1500 },
    },
    ...Object.entries(steps).flatMap(([source, times]): Figure[] => [
      {
        what: `one slice further, ${source}, until no finer one is announced: median`,
        ours: median(times),
        unit: "ms",
      },
      { what: "the same, longest", ours: Math.max(...times), unit: "ms" },
    ]),
  ];
}

const stage = (page: Page, name: "half" | "full"): Locator =>
  page.getByText(t(`viewer.stage.${name}`), { exact: true }).first();

async function chooseLayout(page: Page, layout: "mpr" | "panorama" | "implant"): Promise<void> {
  await page.getByRole("button", { name: t("viewer.layout.title"), exact: true }).click();
  await page.getByRole("menuitem", { name: t(`viewer.layout.${layout}`), exact: true }).click();
}

/**
 * Returns ms of each step from the key until two frames have passed and the viewport states no finer image. A step whose
 * drawing the graphics put off for longer than two frames counts as too short, since nothing states that it is due.
 */
async function scroll(page: Page, plane: "axial" | "sagittal" | "coronal"): Promise<number[]> {
  const viewport = page.getByRole("group", { name: t(`viewer.plane.${plane}`), exact: true });
  await viewport.focus();
  const note = viewport.locator("xpath=..").getByText(t("viewer.rough"));
  const times: number[] = [];
  for (let step = 0; step < stepCount; step++) {
    const begun = performance.now();
    await page.keyboard.press("ArrowDown");
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await note.waitFor({ state: "detached", timeout: 60_000 });
    times.push(performance.now() - begun);
  }
  return times;
}

/** Reads the memory of the page's and the graphics process each second, and says each new maximum. */
function watchMemory(browser: Browser, say: (line: string) => void) {
  let most = 0;
  let isStopped = false;
  const read = async () => {
    const { page, graphics } = await readMemoryByProcess(browser);
    if (page + graphics > most + 50) say(`memory: page ${page.toFixed(0)}, graphics ${graphics.toFixed(0)} MB`);
    most = Math.max(most, page + graphics);
    return page + graphics;
  };
  const watching = (async () => {
    while (!isStopped) {
      await read();
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  })();
  return {
    most: () => most,
    /** Waits ten seconds for what is no longer used to be given back, and returns MB. */
    settle: async () => {
      await new Promise((resolve) => setTimeout(resolve, 10_000));
      return read();
    },
    stop: async () => {
      isStopped = true;
      await watching;
    },
  };
}
