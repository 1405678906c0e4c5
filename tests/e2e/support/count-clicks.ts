import type { BrowserUser } from "./browser-user.ts";

/** Counts the clicks of a person while something is done. */
export async function countClicks({ page }: BrowserUser, act: () => Promise<unknown>): Promise<number> {
  let clicks = 0;
  const name = `countClick${Date.now()}`;
  await page.exposeFunction(name, () => void (clicks += 1));
  await page.evaluate(
    (exposed) =>
      addEventListener(
        "click",
        // A click on a label is followed by one of its field, which nobody makes.
        ({ detail }) => detail > 0 && (window as unknown as Record<string, () => void>)[exposed]?.(),
        true,
      ),
    name,
  );
  await act();
  return clicks;
}
