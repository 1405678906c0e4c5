import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import type { Browser, Page } from "playwright-core";

const sources = path.join(import.meta.dirname, "../../../packages/imaging/src");
const origin = "http://localhost:1";

/**
 * Opens a page that loads modules of packages/imaging as they are in the sources: `script` imports them by paths such as
 * `/gl/volume-renderer.ts` and stores what it uses in `globalThis.sources`.
 */
export async function openSourcePage(browser: Browser, script: string): Promise<Page> {
  const page = await browser.newPage();
  await page.route(`${origin}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    if (!pathname.endsWith(".ts"))
      return route.fulfill({
        body: `<!doctype html><script type="module">${script}</script>`,
        contentType: "text/html",
      });
    const code = stripTypeScriptTypes(readFileSync(path.join(sources, pathname), "utf8"));
    return route.fulfill({ body: code, contentType: "text/javascript" });
  });
  await page.goto(origin);
  await page.waitForFunction(() => "sources" in globalThis);
  return page;
}
