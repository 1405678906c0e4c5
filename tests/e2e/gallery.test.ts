import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../browser.ts";
import { Product } from "../product.ts";
import { Hand } from "./gallery-hand.ts";
import { galleryWorld, wipesMarks, type GalleryWorld } from "./gallery-world.ts";
import { worksScansByKeys, worksVolumeByKeys } from "./gallery-keys.ts";
import { seesFlat, seesModels, seesOthers } from "./gallery-others.ts";
import { seesFitted, seesLayouts, seesPicture, seesPlan, seesPlaneTools, seesRendering } from "./gallery-walks.ts";
import { keepsFailures } from "./looking.ts";
import { Person, narrow, wide } from "./person.ts";
import type { Language } from "./words.ts";

const walks = {
  "the picture": seesPicture,
  "every layout of the volume": seesLayouts,
  "the tools of its planes": seesPlaneTools,
  "arch, canal and implant": seesPlan,
  "the volume from outside": seesRendering,
  "a scan on the volume": seesFitted,
  "the scans": seesModels,
  "what there is without 3D": seesFlat,
  "comparison, mount, tracing and what a visitor sees": seesOthers,
};
const screens: readonly [Language, typeof wide][] = [
  ["zh", wide],
  ["en", wide],
  ["en", { width: 1024, height: 768 }],
  ["en", narrow],
  ["zh", narrow],
];

/** Pictures of every tool and layout, by mouse where the screen is wide and by fingers elsewhere. */
describe.skipIf(process.env["ARCADA_PROOF"] !== "full")("the gallery of the viewers", () => {
  const product = new Product({ LOGIN_STEP_UP: "off" });
  let browser: Browser;
  let world: GalleryWorld;
  beforeAll(async () => {
    [browser] = await Promise.all([launchBrowser(), product.start()]);
    world = await galleryWorld(product);
  }, 600_000);
  keepsFailures("gallery", () => browser);
  afterAll(async () => {
    await browser?.close();
    await product.remove();
  });

  it.each(Object.entries({ volume: worksVolumeByKeys, scans: worksScansByKeys }))(
    "works every tool of the %s by keys alone",
    { timeout: 900_000 },
    (_, walk) => goes(walk, "zh", wide),
  );

  for (const [language, viewport] of screens)
    it.each(Object.entries(walks))(`shows %s at ${viewport.width} in ${language}`, { timeout: 900_000 }, (_, walk) =>
      goes(walk, language, viewport),
    );

  async function goes(walk: Walk, language: Language, viewport: typeof wide): Promise<void> {
    await wipesMarks(product, world);
    const isTouch = viewport !== wide;
    const person = await Person.sitsDown(browser, product.address, language, { viewport, hasTouch: isTouch });
    await person.context.addCookies([{ name: "Admin-Token", value: world.token, url: product.address }]);
    const hand = new Hand(person, isTouch);
    await walk(hand, world);
    expect(hand.faults).toEqual([]);
    // The library for scans logs this without WebGL.
    expect(person.complaints.filter((one) => !one.includes("Error creating WebGL context"))).toEqual([]);
    await person.leaves();
  }
});

type Walk = (hand: Hand, world: GalleryWorld) => Promise<void>;
