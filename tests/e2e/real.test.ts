import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser } from "../browser.ts";
import { Product } from "../product.ts";
import { Journey } from "./journey.ts";
import { missingRealFiles, realMaterial } from "./material.ts";

const missing = missingRealFiles();
if (missing.length > 0)
  console.info(`The journey on real images is skipped: ${missing.join(", ")} is not there (ARCADA_TEST_DATA)`);

describe.skipIf(missing.length > 0)("the main job on real images", () => {
  const product = new Product();
  let browser: Browser;
  let journey: Journey;
  beforeAll(async () => {
    [browser] = await Promise.all([launchBrowser(), product.start()]);
    journey = await Journey.begins(browser, product, await realMaterial(), "real-");
  });
  beforeEach(({ onTestFailed }) => onTestFailed(() => journey.shootsWhatFailed()));
  afterAll(async () => {
    await browser?.close();
    await product.remove();
  });

  it("brings a clinic and a lab together", () => journey.bothRegisterAndRelate());
  it("takes a patient's images in and recognises them", { timeout: 180_000 }, () => journey.dentistTakesImagesIn());
  it("shows the panorama and measures on it", () => journey.readsPanorama());
  it("shows the three planes of the CT in full quality", () => journey.readsCt());
  it("shows the scans in 3D", () => journey.readsScans());
  it("gives no console anything to complain about", () => {
    expect([...journey.dentist.complaints, ...journey.lab.complaints]).toEqual([]);
  });
});
