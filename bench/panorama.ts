import type { BrowserContext, Page } from "playwright-core";
import { screens } from "@arcada/contract/screens";
import { launchBrowser } from "../tests/browser.ts";
import { wordsIn } from "../tests/e2e/words.ts";
import { freePort, Product } from "../tests/product.ts";
import type { Figure } from "./figures.ts";
import { slowLine, Wire } from "./slow-line.ts";
import { aVolume } from "./viewer.ts";

const t = wordsIn("zh");
const rounds = Number(process.env.ARCADA_BENCH_ROUNDS ?? 5);
const steps = 5;

/** Seconds. */
interface Seen {
  first: number;
  fine: number;
  step: number;
}

/** A CBCT that opens with its panorama and its cross-sections, over 100 Mbit/s with 20 ms. */
export async function measurePanorama(say: (line: string) => void): Promise<Figure[]> {
  const product = new Product({ NODE_ENV: "production", LOGIN_STEP_UP: "off" });
  product.port = await freePort();
  const line = await slowLine(product.port, new Wire({ bytesPerSecond: 12_500_000, latency: 20 }));
  try {
    await product.start();
    const { clinic, volume } = await aVolume(product, say);
    const seen: Seen[] = [];
    for (let round = 0; round < rounds; round++) {
      seen.push(await visit(`${line.address}${screens.ctViewer.path}?study=${volume.id}`, clinic.token));
      say(`panorama ${JSON.stringify(seen.at(-1))}`);
    }
    const middle = (pick: keyof Seen) => seen.map((one) => one[pick]).toSorted((a, b) => a - b)[rounds >> 1]!;
    return [
      { what: "panorama and cross-sections first seen", ours: middle("first"), unit: "s", goal: { most: 1.2 } },
      { what: "both as fine as they will be, all slices there", ours: middle("fine"), unit: "s" },
      { what: "half a millimetre deeper, as fine again", ours: middle("step"), unit: "s" },
    ];
  } finally {
    line.close();
    await product.remove();
  }
}

async function visit(address: string, token: string): Promise<Seen> {
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ locale: "zh-CN", viewport: { width: 1440, height: 900 } });
    await context.addCookies([{ name: "Admin-Token", value: token, url: address }]);
    await remembersPanorama(context, address);
    const page = await context.newPage();
    await page.goto(address, { waitUntil: "commit" });
    await isDrawn(page, t("viewer.pane.panorama"));
    await isDrawn(page, t("viewer.pane.section"));
    const first = await clock(page);
    await page.getByText(t("viewer.stage.full"), { exact: true }).first().waitFor({ timeout: 180_000 });
    await isFine(page);
    const fine = await clock(page);
    await page.getByRole("group", { name: t("viewer.pane.panorama"), exact: true }).focus();
    const began = await clock(page);
    for (let step = 0; step < steps; step++) {
      await page.keyboard.press("ArrowDown");
      await isFine(page);
    }
    return { first, fine, step: ((await clock(page)) - began) / steps };
  } finally {
    await browser.close();
  }
}

/** Chosen once by hand, then forgotten by the browser but for the choice. */
async function remembersPanorama(context: BrowserContext, address: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole("button", { name: t("viewer.layout.title"), exact: true }).click();
  await page.getByRole("menuitem", { name: t("viewer.layout.panorama"), exact: true }).click();
  await page.evaluate(() => caches.delete("arcada.files"));
  await page.close();
}

const clock = async (page: Page): Promise<number> => (await page.evaluate(() => performance.now())) / 1000;

/** Waits until something is seen under the pane of this name. */
const isDrawn = (page: Page, name: string) =>
  page.waitForFunction(
    (wanted) => {
      const canvas = document.querySelector("canvas");
      const pane = [...document.querySelectorAll("[role=group][aria-label]")].find(
        (one) => one.getAttribute("aria-label") === wanted && one.getBoundingClientRect().height > 0,
      );
      if (!canvas || !pane) return false;
      const probe = Object.assign(document.createElement("canvas"), { width: 32, height: 32 });
      const brush = probe.getContext("2d");
      const [all, part] = [canvas.getBoundingClientRect(), pane.getBoundingClientRect()];
      const sharp = canvas.width / all.width;
      const place = [part.left - all.left, part.top - all.top, part.width, part.height].map((side) => side * sharp);
      brush?.drawImage(canvas, ...(place as [number, number, number, number]), 0, 0, 32, 32);
      const data = brush?.getImageData(0, 0, 32, 32).data ?? [];
      let bright = 0;
      for (let at = 0; at < data.length; at += 4) if (data[at]! > 40) bright++;
      return bright > 40;
    },
    name,
    { timeout: 180_000 },
  );

/** Two frames later nothing says any more that it is coarse. */
async function isFine(page: Page): Promise<void> {
  const frame = () => page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => done())));
  await frame();
  await frame();
  await page.getByText(t("viewer.rough"), { exact: true }).first().waitFor({ state: "detached", timeout: 180_000 });
}
