import path from "node:path";
import type pg from "pg";
import type { Browser, CDPSession, Page } from "playwright-core";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { screens } from "@arcada/contract/screens";
import { conversionCalls } from "@arcada/contract/study/conversion.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { craftZip } from "../../apps/server/src/ingest/archive/crafted-zip.ts";
import { startPostgres } from "../../apps/server/src/platform/postgres/embedded-postgres.ts";
import { launchUnbufferedBrowser } from "../lib/launch-unbuffered-browser.ts";
import { Product } from "@arcada/testing/setup/product-process";
import { createClinic } from "../data/clinic.ts";
import type { Figure } from "../lib/figure-table.ts";
import { readMemoryByProcess } from "../lib/measure-page-opening.ts";

const minutes = Number(process.env.ARCADA_SOAK_MINUTES ?? 20);
/** Rounds before the measurement, which load code, fonts and caches. */
const warmRounds = 2;
const size = { columns: 256, rows: 256, slices: 160, voxel: 0.5 };

/** A reader works on CBCTs for minutes on one page: what grows with time is a leak. */
export async function measureSoak(say: (line: string) => void): Promise<Figure[]> {
  // Created before any request is pending: while the processor is busy with them, connections grow stale.
  const zips = ["one", "two"].map(createZip);
  const product = new Product({ NODE_ENV: "production", LOGIN_STEP_UP: "off" });
  try {
    await product.start();
    const { token, studies } = await importVolumes(product, zips);
    const browser = await launchUnbufferedBrowser({ args: ["--js-flags=--expose-gc"] });
    try {
      return figuresOf(await runSoak(browser, product.address, token, studies, say));
    } finally {
      await browser.close();
    }
  } finally {
    await product.remove();
  }
}

interface Sample {
  /** Seconds since the warm rounds. */
  at: number;
  heap: number;
  page: number;
  graphics: number;
}

async function runSoak(
  browser: Browser,
  address: string,
  token: string,
  studies: string[],
  say: (line: string) => void,
): Promise<Sample[]> {
  const context = await browser.newContext({ locale: "zh-CN", viewport: { width: 1280, height: 800 } });
  await context.addCookies([{ name: "Admin-Token", value: token, url: address }]);
  const page = await context.newPage();
  const inside = await context.newCDPSession(page);
  await page.goto(address + screens.patientList.path);
  const samples: Sample[] = [];
  for (let round = 0; round < warmRounds; round++) for (const study of studies) await readStudy(page, study);
  const began = Date.now();
  while (samples.length < 2 || Date.now() - began < minutes * 60_000) {
    for (const study of studies) await readStudy(page, study);
    const sample = { at: (Date.now() - began) / 1000, ...(await readMemory(inside, browser)) };
    samples.push(sample);
    say(
      `${sample.at.toFixed(0)} s: heap ${sample.heap.toFixed(1)}, page ${sample.page.toFixed(0)}, graphics ${sample.graphics.toFixed(0)} MB`,
    );
  }
  return samples;
}

/**
 * Opens a study without reloading the page, scrolls, rotates, thickens, changes layouts, draws and undoes, and leaves.
 */
async function readStudy(page: Page, study: string): Promise<void> {
  await navigate(page, `${screens.ctViewer.path}?study=${study}`);
  const viewports = page.locator("[role=group]:has(input[type=range])");
  await viewports.first().waitFor();
  await page.locator(".mantine-Badge-root").first().waitFor();
  await page.waitForTimeout(1500);
  await viewports.first().focus();
  for (const keys of ["ArrowDown", "PageUp", "Shift+X", "x", "b", "b", "m", "Shift+R", "+", "-", "i", "i", "r"])
    for (let times = 0; times < 3; times++) {
      await page.keyboard.press(keys);
      await page.waitForTimeout(60);
    }
  await page.keyboard.press("l");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("c");
  // Cycles through every layout that is offered.
  for (let times = 0; times < 8; times++) {
    await page.keyboard.press("y");
    await page.waitForTimeout(250);
  }
  await navigate(page, screens.patientList.path);
  await page.waitForTimeout(300);
}

/** Navigates like a link within the application: the page stays, so that leaks add up. */
const navigate = (page: Page, to: string): Promise<void> =>
  page.evaluate((address) => {
    history.pushState({}, "", address);
    dispatchEvent(new PopStateEvent("popstate", { state: {} }));
  }, to);

/** MB: the JavaScript heap after a collection, and the memory (Pss) of the page's and the graphics process. */
async function readMemory(inside: CDPSession, browser: Browser): Promise<Omit<Sample, "at">> {
  await inside.send("HeapProfiler.collectGarbage");
  const { usedSize } = await inside.send("Runtime.getHeapUsage");
  return { heap: usedSize / 1e6, ...(await readMemoryByProcess(browser)) };
}

function figuresOf(samples: readonly Sample[]): Figure[] {
  const last = samples.at(-1)!;
  return (["heap", "page", "graphics"] as const).flatMap((name): Figure[] => [
    { what: `${memoryNames[name]} after ${samples.length} rounds of a soak`, ours: last[name], unit: "MB" },
    { what: `its growth`, ours: growthPerSecond(samples, name) * 60, unit: "MB a minute", goal: { most: 2 } },
  ]);
}

const memoryNames = { heap: "scripts' heap", page: "the page's process", graphics: "the graphics process" };

/** MB a second, by least squares. */
function growthPerSecond(samples: readonly Sample[], name: "heap" | "page" | "graphics"): number {
  const mean = (pick: (sample: Sample) => number) => samples.reduce((sum, one) => sum + pick(one), 0) / samples.length;
  const [at, value] = [mean((one) => one.at), mean((one) => one[name])];
  const spread = samples.reduce((sum, one) => sum + (one.at - at) ** 2, 0);
  return spread === 0 ? 0 : samples.reduce((sum, one) => sum + (one.at - at) * (one[name] - value), 0) / spread;
}

function createZip(key: string): Uint8Array {
  const who = { id: "1", name: "Soak^One", sex: "M", birthDate: "19900101" } as const;
  const study = { key, description: `Soak ${key}` };
  return craftZip(
    [...createCbctFiles(makeHead(key), who, { size, study })].map(({ name, bytes }) => ({ name, data: bytes })),
  );
}

async function importVolumes(
  product: Product,
  zips: readonly Uint8Array[],
): Promise<{ token: string; studies: string[] }> {
  const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
  const { token } = await createClinic(postgres.connection as pg.PoolConfig, 1).finally(() => postgres.stop());
  const headers = { token };
  const person = { name: "Soak One", sex: "male", birthDate: "1990-01-01" } as const;
  const patient = await product.call(patientCalls.create, person, headers);
  const studies: string[] = [];
  for (const zip of zips) {
    const uploads = [await product.upload(token, "disc.zip", zip)];
    let job = await product.call(
      uploadJobCalls.open,
      { patientId: patient.id, uploads, acceptMismatch: true },
      headers,
    );
    while (job.state === "waiting" || job.state === "running") {
      await new Promise((resolve) => setTimeout(resolve, 250));
      job = await product.call(uploadJobCalls.job, { id: job.id }, headers);
    }
    const id = job.studies[0];
    while ((await product.call(conversionCalls.conversion, { id }, headers)).state !== "ready")
      await new Promise((resolve) => setTimeout(resolve, 250));
    studies.push(id);
  }
  return { token, studies };
}
