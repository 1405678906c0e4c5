import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { freePort, Product } from "@arcada/testing/setup/product-process";
import { editChartByKeyboard, installEngines, reviewSuggestions } from "./health/analysis-steps.ts";
import {
  checkSuperimposition,
  mergeAndExportRecord,
  fillMountByTouch,
  captureArabicPages,
} from "./health/superimposition-mount-merge-steps.ts";
import { reportWithoutFindings, signReport } from "./health/report-steps.ts";
import { email, HealthTour } from "./health/health-tour.ts";
import { setupHealthRecord, ModelServer, trialKeys } from "./health/health-setup.ts";
import { captureFailures } from "./support/page-checks.ts";

const steps = {
  "packs and model servers come in when they prove true, and say why when they do not": installEngines,
  "what an engine suggests is accepted, edited or rejected by one key each, and stands in the chart": reviewSuggestions,
  "the rest of the mouth is entered by keys, and the slider shows what it was": editChartByKeyboard,
  "two tracings lie one over the other": checkSuperimposition,
  "a report from the analyses is signed with a passkey and printed in both languages": signReport,
  "of a mouth that nobody looked at, with no pack, 32 teeth are not assessed and there is no score":
    reportWithoutFindings,
  "films are put into their places by fingers alone, by dragging and by tapping": fillMountByTouch,
  "two records become one, and are two again; a record is taken along, and says who looked at it": mergeAndExportRecord,
  "chart, tracing and report stand in Arabic from the right, by day and by night": captureArabicPages,
};

/**
 * This suite covers the path from the images to the signed report with screenshots of each page. People review them, so
 * it does not run in CI.
 */
describe.skipIf(process.env["ARCADA_PROOF"] !== "full")("a patient's health", () => {
  let browser: Browser;
  let models: ModelServer;
  let product: Product;
  let tour: HealthTour;
  beforeAll(async () => {
    models = await ModelServer.open();
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
    tour = new HealthTour(browser, product, await setupHealthRecord(product, email), models);
  }, 600_000);
  captureFailures("health", () => browser);
  afterAll(async () => {
    await browser?.close();
    models?.close();
    await product?.remove();
  });

  it.each(Object.entries(steps))("%s", { timeout: 600_000 }, (_, run) => run(tour));
});
