import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { build } from "vite";
import { screens } from "@arcada/contract/screens";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { interleave } from "./lib/figure-table.ts";
import type { Figure } from "./lib/figure-table.ts";
import { startPeer } from "./peers/peer-process.ts";

// A slow connection and a slow machine: 10 Mbit/s with 40 ms of latency, a processor with a quarter of this one's
// speed.
const networkConditions = { offline: false, latency: 40, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 };
const slowdown = 4;

/**
 * Measures the seconds from the address to the sign-in form with an empty cache, in comparison with a form that uses
 * only React.
 */
export async function measureFirstPaint(address: string): Promise<Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-react-"));
  await build({
    root: path.join(import.meta.dirname, "peers/react-alone"),
    logLevel: "error",
    build: { outDir: folder, emptyOutDir: true, target: "es2023", modulePreload: { polyfill: false } },
  });
  const peer = await startPeer("react-alone.ts", { folder });
  const browser = await launchBrowser();
  try {
    const seen = await interleave({
      ours: () => measureSecondsToForm(browser, address + screens.login.path),
      alone: () => measureSecondsToForm(browser, `${peer.address}/`),
    });
    const what = "sign-in form stands, 10 Mbit/s, processor at a quarter";
    const beside = { what: "a form with React alone", value: seen.alone };
    return [
      { what, ours: seen.ours, unit: "s", goal: { most: 1.2 } },
      { what, ours: seen.ours, unit: "s", peer: beside },
    ];
  } finally {
    await browser.close();
    await peer.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureSecondsToForm(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext({ locale: "zh-CN", viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.emulateNetworkConditions", networkConditions);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    // Checked once in each frame, by the page's own clock, which begins with the navigation.
    await page.addInitScript(() => {
      const checkForm = () => {
        const field = document.querySelector("input[name=account]");
        if (field && field.getBoundingClientRect().height > 0)
          requestAnimationFrame(() => Object.assign(globalThis, { formStoodAt: performance.now() }));
        else requestAnimationFrame(checkForm);
      };
      requestAnimationFrame(checkForm);
    });
    await page.goto(address, { waitUntil: "commit" });
    await page.waitForFunction(() => "formStoodAt" in globalThis);
    const at = await page.evaluate(() => (globalThis as unknown as { formStoodAt: number }).formStoodAt);
    return at / 1000;
  } finally {
    await context.close();
  }
}
