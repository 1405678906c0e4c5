import type { Locator } from "playwright-core";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import { takeOrderAction } from "./order-steps.ts";
import type { BrowserUser } from "./browser-user.ts";

/** The key of a text, and the values for its placeholders. */
type TextKey = readonly [key: string, values?: Record<string, number>];

/** Performs a step by its dialog. Returns the time (ms) until the other side's page showed the result. */
export async function actAndMeasureDelay(
  by: BrowserUser,
  other: BrowserUser,
  action: OrderAction,
  expectedText: TextKey,
  fillDialog?: (dialog: Locator, person: BrowserUser) => Promise<unknown>,
): Promise<number> {
  const words = other.t(...expectedText);
  const noticed = other.page.evaluate(waitForText, words);
  // If the step itself fails, its error is the one to report.
  noticed.catch(() => {});
  await takeOrderAction(by, action, fillDialog && ((dialog) => fillDialog(dialog, by)));
  const answered = await by.page.evaluate(() => {
    const steps = performance.getEntriesByType("resource").filter(({ name }) => name.includes("/v1/order/step"));
    const last = steps.at(-1) as PerformanceResourceTiming | undefined;
    return performance.timeOrigin + (last?.responseEnd ?? 0);
  });
  return Math.max(0, Math.round((await noticed) - answered));
}

/** Resolves with the time at which these words first appear on the page from now on. */
function waitForText(words: string): Promise<number> {
  const count = () => document.querySelector("main")?.innerText.split(words).length ?? 0;
  const before = count();
  return new Promise((resolve) => {
    const watch = new MutationObserver(() => {
      if (count() <= before) return;
      watch.disconnect();
      resolve(performance.timeOrigin + performance.now());
    });
    watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}
