import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { screens } from "@arcada/contract/screens";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { createIntraoralRadiograph } from "@arcada/phantom/radiograph/intraoral-radiograph";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createPanorama } from "@arcada/phantom/radiograph/panorama";
import { createArchScan } from "@arcada/phantom/scan/arch-scan";
import { craftZip } from "../../apps/server/src/ingest/archive/crafted-zip.ts";
import {
  getArrangement,
  layoutNames,
  getViewportDefinition,
  listViewportIds,
  type LayoutName,
} from "../../apps/web/src/viewer/ct-core/viewport-layouts.ts";
import { waitForIngest } from "../../demo/wait-for-ingest.ts";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { checkCoarseVolume, checkGraphicsMemoryLimit } from "./viewer/graphics-memory.ts";
import { findAxeViolations, captureFailures, findLastingFaults, checkPage } from "./support/page-checks.ts";
import { BrowserUser, narrow, wide } from "./support/browser-user.ts";
import { checkShortcuts } from "./viewer/check-shortcuts.ts";
import { enterMode, toolButton } from "./viewer/choose-tool.ts";
import { checkModesOfImage, checkPromptsOfImplant } from "./viewer/mode-steps.ts";
import { placeRadiograph } from "./viewer/fill-mount-by-touch.ts";
import { getBox, waitUntilDrawn } from "./support/screen-pixels.ts";
import { checkArchFirstPaint, chooseLayout } from "./viewer/volume-steps.ts";
import { imageTools, toolsOfEveryKind, tryEveryToolByKeyboard } from "./viewer/tool-keyboard.ts";
import type { Language } from "./support/translations.ts";
import { present } from "@arcada/testing/require-present";

/** In the full run, outside CI, every kind of view is captured. */
const isFull = process.env["ARCADA_PROOF"] === "full";
const tablet = { width: 1024, height: 768 };
const product = new Product({ LOGIN_STEP_UP: "off" });
let browser: Browser;
let token = "";
let patient = "";
const studies: Record<"panorama" | "ct" | "model" | "film", string> = { panorama: "", ct: "", model: "", film: "" };

