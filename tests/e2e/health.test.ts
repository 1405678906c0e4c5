import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { launchBrowser } from "../browser.ts";
import { freePort, Product } from "../product.ts";
import { chartsByKeys, installsEngines, reviews } from "./health-analysis.ts";
import { laysOver, mergesAndTakesAlong, mountsByTouch, seesArabic } from "./health-record.ts";
import { reportsNothing, signsReport } from "./health-report.ts";
import { email, Walk } from "./health-walk.ts";
import { healthWorld, ModelServer, trialKeys } from "./health-world.ts";
import { keepsFailures } from "./looking.ts";

const walks = {
  "packs and model servers come in when they prove true, and say why when they do not": installsEngines,
  "what an engine suggests is accepted, edited or rejected by one key each, and stands in the chart": reviews,
  "the rest of the mouth is entered by keys, and the slider shows what it was": chartsByKeys,
  "two tracings lie one over the other": laysOver,
  "a report from the analyses is signed with a passkey and printed in both languages": signsReport,
  "of a mouth that nobody looked at, with no pack, 32 teeth are not assessed and there is no score": reportsNothing,
  "films are put into their places by fingers alone, by dragging and by tapping": mountsByTouch,
  "two records become one, and are two again; a record is taken along, and says who looked at it": mergesAndTakesAlong,
  "chart, tracing and report stand in Arabic from the right, by day and by night": seesArabic,
};

/** From the images to the signed report, with pictures of each page; for eyes, and so not in CI. */
describe.skipIf(process.env["ARCADA_PROOF"] !== "full")("a patient's health", () => {
  let browser: Browser;
  let models: ModelServer;
  let product: Product;
  let walk: Walk;
  beforeAll(async () => {
    models = await ModelServer.opens();
    const port = await freePort();
    const reach = { ENGINE_HOSTS: models.host, ENGINE_NETWORKS: "127.0.0.0/8" };
    product = new Product({
      PUBLIC_URL: `http://localhost:${port}`,
      LOGIN_STEP_UP: "off",
      TRIAL_KEYS: trialKeys,
      // An operator, who allows the clinic its packs.
      ARCADA_DEMO: "accounts",
      ...reach,
    });
    product.port = port;
    [browser] = await Promise.all([launchBrowser(), product.start()]);
    walk = new Walk(browser, product, await healthWorld(product, email), models);
  }, 600_000);
  keepsFailures("health", () => browser);
  afterAll(async () => {
    await browser?.close();
    models?.closes();
    await product?.remove();
  });

  it.each(Object.entries(walks))("%s", { timeout: 600_000 }, (_, goes) => goes(walk));
});
