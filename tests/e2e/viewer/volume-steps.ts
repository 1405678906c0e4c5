import { expect } from "vitest";
import type { Locator, Page } from "playwright-core";
import { getBox, expectImageChange, waitUntilDrawn, type Box } from "../support/screen-pixels.ts";
import type { BrowserUser } from "../support/browser-user.ts";
import { present } from "@arcada/testing/require-present";

/**
 * On the open CT: planes are rotated by keyboard, an oblique length equals the distance of the shown coordinates, and
 * its plane is found again.
 */
export async function measureObliquely(person: BrowserUser): Promise<void> {
  const { page } = person;
  const coronal = plane(person, "coronal");
  await page.keyboard.press("r");
  await plane(person, "axial").focus();
  await expectImageChange(coronal, () => page.keyboard.press("Shift+X"));
  await person.waitFor(rotationSlider(person, "axial").and(page.locator("[aria-valuenow='10']")));
  await page.keyboard.press("l");
  const [from, to] = [await readPatientPosition(coronal, 0.35, 0.4), await readPatientPosition(coronal, 0.6, 0.55)];
  await page.mouse.move(...from.at);
  await page.mouse.down();
  await page.mouse.move(...to.at, { steps: 4 });
  await page.mouse.up();
  const length = Math.hypot(...from.place.map((value, axis) => value - (to.place[axis] ?? NaN)));
  const drawn = coronal.locator("svg text").filter({ hasText: /^\d+[.,]\d\d\s/ });
  const off = async () => Number.parseFloat(((await drawn.first().textContent()) ?? "").replace(",", ".")) - length;
  await expect.poll(async () => Math.abs(await off())).toBeLessThan(0.2);
  const coordinates = present(await drawn.first().textContent());
  await person.waitFor(person.text("viewer.marks.saved"));
  await person.takeScreenshots("ct-turned");
  const annotation = coronal.getByRole("button", { name: coordinates });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+R");
  await page.keyboard.press("d");
  await annotation.waitFor({ state: "detached" });
  await page
    .getByRole("list", { name: person.t("viewer.marks.title") })
    .getByRole("button")
    .first()
    .click();
  await person.waitFor(annotation);
  await page.keyboard.press("d");
  await page.keyboard.press("c");
  await person.waitFor(rotationSlider(person, "axial").and(page.locator("[aria-valuenow='10']")));
}

/** The joints are shown side by side; the layout is remembered, and the second opening downloads no images. */
export async function reopenFromCache(person: BrowserUser): Promise<void> {
  const { page } = person;
  const requests = recordRequests(page);
  await chooseLayout(person, "tmj");
  const joint = page.getByRole("group", { name: jointName(person, "left"), exact: true });
  await waitUntilDrawn(joint);
  await person.takeScreenshots("ct-joints");
  await page.reload();
  await page.getByText(person.t("viewer.stage.full"), { exact: true }).first().waitFor();
  await joint.waitFor();
  expect(requests).toEqual([]);
  await chooseLayout(person, "mpr");
}

/**
 * A selected panorama is shown with its cross-sections before the app is loaded; the app's own viewer then replaces it.
 */
export async function checkPanoramaFirstPaint(person: BrowserUser): Promise<void> {
  await chooseLayout(person, "panorama");
  const cell = await checkArchFirstPaint(person, /\/assets\/ct-viewer-/, "ct-panorama-ahead");
  // As before the app is loaded, the selected cross-section is in the middle of the others.
  expect(await cell.getAttribute("aria-current")).toBe("false");
  await chooseLayout(person, "mpr");
}

/**
 * Reloads a CBCT that shows its panorama and cross-sections: both are painted over the page while the files of these
 * addresses are held back, and the viewer replaces them. Returns the first cross-section.
 */