beforeAll(async () => {
  // Made before anything waits for an answer: it keeps the processor busy for seconds.
  const files = createFiles();
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  const first = await product.register("viewers@clinic.test", "clinicManager");
  const clinic = { name: "Morning", type: "clinic", country: "CN" } as const;
  const { id: iid } = await product.call(institutionCalls.create, clinic, { token: first });
  ({ token } = await product.call(institutionCalls.switch, { iid }, { token: first }));
  const person = { name: "王芳", sex: "female", birthDate: "1985-09-09" } as const;
  ({ id: patient } = await product.call(patientCalls.create, person, { token }));
  [studies.panorama, studies.ct, studies.model, studies.film] = await Promise.all([
    importStudy("panorama.dcm", files.panorama),
    importStudy("ct.zip", files.ct),
    importStudy("lower.stl", files.model),
    importStudy("film.dcm", files.film),
  ]);
}, 300_000);
captureFailures("viewers", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

function createFiles() {
  const head = makeHead("viewers");
  const who = { id: "7", name: "Wang^Fang", sex: "F", birthDate: "19850909" } as const;
  const size = { columns: 96, rows: 96, slices: 72, voxel: 1.6 };
  const visit = (key: string) => ({ key, description: key });
  const slices = [...createCbctFiles(head, who, { size, study: visit("ct") })];
  return {
    panorama: createPanorama(head, who, visit("panorama")).bytes,
    film: createIntraoralRadiograph(head, who).bytes,
    ct: craftZip(slices.map(({ name, bytes }) => ({ name, data: bytes }))),
    model: writeStl(createArchScan(head, "lower")),
  };
}

async function importStudy(name: string, bytes: Uint8Array): Promise<string> {
  const uploads = [await product.upload(token, name, bytes)];
  const { id } = await product.call(uploadJobCalls.open, { patientId: patient, uploads }, { token });
  const job = await waitForIngest(() => product.call(uploadJobCalls.job, { id }, { token }));
  return job.studies[0];
}

/** A dentist who has signed in already. */
async function openDentist(
  language: Language,
  more: { hasTouch?: boolean; viewport?: typeof wide } = {},
): Promise<BrowserUser> {
  const person = await BrowserUser.open(browser, product.address, language, more);
  await person.context.addCookies([{ name: "Admin-Token", value: token, url: product.address }]);
  return person;
}

const groupByName = ({ page }: BrowserUser, name: string): Locator => page.getByRole("group", { name, exact: true });

/** Checks that the page is accessible and nothing is wider than the screen; outside CI, captures it, too. */
async function checkViewerPage(person: BrowserUser, name: string): Promise<void> {
  if (isFull) return checkPage(person, `viewers-${name}`);
  const faults = await findLastingFaults(async () => [
    ...(await findAxeViolations(person.page, "main", "[role=dialog]")),
    ...(await person.findSidewaysScroll()),
  ]);
  expect(faults, name).toEqual([]);
}

async function checkImagePage(person: BrowserUser): Promise<void> {
  await person.goTo(`/viewer?study=${studies.panorama}`);
  await waitUntilDrawn(person.page.locator("canvas").first());
  await checkViewerPage(person, "picture");
}

/** The viewer covers the shell until Escape, and its strip leads to the patient's other studies. */
async function checkFullWindow(person: BrowserUser): Promise<void> {
  const { page, t } = person;
  const shell = page.getByRole("banner");
  expect(await shell.isVisible()).toBe(false);
  await page.keyboard.press("Escape");
  await shell.waitFor();
  await page.keyboard.press("Shift+F");
  await shell.waitFor({ state: "hidden" });
  const strip = page.getByRole("navigation", { name: t("viewer.patientStrip.title") });
  expect(await strip.getByRole("link").count()).toBe(Object.keys(studies).length);
  await strip.getByRole("link", { name: t("study.kind.dentalFilm") }).click();
  await page.waitForURL((url) => url.searchParams.get("study") === studies.film);
}

async function checkCt(person: BrowserUser): Promise<void> {
  await person.goTo(`/viewer?study=${studies.ct}`);
  await person.page.getByText(person.t("viewer.stage.full"), { exact: true }).first().waitFor();
}

/** A menu whose code arrives late opens at the first press of a key, and its button has the focus again afterwards. */
async function checkMenuByKeyboard(person: BrowserUser): Promise<void> {
  const { page, t } = person;
  await page.route("**/toolbar-overlays*.js", async (route) => {
    await new Promise((resume) => setTimeout(resume, 500));
    await route.continue();
  });
  const button = toolButton(person, "viewer.layout.title");
  await button.focus();
  await page.keyboard.press("Enter");
  const item = page.getByRole("menuitem", { name: t("viewer.layout.mpr"), exact: true });
  await item.waitFor();
  await page.keyboard.press("ArrowDown");
  await page.locator("[role=menuitem]:focus").waitFor();
  await page.keyboard.press("Escape");
  await item.waitFor({ state: "detached" });
  await expect.poll(() => button.evaluate((own) => own === document.activeElement)).toBe(true);
}

/** Returns the names of the viewports that a wide screen shows side by side. */
function viewportNames({ t }: BrowserUser, layout: LayoutName): string[] {
  return listViewportIds(getArrangement(layout, wide.width))
    .map(getViewportDefinition)
    .map(({ kind: viewport, side }) => {
      if (viewport === "panorama" || viewport === "section" || viewport === "render")
        return t(`viewer.pane.${viewport}`);
      const plane = t(`viewer.plane.${viewport}`);
      return side ? t(`viewer.joint.${side}`, { plane }) : plane;
    });
}

/** Switches through all layouts. */
async function checkLayouts(person: BrowserUser): Promise<void> {
  const { page } = person;
  for (const layout of [...layoutNames.slice(1), ...layoutNames.slice(0, 1)]) {
    await page.keyboard.press("y");
    if (present(page.viewportSize()).width === wide.width) {
      for (const name of viewportNames(person, layout)) await person.waitFor(groupByName(person, name));
      const drawn = groupByName(
        person,
        present(viewportNames(person, layout).find((name) => name !== person.t("viewer.pane.render"))),
      );
      await waitUntilDrawn(drawn);
      await page.getByText(person.t("viewer.rough"), { exact: true }).first().waitFor({ state: "detached" });
    }
    await checkViewerPage(person, `ct-${layout}`);
  }
}

async function checkOtherPages(person: BrowserUser): Promise<void> {
  await person.goTo(`/viewer?study=${studies.model}`);
  await waitUntilDrawn(groupByName(person, person.t("viewer.kind.models")));
  await checkViewerPage(person, "model");
  if (present(person.page.viewportSize()).width === wide.width) await checkShortcuts(person, 15);
  await person.goTo(`${screens.compare.path}?patient=${patient}`);
  await waitUntilDrawn(person.page.locator("canvas").first());
  await checkViewerPage(person, "compare");
  await person.goTo(`${screens.filmMount.path}?patient=${patient}`);
  await person.page.locator("img").first().waitFor();
  await checkViewerPage(person, "mount");
}

describe("the viewers", () => {
  it("show every kind of image and every layout to everybody", async () => {
    for (const language of isFull ? (["zh", "en"] as const) : (["zh"] as const))
      for (const viewport of isFull ? [wide, tablet, narrow] : [wide]) {
        const person = await openDentist(language, { viewport, hasTouch: viewport !== wide });
        await checkImagePage(person);
        await checkFullWindow(person);
        await checkCt(person);
        if (viewport === wide) await checkShortcuts(person, 25);
        await checkLayouts(person);
        await checkOtherPages(person);
        expect(person.consoleProblems).toEqual([]);
        await person.close();
      }
  });

  it("select every tool by its shortcut, list the keys in the help and promise none twice", async () => {
    const person = await openDentist("en");
    const { page } = person;
    await person.goTo(`/viewer?study=${studies.panorama}`);
    await waitUntilDrawn(page.locator("canvas").first());
    await checkShortcuts(person, 25);
    for (const [key, name] of [
      ["h", "pan"],
      ["l", "length"],
      ["a", "angle"],
      ["w", "window"],
    ] as const) {
      await page.keyboard.press(key);
      await person.waitFor(toolButton(person, `viewer.tool.${name}`).and(page.locator("[aria-pressed=true]")));
    }
    // Without a pointer a length is placed in the middle. It takes the selected colour, and undo reverts the appearance
    // first.
    await page.keyboard.press("l");
    await page.keyboard.press("Enter");
    await person.waitFor(page.locator("svg text").filter({ hasText: /\d\smm/ }));
    await toolButton(person, "viewer.marks.colour").click();
    await page.getByRole("button", { name: person.t("viewer.marks.colours.red"), exact: true }).click();
    await page.keyboard.press("Escape");
    await person.waitFor(person.text("viewer.marks.saved"));
    await page.keyboard.press("w");
    await page.keyboard.press("i");
    const inverted = toolButton(person, "viewer.invert");
    await person.waitFor(inverted.and(page.locator("[aria-pressed=true]")));
    await page.keyboard.press("Control+z");
    await person.waitFor(inverted.and(page.locator("[aria-pressed=false]")));
    expect(
      await page
        .locator("svg text")
        .filter({ hasText: /\d\smm/ })
        .count(),
    ).toBe(1);
    await page.keyboard.press("Control+Shift+z");
    await person.waitFor(inverted.and(page.locator("[aria-pressed=true]")));
    expect(person.consoleProblems).toEqual([]);
    await person.close();
  });

  it("show at most eight labelled tools of a mode in one line, and find the others by a search", async () => {
    const person = await openDentist("en");
    await person.goTo(`/viewer?study=${studies.panorama}`);
    await checkModesOfImage(person);
    expect(person.consoleProblems).toEqual([]);
    await person.close();
  });

  it("ask for each click of an implant and show it below the pointer, in the layout with which a CBCT opens", async () => {
    const person = await openDentist("en");
    await checkCt(person);
    for (const name of viewportNames(person, "implant")) await person.waitFor(groupByName(person, name));
    await checkPromptsOfImplant(person);
    expect(person.consoleProblems).toEqual([]);
    await person.close();
  });

  it("request each answer once while a CBCT opens, and measure the connection on a page without images", async () => {
    const person = await openDentist("en");
    const { page, t } = person;
    const calls: string[] = [];
    page.on("request", (request) => calls.push(new URL(request.url()).pathname));
    const count = (call: string) => calls.filter((path) => path === `/v1/${call}`).length;
    // Its events repeat calls whenever other studies arrive.
    await page.route("**/v1/notice/stream*", (route) => route.fulfill({ status: 204 }));
    await checkCt(person);
    await checkMenuByKeyboard(person);
    // A measurement starts four seconds after a page without images.
    await page.waitForFunction(() => performance.now() > 8000);
    expect({ detail: count("study/detail"), marks: count("study/marks"), speed: count("base/speedProbe") }).toEqual({
      detail: 1,
      marks: 1,
      speed: 0,
    });
    await page.getByRole("link", { name: t("viewer.backToPatient") }).click();
    await expect.poll(() => count("base/speedProbe"), { timeout: 20_000 }).toBe(1);
    expect(person.consoleProblems).toEqual([]);
    await person.close();
  });

  it("show panorama and cross-sections of a CBCT before its preview has come", async () => {
    const person = await openDentist("en");
    const { page } = person;
    await page.goto(`${product.address}${screens.ctViewer.path}?study=${studies.ct}`);
    await page.getByText(person.t("viewer.stage.full"), { exact: true }).first().waitFor();
    await page.evaluate(() => caches.delete("arcada.files"));
    await checkArchFirstPaint(person, /\/preview\.i16/, "ct-stored-arch");
    expect(person.consoleProblems).toEqual([]);
    await person.close();
  });

  it("draw, move, delete and restore with every tool by keyboard alone", async () => {
    const person = await openDentist("en");
    await person.goTo(`/viewer?study=${studies.film}`);
    await waitUntilDrawn(person.page.locator("canvas").first());
    await tryEveryToolByKeyboard(person, isFull ? imageTools : toolsOfEveryKind);
    expect(person.consoleProblems).toEqual([]);
    await person.close();
  });

  it("are operated by touch on a small screen", async () => {
    const person = await openDentist("zh", { viewport: narrow, hasTouch: true });
    const { page } = person;
    await checkImagePage(person);
    const { x, y, width, height } = await getBox(page.locator("canvas").first());
    const taps = (right: number, down: number) => page.touchscreen.tap(x + width * right, y + height * down);
    // Points that were placed with another tool do not count.
    await enterMode(person, "measure");
    await toolButton(person, "viewer.tool.angle").tap();
    await taps(0.2, 0.3);
    await toolButton(person, "viewer.tool.length").tap();
    await taps(0.3, 0.4);
    await taps(0.7, 0.5);
    await person.waitFor(page.locator("svg text").filter({ hasText: /\d\smm/ }));
    await checkCt(person);
    await toolButton(person, "viewer.layout.title").tap();
    await page.getByRole("menuitem", { name: person.t("viewer.layout.panorama"), exact: true }).tap();
    for (const viewport of ["panorama", "section"]) {
      const choice = page.getByRole("radiogroup").getByText(person.t(`viewer.pane.${viewport}`), { exact: true });
      // The layout shows its main viewport at once.
      if (viewport !== "panorama") await choice.tap();
      await waitUntilDrawn(groupByName(person, person.t(`viewer.pane.${viewport}`)));
      await checkViewerPage(person, `ct-fingers-${viewport}`);
    }
    await placeRadiograph(person, patient);
    await checkViewerPage(person, "mount-fingers");
    expect(person.consoleProblems).toEqual([]);
    await person.close();
  });

  it("show a volume that is too large at a reduced resolution, and recover from a lost graphics context", async () => {
    const person = await openDentist("en");
    await checkCoarseVolume(person, `/viewer?study=${studies.ct}`);
    await person.close();
  });

  it("report that a volume exceeds the graphics memory, and show it more coarsely on a retry", async () => {
    const person = await openDentist("en");
    await checkGraphicsMemoryLimit(person, `/viewer?study=${studies.ct}`, () => checkViewerPage(person, "ct-no-room"));
    expect(person.consoleProblems).toEqual([]);
    await person.close();
  });

  it("ask for the text of an annotation in one plane only, and keep it when the annotation is scrolled out of view", async () => {
    const person = await openDentist("en");
    const { page } = person;
    await checkCt(person);
    await chooseLayout(person, "mpr");
    const axial = groupByName(person, person.t("viewer.plane.axial"));
    await axial.focus();
    await page.keyboard.press("t");
    // Near the middle it is visible in two planes.
    await page.keyboard.press("Enter");
    const asked = page.getByRole("textbox", { name: person.t("viewer.editor.words"), exact: true });
    await asked.first().waitFor();
    expect(await asked.count()).toBe(1);
    await page.keyboard.type("apex");
    const { x, y } = await getBox(axial);
    await page.mouse.move(x + 30, y + 90);
    await page.mouse.wheel(0, 500);
    await asked.waitFor({ state: "detached" });
    await person.waitFor(
      groupByName(person, person.t("viewer.plane.coronal")).locator("svg text").filter({ hasText: "apex" }),
    );
    expect(person.consoleProblems).toEqual([]);
    await person.close();
  });

  it("never mirror a patient in a right-to-left language", async () => {
    const person = await openDentist("en");
    const { page } = person;
    await person.context.addCookies([{ name: "language", value: "ar", url: product.address }]);
    await person.goTo(`/viewer?study=${studies.ct}`);
    await page.locator("html[dir=rtl]").waitFor();
    const [right, left] = ["R", "L"].map((letter) =>
      page.getByText(letter, { exact: true }).filter({ visible: true }).first(),
    );
    // The view is from the front of the patient: their right is on the left. The page that paints first is replaced.
    const measureOffset = async () =>
      ((await right.boundingBox())?.x ?? Number.NaN) - ((await left.boundingBox())?.x ?? Number.NaN);
    await expect.poll(measureOffset).toBeLessThan(0);
    await checkViewerPage(person, "ct-arabic");
    expect(person.consoleProblems).toEqual([]);
    await person.close();
  });
});
