import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { isBrief } from "./support/browser-user.ts";
import { Journey } from "./support/journey.ts";
import { generateTestFiles } from "./support/test-files.ts";

const product = new Product();
let browser: Browser;
let journey: Journey;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  journey = await Journey.open(browser, product, await generateTestFiles());
});
beforeEach(({ onTestFailed }) => onTestFailed(() => journey.captureFailure()));
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

describe("the main job on generated images", () => {
  it("brings a clinic and a lab together", () => journey.registerAndRelateBoth());
  it("imports a patient's images and recognises them", { timeout: 180_000 }, () => journey.uploadImages());
  it("shows the panorama and measures on it", () => journey.checkPanorama());
  it("shows the three planes of the CT in full quality", () => journey.checkCt());
  it("turns its planes, opens it again without the line, and plans along its arch", () => journey.useCtTools());
  it.skipIf(isBrief)("paints it before the application is loaded, and requests nothing more once it is closed", () =>
    journey.reopenCt(),
  );
  it("shows the CT from outside and exports its surface", () => journey.checkRendering());
  it("shows the scans in 3D", () => journey.checkScans());
  it("carries an order from the prescription to its receipt", { timeout: 240_000 }, () => journey.completeOrder());
  it("causes no console errors", () => {
    expect([...journey.dentist.consoleProblems, ...journey.lab.consoleProblems]).toEqual([]);
  });
});