export async function checkArchFirstPaint(
  person: BrowserUser,
  heldFiles: RegExp,
  screenshot: string,
): Promise<Locator> {
  const { page } = person;
  const viewport = page.getByRole("group", { name: person.t("viewer.pane.panorama"), exact: true });
  const cell = page
    .getByRole("group", { name: person.t("viewer.pane.section"), exact: true })
    .getByRole("group")
    .first();
  await waitUntilDrawn(viewport);
  await waitUntilDrawn(cell);
  const boxes = [await getBox(viewport), await getBox(cell)];
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route(heldFiles, async (route) => {
    await held;
    await route.continue();
  });
  await page.reload({ waitUntil: "commit" });
  const firstPaintCanvas = page.locator("body > div[aria-hidden=true] > canvas");
  for (const box of boxes)
    await expect
      .poll(async () => (await Promise.all((await firstPaintCanvas.all()).map(getBox))).some(hasSameBox(box)))
      .toBe(true);
  for (const canvas of await firstPaintCanvas.all()) await waitUntilDrawn(canvas);
  await person.takeScreenshots(screenshot);
  letGo();
  await firstPaintCanvas.first().waitFor({ state: "detached" });
  await waitUntilDrawn(viewport);
  await waitUntilDrawn(cell);
  await page.unroute(heldFiles);
  return cell;
}

const hasSameBox =
  (box: Box) =>
  (found: Box): boolean =>
    (["x", "y", "width", "height"] as const).every((side) => Math.abs(found[side] - box[side]) < 2);

/** Leaving the viewer while a volume loads cancels the remaining requests. */
export async function checkCancelledRequests(person: BrowserUser): Promise<void> {
  const { page } = person;
  const requests = recordRequests(page);
  await page.evaluate(() => caches.delete("arcada.files"));
  // No response arrives before the viewer is closed. One that arrives then must not lead to requests for missing data.
  const { promise: gone, resolve: isGone } = Promise.withResolvers<void>();
  await page.route(/\/files\/converted\//, async (route) => {
    await gone;
    await route.continue().catch(() => {});
  });
  await page.reload();
  await expect.poll(() => requests.length).toBeGreaterThan(0);
  const back = page.getByRole("link", { name: person.t("viewer.backToPatient") });
  await back.click();
  // The address changes first; the viewer remains, and loads, until the next page is loaded.
  await back.waitFor({ state: "detached" });
  await page.getByRole("main").getByRole("heading").first().waitFor();
  const begun = requests.length;
  isGone();
  await page.waitForTimeout(1200);
  expect(requests.length).toBe(begun);
  await page.unroute(/\/files\/converted\//);
}

/** The addresses of files that scripts fetch from now on. */
function recordRequests(page: Page): string[] {
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.resourceType() === "fetch" && pathname.startsWith("/files/converted/")) requests.push(pathname);
  });
  return requests;
}

const plane = (person: BrowserUser, name: "axial" | "coronal"): Locator =>
  person.page.getByRole("group", { name: person.t(`viewer.plane.${name}`), exact: true });

const rotationSlider = (person: BrowserUser, name: "axial"): Locator =>
  person.page.getByRole("slider", {
    name: person.t("viewer.turn.handle", { plane: person.t(`viewer.plane.${name}`) }),
  });

const jointName = (person: BrowserUser, side: "left" | "right"): string =>
  person.t(`viewer.joint.${side}`, { plane: person.t("viewer.plane.sagittal") });

/** Selects another layout of viewports. */
export async function chooseLayout(person: BrowserUser, layout: string): Promise<void> {
  await person.button("viewer.layout.title").click();
  await person.page.getByRole("menuitem", { name: person.t(`viewer.layout.${layout}`), exact: true }).click();
}

/**
 * Returns the screen coordinates of a point in a viewport, and the patient coordinates that the viewport shows for it.
 */
export async function readPatientPosition(
  viewport: Locator,
  across: number,
  down: number,
): Promise<{ at: [number, number]; place: number[] }> {
  const { x, y, width, height } = await getBox(viewport);
  const at: [number, number] = [x + width * across, y + height * down];
  const coordinates = viewport.getByText(/^-?[\d.,]+ \/ -?[\d.,]+ \/ -?[\d.,]+/);
  // Wait until the coordinates of an earlier point disappear.
  await viewport.page().mouse.move(5, 5);
  await coordinates.waitFor({ state: "detached" });
  await viewport.page().mouse.move(...at);
  const words = await coordinates.innerText();
  return { at, place: words.split("/").map((part) => Number.parseFloat(part.trim().replace(",", "."))) };
}
