import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { Journey } from "./support/journey.ts";
import { listMissingRealFiles, readRealTestFiles } from "./support/test-files.ts";

// The journey on generated images takes the same steps and more; `npm run proof` repeats them on real ones.
const isFull = process.env.ARCADA_PROOF === "full";
const missing = listMissingRealFiles();
if (isFull && missing.length > 0)
  console.info(`The journey on real images is skipped: ${missing.join(", ")} is not there (ARCADA_TEST_DATA)`);

describe.skipIf(!isFull || missing.length > 0)("the main job on real images", () => {
  const product = new Product();
  let browser: Browser;
  let journey: Journey;
  beforeAll(async () => {
    [browser] = await Promise.all([launchBrowser(), product.start()]);
    journey = await Journey.open(browser, product, await readRealTestFiles(), "real-");
  });
  beforeEach(({ onTestFailed }) => onTestFailed(() => journey.captureFailure()));
  afterAll(async () => {
    await browser?.close();
    await product.remove();
  });

  it("brings a clinic and a lab together", () => journey.registerAndRelateBoth());
  it("imports a patient's images and recognises them", { timeout: 180_000 }, () => journey.uploadImages());
  it("shows the panorama and measures on it", () => journey.checkPanorama());
  it("shows the three planes of the CT in full quality", () => journey.checkCt());
  it("shows the scans in 3D", () => journey.checkScans());
  it("causes no console errors", () => {
    expect([...journey.dentist.consoleProblems, ...journey.lab.consoleProblems]).toEqual([]);
  });
});
