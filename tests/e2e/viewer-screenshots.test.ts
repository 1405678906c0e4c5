import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { GalleryUser } from "./viewer-screenshots/screenshot-user.ts";
import { setupGallery, clearAnnotations, type GallerySetup } from "./viewer-screenshots/screenshot-setup.ts";
import { tryScansByKeyboard, tryVolumeByKeyboard } from "./viewer-screenshots/try-tools-by-keyboard.ts";
import {
  captureWithoutWebGl,
  captureModels,
  captureOtherPages,
} from "./viewer-screenshots/capture-scans-and-other-pages.ts";
import {
  captureRegisteredScan,
  captureLayouts,
  captureImagePage,
  capturePlanning,
  capturePlaneTools,
  captureRendering,
} from "./viewer-screenshots/capture-images-and-ct.ts";
import { captureFailures } from "./support/page-checks.ts";
import { BrowserUser, narrow, wide } from "./support/browser-user.ts";
import type { Language } from "./support/translations.ts";

const tours = {
  "the picture": captureImagePage,
  "every layout of the volume": captureLayouts,
  "the tools of its planes": capturePlaneTools,
  "arch, canal and implant": capturePlanning,
  "the volume from outside": captureRendering,
  "a scan on the volume": captureRegisteredScan,
  "the scans": captureModels,
  "what there is without 3D": captureWithoutWebGl,
  "comparison, mount, tracing and what a visitor sees": captureOtherPages,
};
const screens: readonly [Language, typeof wide][] = [
  ["zh", wide],
  ["en", wide],
  ["en", { width: 1024, height: 768 }],
  ["en", narrow],
  ["zh", narrow],
];

/** This suite captures every tool and layout, by mouse on wide screens and by touch elsewhere. */
describe.skipIf(process.env["ARCADA_PROOF"] !== "full")("the gallery of the viewers", () => {
  const product = new Product({ LOGIN_STEP_UP: "off" });
  let browser: Browser;
  let setup: GallerySetup;
  beforeAll(async () => {
    [browser] = await Promise.all([launchBrowser(), product.start()]);
    setup = await setupGallery(product);
  }, 600_000);
  captureFailures("gallery", () => browser);
  afterAll(async () => {
    await browser?.close();
    await product.remove();
  });

  it.each(Object.entries({ volume: tryVolumeByKeyboard, scans: tryScansByKeyboard }))(
    "works every tool of the %s by keys alone",
    { timeout: 900_000 },
    (_, walk) => run(walk, "zh", wide),
  );

  for (const [language, viewport] of screens)
    it.each(Object.entries(tours))(`shows %s at ${viewport.width} in ${language}`, { timeout: 900_000 }, (_, walk) =>
      run(walk, language, viewport),
    );

  async function run(walk: Tour, language: Language, viewport: typeof wide): Promise<void> {
    await clearAnnotations(product, setup);
    const isTouch = viewport !== wide;
    const person = await BrowserUser.open(browser, product.address, language, { viewport, hasTouch: isTouch });
    await person.context.addCookies([{ name: "Admin-Token", value: setup.token, url: product.address }]);
    const user = new GalleryUser(person, isTouch);
    await walk(user, setup);
    expect(user.faults).toEqual([]);
    // The library for scans logs this without WebGL.
    expect(person.consoleProblems.filter((one) => !one.includes("Error creating WebGL context"))).toEqual([]);
    await person.close();
  }
});

type Tour = (user: GalleryUser, setup: GallerySetup) => Promise<void>;
