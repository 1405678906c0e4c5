import type { Page } from "playwright-core";

const mark = "&coarse";

/**
 * Gives every scan in the answers of this address a coarse copy, and holds up its surface. The scans of journeys are too
 * small for a coarse copy: the file of their streaming copy serves as both. Reload the page afterwards. The returned
 * function lets the surfaces come.
 */
export async function holdSurfaces(page: Page, path: string): Promise<() => Promise<void>> {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**${path}*`, async (route) => {
    const response = await route.fetch();
    const withCoarse = (key: string, value: { url: string } | null) =>
      key === "glb" && value ? { ...value, coarse: { ...value, url: value.url + mark } } : value;
    await route.fulfill({ response, body: JSON.stringify(JSON.parse(await response.text(), withCoarse)) });
  });
  await page.route("**/model.glb*", async (route) => {
    const url = route.request().url();
    if (!url.endsWith(mark)) await isReleased;
    await route.continue({ url: url.replace(mark, "") });
  });
  return async () => {
    release();
    await page.unrouteAll({ behavior: "wait" });
  };
}
