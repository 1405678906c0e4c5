import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { screens } from "@arcada/contract/screens";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import type { Clinic } from "./data/clinic.ts";
import type { Figure } from "./lib/figure-table.ts";

const root = path.join(import.meta.dirname, "..");

/** Builds the web application when its sources have changed since. */
export async function buildWeb(): Promise<void> {
  const builder = pathToFileURL(path.join(root, "scripts/lib/build-web.mjs")).href;
  const built = (await import(builder)) as { buildWeb(runtime: string): Promise<void> };
  await built.buildWeb(process.execPath);
}

/**
 * Measures the scripts and styles that a browser fetches for the sign-in page, then until the patient list is shown, and
 * then while the page is idle, at gzip level 9. The idle page fetches the texts of pages that open without a network.
 */
export async function measureWeb(address: string, { account, password }: Clinic): Promise<Figure[]> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ locale: "zh-CN", viewport: { width: 1440, height: 900 } });
    const fetched = recordFetchedFiles(page);
    const { login, patientList } = screens;
    await page.goto(`${address}${login.path}?redirect=${encodeURIComponent(patientList.path)}`, { waitUntil: "load" });
    await waitUntilQuiet(page, fetched);
    const atLogin = new Set(fetched);
    // The form stays disabled until the cookie banner is answered.
    await page.getByRole("region").getByRole("button").last().click();
    await page.fill("input[name=account]", account);
    await page.fill("input[name=password]", password);
    await page.click("button[type=submit]");
    await page.waitForURL((url) => url.pathname === patientList.path);
    await page.getByRole("row").nth(1).waitFor();
    const atList = new Set(fetched);
    await waitUntilQuiet(page, fetched);
    return [
      ...sizeRows("sign-in page", atLogin, 150),
      ...sizeRows("patient list, in addition", atList.difference(atLogin), 120),
      ...sizeRows("patient list, fetched later", fetched.difference(atList)),
    ];
  } finally {
    await browser.close();
  }
}

function recordFetchedFiles(page: Page): Set<string> {
  const fetched = new Set<string>();
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (/^\/assets\/.*\.(js|css)$/.test(pathname)) fetched.add(pathname);
  });
  return fetched;
}

/** Waits until nothing more was fetched for two seconds: the stream of live events never ends. */
async function waitUntilQuiet(page: Page, fetched: Set<string>): Promise<void> {
  for (let before = -1; before !== fetched.size; await page.waitForTimeout(2000)) before = fetched.size;
}

const sizeRows = (what: string, names: Set<string>, most?: number): Figure[] => [
  { what: `${what}: JavaScript`, ours: totalSize(names, ".js"), unit: "kB gz", ...(most && { goal: { most } }) },
  { what: `${what}: CSS`, ours: totalSize(names, ".css"), unit: "kB gz" },
];

const totalSize = (names: Set<string>, ending: string): number =>
  [...names].filter((name) => name.endsWith(ending)).reduce((sum, name) => sum + gzipSize(name), 0) / 1000;
const gzipSize = (name: string): number =>
  gzipSync(readFileSync(path.join(root, "apps/web/dist", name)), { level: 9 }).length;
