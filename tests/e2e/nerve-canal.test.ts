import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { Annotation } from "@arcada/contract/study/annotation";
import { annotationCalls } from "@arcada/contract/study/annotation.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { createSmoothLine } from "@arcada/imaging/arch/smooth-line";
import { distance, toVector, type Vector } from "@arcada/imaging/geometry/vector";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { craftZip } from "../../apps/server/src/ingest/archive/crafted-zip.ts";
import { waitForIngest } from "../../demo/wait-for-ingest.ts";
import { BrowserUser, wide } from "./support/browser-user.ts";
import { countClicks } from "./support/count-clicks.ts";
import { createInstitutionAccount } from "./support/order-files.ts";
import { captureFailures, findAxeViolations, findLastingFaults } from "./support/page-checks.ts";
import { enterMode, toolButton } from "./viewer/choose-tool.ts";
import { chooseLayout } from "./viewer/volume-steps.ts";
import { waitUntilConverted } from "./viewer-screenshots/screenshot-setup.ts";

const product = new Product({ LOGIN_STEP_UP: "off" });
const head = makeHead("canal");
let browser: Browser;
let session: Awaited<ReturnType<typeof createInstitutionAccount>>["session"];
let study = "";
const otherFiles = [
  ["vp9.mp4", "video"],
  ["hevc.mp4", "video"],
  ["assimp-ellipsoid.3mf", "mesh"],
] as const;
const others = new Map<string, string>();
const studyOf = (name: (typeof otherFiles)[number][0]): string => others.get(name) ?? "";

