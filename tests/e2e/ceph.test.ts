import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cephCalls } from "@arcada/contract/ceph/ceph.calls";
import type { CephImagePoint } from "@arcada/contract/ceph/ceph.schema";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { listRequiredLandmarks } from "@arcada/analysis/ceph/required-landmarks";
import { createCephReport } from "@arcada/analysis/ceph/ceph-report";
import { landmarkLabel } from "@arcada/analysis/ceph/literature-labels";
import { applyAffine, fitView, computeViewMatrix } from "@arcada/imaging/view/image-view";
import { waitForIngest } from "../../demo/wait-for-ingest.ts";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { loadLyingRadiograph } from "./viewer/lying-radiograph.ts";
import { signIn } from "./support/account-steps.ts";
import { captureFailures, checkPage } from "./support/page-checks.ts";
import { createScratchFolder } from "./support/test-files.ts";
import { createInstitutionAccount } from "./support/order-files.ts";
import { narrow, BrowserUser } from "./support/browser-user.ts";
import { present } from "@arcada/testing/require-present";

const product = new Product();
const radiograph = await loadLyingRadiograph();
let browser: Browser;
let session = { token: "" };
let image = { studyId: "", instanceId: "" };
let patientId = "";
let dentist: BrowserUser;

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  session = (await createInstitutionAccount(product, "clinic", "晨光口腔", "dentist@ceph.test")).session;
  const who = { name: "林小雨", sex: "female", birthDate: "1998-05-06" } as const;
  patientId = (await product.call(patientCalls.create, who, session)).id;
  const uploads = [await product.upload(session.token, radiograph.name, radiograph.bytes)];
  const input = { patientId, uploads, kind: "lateralCeph", acceptMismatch: true } as const;
  const { id } = await product.call(uploadJobCalls.open, input, session);
  await waitForIngest(() => product.call(uploadJobCalls.job, { id }, session));
  const [row] = await product.call(cephCalls.list, { patientId }, session);
  image = { studyId: row.studyId, instanceId: row.instanceId };
  dentist = await BrowserUser.open(browser, product.address);
  // A radiograph of twenty million pixels is rendered without a graphics processor.
  dentist.context.setDefaultTimeout(60_000);
  await signIn(dentist, "dentist@ceph.test");
});
captureFailures("ceph", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

const requiredLandmarks = listRequiredLandmarks("steiner").map(({ id }) => id);

/** Clicks a position of the radiograph, as it is fitted into its viewport. */
async function clickLandmark(spot: CephImagePoint): Promise<void> {
  const box = present(await dentist.page.locator("canvas").first().boundingBox());
  const shape = { columns: radiograph.columns, rows: radiograph.rows, spacing: null };
  const whole = fitView({ zoom: 1, centre: [0, 0], turns: radiograph.quarterTurns, mirrored: false }, shape, box);
  const [x, y] = applyAffine(computeViewMatrix(whole, shape, box), spot);
  await dentist.page.mouse.move(box.x + x, box.y + y);
  await dentist.page.mouse.down();
  await dentist.page.mouse.up();
}
/** Takes the suggested position; where nothing is suggested, the estimate, which stays selected until the next step. */
async function confirmLandmark(): Promise<void> {
  const isSuggested = await dentist.button("ceph.guide.take").isVisible();
  await dentist.page.keyboard.press("Enter");
  if (!isSuggested) await dentist.page.keyboard.press("n");
}
const openPanel = (panel: string) =>
  dentist.page.getByRole("tab", { name: dentist.t(`ceph.panel.${panel}`), exact: true }).click();
const row = (measure: string) =>
  dentist.page.getByRole("row").filter({ has: dentist.page.getByRole("rowheader", { name: measure, exact: true }) });
const expectedValues = (population: "white" | "peking" = "white") => {
  const { from, to, mm } = radiograph.knownDistance;
  const width = mm / Math.hypot(to[0] - from[0], to[1] - from[1]);
  const calibration = { source: "points", width, magnification: radiograph.magnification, line: null } as const;
  const content = { landmarks: radiograph.landmarks, aspect: 1, calibration, population, remark: null };
  const { rows } = createCephReport(content, { sex: "female", age: 27 }, "steiner");
  return (measure: string) => present(rows.find((one) => one.measure === measure)?.value, "value");
};

it("a radiograph is calibrated by two points and traced landmark by landmark, and shows its expected values", async () => {
  const { page } = dentist;
  await dentist.goTo(`/cephView?study=${image.studyId}&item=${image.instanceId}`);
  await dentist.waitFor(page.locator("canvas"));
  await dentist.waitFor(dentist.text("ceph.guide.next", { sign: "S" }));
  // The radiograph lies on its side; its ruler, which may have several readings, is offered after that.
  await dentist.button("ceph.banner.turn").click();
  const readings = page.getByRole("status").getByRole("button", { name: /mm$/ });
  const ruler = dentist.button("ceph.banner.useRuler").or(readings).first();
  const suggestions = page.getByRole("status").getByText(/\d/).first();
  await dentist.waitFor(ruler.or(suggestions));
  // No ruler is recognised on the real radiograph; the drawn one has one.
  if ((await ruler.isVisible()) || radiograph.name === "lateral.png") {
    await ruler.click();
    await dentist.waitFor(dentist.text("ceph.state.changed"));
  }
  await openPanel("scale");
  await dentist.button("ceph.calibration.usePoints").click();
  await clickLandmark(radiograph.knownDistance.from);
  await dentist.waitFor(dentist.text("ceph.calibration.second"));
  await clickLandmark(radiograph.knownDistance.to);
  await dentist.field("ceph.calibration.mm").fill(String(radiograph.knownDistance.mm));
  await dentist.button("ceph.calibration.apply").click();
  await dentist.field("ceph.calibration.magnification").fill(radiograph.magnification.toFixed(4));

  await openPanel("guide");
  for (const id of requiredLandmarks) {
    await dentist.waitFor(dentist.text("ceph.guide.next", { sign: landmarkLabel(id) }));
    const known = radiograph.landmarks[id];
    if (known) await clickLandmark(known);
    else await confirmLandmark();
    // Only the first landmark is placed under the magnifier, which renders slowly without a graphics processor.
    if (id === "S") await page.keyboard.press("m");
  }
  await dentist.waitFor(dentist.text("ceph.guide.done"));
  await page.mouse.move(5, 5);
  await checkPage(dentist, "ceph-guide");
  await openPanel("values");
  for (const measure of ["SNA", "SNB", "ANB"]) {
    const shown = Number.parseFloat((await row(measure).getByRole("cell").first().innerText()).replace("−", "-"));
    expect(Math.abs(shown - expectedValues()(measure)), measure).toBeLessThan(0.6);
  }
  expect(
    await page
      .getByRole("row")
      .filter({ hasText: dentist.t("ceph.notMeasured") })
      .count(),
  ).toBe(0);
  await dentist.waitFor(page.getByRole("img", { name: dentist.t("ceph.chart.label") }));
  await page.keyboard.press("Control+s");
  await dentist.waitFor(dentist.text("ceph.state.saved", { version: 1 }));
  await checkPage(dentist, "ceph-values");
});

it("a landmark is corrected by keyboard, and the correction can be undone", async () => {
  await openPanel("guide");
  await dentist.page.getByRole("button", { name: /^A / }).click();
  const before = present((await product.call(cephCalls.open, image, session)).tracing?.content.landmarks.A, "A");
  await dentist.page.locator("canvas").first().focus();
  await dentist.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await dentist.page.keyboard.press("ArrowRight");
  await dentist.page.keyboard.press("Shift+ArrowRight");
  await dentist.waitFor(dentist.text("ceph.state.changed"));
  await dentist.page.keyboard.press("Control+s");
  await dentist.waitFor(dentist.text("ceph.state.saved", { version: 2 }));
  const after = present((await product.call(cephCalls.open, image, session)).tracing?.content.landmarks.A, "A");
  expect(Math.hypot(after[0] - before[0], after[1] - before[1])).toBeGreaterThan(1);
  for (let step = 0; step < 2; step++) await dentist.page.keyboard.press("Control+z");
  await dentist.page.keyboard.press("Control+s");
  await dentist.waitFor(dentist.text("ceph.state.saved", { version: 3 }));
  expect((await product.call(cephCalls.open, image, session)).tracing?.content.landmarks.A).toEqual(before);
});

it("the printed report contains the values, the norms and the scale, in both languages", async () => {
  const { tracing } = await product.call(cephCalls.open, image, session);
  const { rows } = createCephReport(present(tracing).content, { sex: "female", age: 27 }, "steiner");
  for (const [lang, words] of [
    ["zh", ["头影测量报告", "林小雨", "正常值：中国成人（北京大学）", "放大率"]],
    ["en", ["Cephalometric report", "Norms: Chinese adults, Peking University", "magnification"]],
  ] as const) {
    const { url } = await product.call(cephCalls.paper, { ...image, analysis: "steiner", lang }, session);
    const pdf = Buffer.from(await (await fetch(product.address + url)).arrayBuffer());
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
    expect(pdf.length).toBeLessThan(3_000_000);
    const file = path.join(createScratchFolder(), `ceph-${lang}.pdf`);
    writeFileSync(file, pdf);
    if (!existsSync("/usr/bin/pdftotext")) continue;
    const text = execFileSync("/usr/bin/pdftotext", ["-layout", file, "-"], { encoding: "utf8" });
    for (const { measure, value } of rows.slice(0, 3))
      expect(text).toMatch(new RegExp(`${measure} +${present(value).toFixed(1).replace("-", "−")} ±`));
    for (const word of words) expect(text).toContain(word);
  }
});

it("a tracing is visible on a phone in English, and from the patient's record", async () => {
  await dentist.goTo(`/patientDetail/page?id=${patientId}&tab=ceph`);
  await dentist.waitFor(dentist.link("ceph.open"));
  await checkPage(dentist, "ceph-films");
  await dentist.switchLanguage("en");
  await dentist.page.setViewportSize(narrow);
  await dentist.link("ceph.open").click();
  await dentist.waitFor(dentist.page.getByRole("rowheader", { name: "SNA", exact: true }));
  await checkPage(dentist, "ceph-values");
  expect(dentist.consoleProblems).toEqual([]);
});
