import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { annotationCalls } from "@arcada/contract/study/annotation.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { createCbctFiles, getCbctOrigin } from "@arcada/phantom/cbct/cbct";
import { getThroat } from "@arcada/phantom/cbct/soft-tissue";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { craftZip } from "../../apps/server/src/ingest/archive/crafted-zip.ts";
import { waitForIngest } from "../../demo/wait-for-ingest.ts";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { GalleryUser } from "./viewer-screenshots/screenshot-user.ts";
import { waitUntilRendered } from "./viewer-screenshots/capture-images-and-ct.ts";
import { waitUntilConverted } from "./viewer-screenshots/screenshot-setup.ts";
import { captureFailures, checkPage } from "./support/page-checks.ts";
import { createInstitutionAccount } from "./support/order-files.ts";
import { BrowserUser, narrow, wide } from "./support/browser-user.ts";
import { getBox } from "./support/screen-pixels.ts";
import { chooseTool } from "./viewer/choose-tool.ts";
import { chooseLayout, readPatientPosition } from "./viewer/volume-steps.ts";

const head = makeHead("airway");
const size = { columns: 256, rows: 256, slices: 168, voxel: 0.5 };
/** The position of the crosshair: in the airway behind the tongue, where it is not yet narrowest. */
const throatPoint = [0, getThroat(-8).middle * head.scale, -8 * head.scale] as const;

/** Returns the cross-section of the airway (mm²) at a height of the head where it is nearly upright. */
function phantomArea(z: number): number {
  const at = z / head.scale;
  const { wide: half, deep } = getThroat(at);
  const slope = (getThroat(at + 1).middle - getThroat(at - 1).middle) / 2;
  return Math.PI * half * deep * head.scale ** 2 * Math.cos(Math.atan(slope));
}
/** mL of the throat between two heights. */
function volumeBetween(low: number, high: number): number {
  let sum = 0;
  for (let z = low; z < high; z += 0.01) {
    const { wide: half, deep } = getThroat(z / head.scale);
    if (z / head.scale < 42) sum += 0.01 * Math.PI * half * deep * head.scale ** 2;
  }
  return sum / 1000;
}