beforeAll(async () => {
  const who = { id: "7", name: "Wang^Fang", sex: "F", birthDate: "19850909" } as const;
  const size = { columns: 260, rows: 260, slices: 180, voxel: 0.5 };
  const slices = [...createCbctFiles(head, who, { size, study: { key: "ct", description: "CBCT" } })];
  const zip = craftZip(slices.map(({ name, bytes }) => ({ name, data: bytes })));
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  ({ session } = await createInstitutionAccount(product, "clinic", "Morning", "canal@clinic.test"));
  const { id: patientId } = await product.call(
    patientCalls.create,
    { name: "王芳", sex: "female", birthDate: "1985-09-09" },
    session,
  );
  const uploads = [await product.upload(session.token, "ct.zip", zip)];
  const open = async (of: string[]): Promise<string> => {
    const { id } = await product.call(uploadJobCalls.open, { patientId, uploads: of, acceptMismatch: true }, session);
    const { studies } = await waitForIngest(() => product.call(uploadJobCalls.job, { id }, session));
    return studies[0] ?? "";
  };
  study = await open(uploads);
  for (const [name, folder] of otherFiles) {
    const bytes = readFileSync(new URL(`../../packages/imaging/src/${folder}/fixtures/${name}`, import.meta.url));
    others.set(name, await open([await product.upload(session.token, name, bytes)]));
  }
  await waitUntilConverted(product, session, [study]);
  const { series } = await product.call(studyCalls.detail, { id: study }, session);
  const instanceId = series[0]?.instances[0]?.id ?? "";
  const ends = [head.canals.right.at(4), head.canals.right.at(-4)].map((point) => [...toVector(point ?? [])]);
  const found = head.canals.left.filter((_, at) => at % 5 === 0).map((point) => [...toVector(point)]);
  const canal = { tool: "canal", instanceId, plane: "volume", text: null } as const;
  const doubtful = { diameter: 2.5, side: "left", isTraced: true, doubtful: "1-2" };
  const marks: Annotation[] = [
    { ...canal, id: "c", points: ends, settings: { diameter: 2.5, side: "right" } },
    { ...canal, id: "d", points: found, settings: doubtful },
  ];
  await product.call(annotationCalls.saveMarks, { id: study, version: 0, marks }, session);
}, 600_000);
captureFailures("nerve-canal", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

it("a nerve canal is found between two points and stays where its middle is", async () => {
  const person = await BrowserUser.open(browser, product.address, "en");
  const { page, t } = person;
  await person.context.addCookies([{ name: "Admin-Token", value: session.token, url: product.address }]);
  await page.setViewportSize(wide);
  await person.goTo(`/viewer?study=${study}`);
  await page.getByText(t("viewer.stage.full"), { exact: true }).first().waitFor();
  await chooseLayout(person, "panorama");
  const name = t("viewer.arch.canal.right");
  await enterMode(person, "implant");
  await toolButton(person, "viewer.arch.panel").click();
  const panel = page.getByRole("dialog", { name: t("viewer.arch.panel") });
  await panel.getByText(name, { exact: true }).click();
  const find = panel.getByRole("button", { name: t("viewer.arch.canal.find") });
  const clicks = await countClicks(person, async () => {
    await find.click();
    await find.waitFor({ state: "detached" });
  });
  expect(clicks).toBe(1);
  await panel.getByRole("button", { name: t("viewer.arch.canal.cancel") }).waitFor({ state: "detached" });
  await person.takeScreenshots("nerve-canal-panel");
  await page.setViewportSize(wide);
  await page.keyboard.press("Escape");
  await person.waitFor(page.getByRole("slider", { name: t("viewer.arch.pointOf", { name, number: 8 }) }));
  await person.waitFor(person.text("viewer.marks.saved"));
  await person.takeScreenshots("nerve-canal");
  await page.setViewportSize(wide);
  await askAboutOtherCanal(person);
  await addSegmentation(person);
  const errors = await measureErrors();
  expect(errors[Math.floor(errors.length * 0.5)]).toBeLessThan(0.5);
  expect(errors[Math.floor(errors.length * 0.95)]).toBeLessThan(1);
  const faults = await findLastingFaults(async () => findAxeViolations(page, "main"));
  expect(faults).toEqual([]);
  expect(person.consoleProblems).toEqual([]);
});

/** The stretch that a canal leaves open is shown, with a question over the image when the panel is closed. */
async function askAboutOtherCanal(person: BrowserUser): Promise<void> {
  const { page, t } = person;
  await toolButton(person, "viewer.arch.panel").click();
  const panel = page.getByRole("dialog", { name: t("viewer.arch.panel") });
  await panel.getByText(t("viewer.arch.canal.left"), { exact: true }).click();
  await panel.getByRole("button", { name: t("viewer.arch.canal.clickAgain") }).click();
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await person.waitFor(person.text("viewer.arch.canal.clickHere"));
  await person.takeScreenshots("nerve-canal-question");
  await page.setViewportSize(wide);
  await person.button("viewer.arch.canal.leave").click();
  await person.text("viewer.arch.canal.clickHere").waitFor({ state: "detached" });
}

/** Both canals become a DICOM segmentation of the study, which can be saved. */
async function addSegmentation(person: BrowserUser): Promise<void> {
  const { page, t } = person;
  await enterMode(person, "export");
  const clicks = await countClicks(person, async () => {
    await toolButton(person, "viewer.export.segmentation.label").click();
    await page.getByText(t("viewer.arch.canal.left"), { exact: true }).last().waitFor();
    await person.button("viewer.export.segmentation.make").click();
  });
  expect(clicks).toBe(2);
  await page.getByRole("link", { name: t("viewer.export.segmentation.download") }).waitFor();
  await person.takeScreenshots("segmentation");
  await page.setViewportSize(wide);
  await page.keyboard.press("Escape");
  const { series } = await product.call(studyCalls.detail, { id: study }, session);
  expect(series.map(({ modality }) => modality)).toEqual(["CT", "SEG"]);
}

it("a video plays, and one that the browser cannot play says so; a 3MF scan is shown", async () => {
  const person = await BrowserUser.open(browser, product.address, "en");
  const { page } = person;
  await person.context.addCookies([{ name: "Admin-Token", value: session.token, url: product.address }]);
  await page.setViewportSize(wide);
  await person.goTo(`/viewer?study=${studyOf("vp9.mp4")}`);
  const video = page.locator("video");
  await video.evaluate(async (element: HTMLVideoElement) => {
    element.muted = true;
    await element.play();
  });
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0.2);
  await person.takeScreenshots("video");
  await page.setViewportSize(wide);
  expect(await findLastingFaults(async () => findAxeViolations(page, "main"))).toEqual([]);
  await person.goTo(`/viewer?study=${studyOf("hevc.mp4")}`);
  const isPlayable = await page.evaluate(() => document.createElement("video").canPlayType('video/mp4; codecs="hvc1"'));
  if (isPlayable === "") await person.waitFor(person.text("viewer.video.hevc", { codec: "HEVC" }));
  await person.takeScreenshots("video-hevc");
  await page.setViewportSize(wide);
  await person.goTo(`/viewer?study=${studyOf("assimp-ellipsoid.3mf")}`);
  await page.getByText("168").first().waitFor();
  await person.takeScreenshots("scan-3mf");
});

/** mm of the saved canal's line from the true canal, in order. */
async function measureErrors(): Promise<number[]> {
  const { marks } = await product.call(annotationCalls.marks, { id: study }, session);
  const canal = marks.find(({ settings }) => settings?.["side"] === "right");
  const line = createSmoothLine((canal?.points ?? []).map(toVector), 0.25).points;
  const truth = createSmoothLine(head.canals.right.map(toVector), 0.25).points;
  const far = (place: Vector): number =>
    truth.reduce((least, point) => Math.min(least, distance(point, place)), Infinity);
  return line.map(far).sort((a, b) => a - b);
}