/** The airway of a generated head is an ellipse of known size at each height. The measurements are compared with it. */
describe.skipIf(process.env["ARCADA_PROOF"] !== "full")("an airway that is measured", () => {
  const product = new Product({ LOGIN_STEP_UP: "off" });
  let browser: Browser;
  let token: string;
  let study: string;
  beforeAll(async () => {
    [browser] = await Promise.all([launchBrowser(), product.start()]);
    const { session } = await createInstitutionAccount(product, "clinic", "晨光口腔", "airway@clinic.test");
    ({ token } = session);
    const { id: patientId } = await product.call(
      patientCalls.create,
      { name: "王芳", sex: "female", birthDate: "1985-09-09" },
      session,
    );
    const who = { id: "7", name: "Wang^Fang", sex: "F", birthDate: "19850909" } as const;
    const zip = craftZip([...createCbctFiles(head, who, { size })].map(({ name, bytes }) => ({ name, data: bytes })));
    const uploads = [await product.upload(token, "ct.zip", zip)];
    const { id } = await product.call(uploadJobCalls.open, { patientId, uploads }, session);
    study = (await waitForIngest(() => product.call(uploadJobCalls.job, { id }, session))).studies[0];
    await waitUntilConverted(product, session, [study]);
  }, 300_000);
  captureFailures("airway", () => browser);
  afterAll(async () => {
    await browser?.close();
    await product.remove();
  });

  it("has by mouse the volume and the narrowest place that its phantom has, also when its box is made smaller", async () => {
    const person = await openBrowser("en", wide);
    const { page, t } = person;
    const axial = plane(person, "axial");
    await person.page.getByRole("slider", { name: sliceName(person, "axial") }).fill(String(sliceAt(throatPoint[2])));
    await clickAt(axial, throatPoint);
    await chooseTool(person, "viewer.render.airway.title");
    await person.button("viewer.render.airway.start").click();
    await expectTrueValues(person);
    await checkPage(person, "airway-panel");
    await person.button("viewer.render.airway.goTo").first().click();
    await page.keyboard.press("Escape");
    await checkPage(person, "airway-narrowest");
    // The upper corner of its box is drawn down in the coronal plane.
    const corner = t("viewer.render.airway.corner.high");
    const grip = await getBox(plane(person, "coronal").getByRole("slider", { name: corner, exact: true }));
    const before = (await airway()).points;
    await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
    await page.mouse.down();
    await page.mouse.move(grip.x + grip.width / 2, grip.y + 60, { steps: 5 });
    await page.mouse.up();
    await expect.poll(async () => (await airway()).points).not.toEqual(before);
    await chooseTool(person, "viewer.render.airway.title");
    await expectTrueValues(person);
    await checkPage(person, "airway-smaller");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+z");
    await expect.poll(async () => (await airway()).points).toEqual(before);
    expect(person.consoleProblems).toEqual([]);
    await clearAnnotations();
    await person.close();
  });

  it("has the same by keys alone", async () => {
    const person = await openBrowser("zh", wide);
    const { page, t } = person;
    for (const [name, slice] of [
      ["coronal", Math.round((throatPoint[1] - getCbctOrigin(size)[1]) / size.voxel)],
      ["axial", sliceAt(throatPoint[2])],
    ] as const)
      await scrollByKeyboard(person, name, slice);
    await chooseTool(person, "viewer.render.airway.title");
    await person.button("viewer.render.airway.start").focus();
    await page.keyboard.press("Enter");
    await expectTrueValues(person);
    // Air has grey values below a threshold; for this phantom, the exact threshold hardly matters.
    const threshold = page.getByRole("slider", {
      name: new RegExp(t("viewer.render.airway.threshold", { value: "-?\\d+" })),
    });
    await threshold.focus();
    for (let step = 0; step < 20; step++) await page.keyboard.press("ArrowLeft");
    await expectTrueValues(person);
    await page.keyboard.press("Escape");
    const name = t("viewer.render.airway.corner.high");
    const corner = plane(person, "coronal").getByRole("slider", { name, exact: true });
    const before = (await airway()).points;
    await corner.focus();
    for (let step = 0; step < 4; step++) await page.keyboard.press("Shift+ArrowDown");
    await expect.poll(async () => (await airway()).points).not.toEqual(before);
    await chooseTool(person, "viewer.render.airway.title");
    await expectTrueValues(person);
    await checkPage(person, "airway-keys");
    await page.keyboard.press("Escape");
    await chooseLayout(person, "volume");
    await page.getByRole("group", { name: t("viewer.pane.render"), exact: true }).waitFor();
    await waitUntilRendered(new GalleryUser(person, false));
    await checkPage(person, "airway-outside");
    await person.page.setViewportSize(narrow);
    await person.page.reload();
    await page.getByText(t("viewer.stage.full"), { exact: true }).first().waitFor();
    await chooseTool(person, "viewer.render.airway.title");
    await expectTrueValues(person);
    await checkPage(person, "airway-kept");
    expect(person.consoleProblems).toEqual([]);
    await person.close();
  });

  async function openBrowser(language: "zh" | "en", viewport: typeof wide): Promise<BrowserUser> {
    const person = await BrowserUser.open(browser, product.address, language, { viewport });
    await person.context.addCookies([{ name: "Admin-Token", value: token, url: product.address }]);
    await person.goTo(`/viewer?study=${study}`);
    await person.page.getByText(person.t("viewer.stage.full"), { exact: true }).first().waitFor();
    await chooseLayout(person, "mpr");
    return person;
  }

  async function airway() {
    const { marks: annotations } = await product.call(annotationCalls.marks, { id: study }, { token });
    const annotation = annotations.find(({ tool }) => tool === "airway");
    if (!annotation) throw new Error("no airway is kept");
    return annotation;
  }

  async function clearAnnotations(): Promise<void> {
    const { version } = await product.call(annotationCalls.marks, { id: study }, { token });
    await product.call(annotationCalls.saveMarks, { id: study, version, marks: [] }, { token });
  }

  /** Checks the values in the panel against the phantom's values within the saved box. */
  async function expectTrueValues(person: BrowserUser): Promise<void> {
    const { t, page } = person;
    await person.waitFor(person.text("viewer.marks.saved"));
    // The panel and the planes both show it.
    await expect.poll(() => page.getByText(t("viewer.render.airway.measuring")).count()).toBe(0);
    const number = async (key: string) => {
      const [before = "", after = ""] = t(key, { value: "|" }).split("|");
      const words = await page.getByText(before).and(page.getByText(after)).first().innerText();
      return Number(words.replace(before, "").replace(after, ""));
    };
    const [low, high] = (await airway()).points.map((point) => point[2]).slice(0, 2) as [number, number];
    const [bottom] = [getCbctOrigin(size)[2] - size.voxel / 2];
    const ends = [Math.max(low, bottom), Math.min(high, bottom + size.slices * size.voxel)] as const;
    const truth = volumeBetween(...ends);
    const least = Math.min(
      ...Array.from({ length: 1000 }, (_, at) => phantomArea(ends[0] + 4 + ((ends[1] - ends[0] - 8) * at) / 1000)),
    );
    const told = {
      volume: await number("viewer.render.airway.volume"),
      narrowest: await number("viewer.render.airway.narrowest"),
    };
    process.stderr.write(`airway ${JSON.stringify({ ends, told, truth: { volume: truth, narrowest: least } })}\n`);
    expect(Math.abs(told.volume / truth - 1)).toBeLessThan(0.03);
    expect(Math.abs(told.narrowest / least - 1)).toBeLessThan(0.03);
  }
});

const sliceAt = (z: number): number => Math.round((z - getCbctOrigin(size)[2]) / size.voxel);
const plane = ({ page, t }: BrowserUser, name: "axial" | "coronal"): Locator =>
  page.getByRole("group", { name: t(`viewer.plane.${name}`), exact: true });
const sliceName = ({ t }: BrowserUser, name: "axial" | "coronal"): string =>
  t("viewer.sliceOf", { plane: t(`viewer.plane.${name}`) });

/** Clicks the point where the viewport shows this patient position. */
async function clickAt(viewport: Locator, [x, y]: readonly [number, number, number]): Promise<void> {
  const [one, other] = [await readPatientPosition(viewport, 0.3, 0.3), await readPatientPosition(viewport, 0.7, 0.7)];
  const on = (axis: 0 | 1, wanted: number) =>
    one.at[axis] +
    ((wanted - one.place[axis]) / (other.place[axis] - one.place[axis])) * (other.at[axis] - one.at[axis]);
  await viewport.page().mouse.click(on(0, x), on(1, y));
}

/** Its slider is brought to a slice by keys. */
async function scrollByKeyboard(person: BrowserUser, name: "axial" | "coronal", wanted: number): Promise<void> {
  const slider = person.page.getByRole("slider", { name: sliceName(person, name) });
  await slider.focus();
  for (let now = Number(await slider.inputValue()); now !== wanted; now = Number(await slider.inputValue()))
    await person.page.keyboard.press(now < wanted ? "ArrowRight" : "ArrowLeft");
}
