import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { Annotation } from "@arcada/contract/study/annotation";
import { annotationCalls } from "@arcada/contract/study/annotation.calls";
import { implantCalls } from "@arcada/contract/implant/implant.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { identityTransform } from "@arcada/imaging/geometry/rigid-transform";
import { plus, times, toVector, type Vector } from "@arcada/imaging/geometry/vector";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { createArchScan } from "@arcada/phantom/scan/arch-scan";
import { implantLibrary } from "@arcada/testing/fixtures/implant-plan";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { present } from "@arcada/testing/require-present";
import { Product } from "@arcada/testing/setup/product-process";
import { craftZip } from "../../apps/server/src/ingest/archive/crafted-zip.ts";
import { waitForIngest } from "../../demo/wait-for-ingest.ts";
import { BrowserUser, narrow, wide } from "./support/browser-user.ts";
import { countClicks } from "./support/count-clicks.ts";
import { createInstitutionAccount } from "./support/order-files.ts";
import { captureFailures, checkPage, findAxeViolations, findLastingFaults } from "./support/page-checks.ts";
import { enterMode, toolButton } from "./viewer/choose-tool.ts";
import { waitUntilConverted } from "./viewer-screenshots/screenshot-setup.ts";

const product = new Product({ LOGIN_STEP_UP: "off" });
let browser: Browser;
let session: Awaited<ReturnType<typeof createInstitutionAccount>>["session"];
let patient = "";
let ct = "";

/** 46 is missing; 36 is planned at another angle. */
const head = makeHead("plan 5");

beforeAll(async () => {
  const who = { id: "7", name: "Wang^Fang", sex: "F", birthDate: "19850909" } as const;
  const size = { columns: 220, rows: 220, slices: 170, voxel: 0.65 };
  const slices = [...createCbctFiles(head, who, { size, study: { key: "ct", description: "CBCT" } })];
  const [zip, scan] = [
    craftZip(slices.map(({ name, bytes }) => ({ name, data: bytes }))),
    writeStl(createArchScan(head, "lower")),
  ];
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  ({ session } = await createInstitutionAccount(product, "clinic", "Morning", "plan@clinic.test"));
  const person = { name: "王芳", sex: "female", birthDate: "1985-09-09" } as const;
  ({ id: patient } = await product.call(patientCalls.create, person, session));
  ct = await importStudy("ct.zip", zip);
  const scans = await importStudy("lower.stl", scan);
  await waitUntilConverted(product, session, [ct, scans]);
  await drawPlan(scans);
}, 600_000);
captureFailures("implant-plan", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

async function importStudy(name: string, bytes: Uint8Array): Promise<string> {
  const uploads = [await product.upload(session.token, name, bytes)];
  const input = { patientId: patient, uploads, acceptMismatch: true };
  const { id } = await product.call(uploadJobCalls.open, input, session);
  const { studies } = await waitForIngest(() => product.call(uploadJobCalls.job, { id }, session));
  return studies[0];
}

/** A canal, two implants and the registered scan; scan and volume of a generated head have their space in common. */
async function drawPlan(scans: string): Promise<void> {
  const instancesOf = async (id: string) =>
    (await product.call(studyCalls.detail, { id }, session)).series.flatMap(({ instances }) => instances);
  const [[slice], [model]] = [await instancesOf(ct), await instancesOf(scans)];
  const draw = (id: string, tool: Annotation["tool"], points: readonly Vector[], more: Partial<Annotation> = {}) => ({
    id,
    tool,
    instanceId: slice.id,
    plane: "volume" as const,
    text: null,
    points: points.map((point) => [...point]),
    ...more,
  });
  const implant = (fdi: number, lean: number) => {
    const tooth = present(head.teeth.find((one) => one.fdi === fdi));
    const shoulder = plus(toVector(tooth.neck), [0, 0, -2]);
    const axis = plus(times(toVector(tooth.axes.crown), -1), times(toVector(tooth.axes.mesial), lean));
    return draw(`i${fdi}`, "implant", [shoulder, plus(shoulder, times(axis, 10 / Math.hypot(1, lean)))], {
      text: String(fdi),
      settings: { diameter: 4.1, tip: 4.1 },
    });
  };
  const canal = head.canals.right.filter((_, at) => at % 6 === 0).map(toVector);
  const rows = Object.fromEntries(identityTransform.map((value, at) => [`m${at}`, value]));
  const registration = {
    ...draw(
      "r",
      "registration",
      Array.from({ length: 6 }, () => [0, 0, 0] as const),
    ),
    instanceId: model.id,
    settings: { onto: slice.id, study: scans, rms: 0.12, pairs: 3, ...rows },
  };
  const marks = [
    draw("c", "canal", canal, { settings: { diameter: 2.5, side: "right" } }),
    implant(46, 0.12),
    implant(36, -0.3),
    registration,
  ];
  await product.call(annotationCalls.saveMarks, { id: ct, version: 0, marks }, session);
}

const inGroup = ({ page, t }: BrowserUser, key: string): Locator =>
  page.getByRole("group", { name: t(key), exact: true }).last();

it("an implant gets a system and a sleeve and a crown axis; report and guide go into an order", async () => {
  const person = await BrowserUser.open(browser, product.address, "en");
  const { page, t } = person;
  await person.context.addCookies([{ name: "Admin-Token", value: session.token, url: product.address }]);
  await person.goTo(`/viewer?study=${ct}`);
  await page.getByText(t("viewer.stage.full"), { exact: true }).first().waitFor();
  await person.page.setViewportSize(wide);
  await enterMode(person, "implant");
  await toolButton(person, "viewer.details").click();
  const row = page.getByText(/46 · Implant 1/).last();
  await row.click();
  const choose = async (label: string, option: string, typed = "") => {
    const field = page.getByRole("combobox", { name: t(label), exact: true }).last();
    await field.click();
    if (typed !== "") await field.fill(typed);
    await page.getByRole("option", { name: option, exact: true }).first().click();
  };
  const clicks = await countClicks(person, async () => {
    await choose("implant.system", "Straumann Bone Level RC", "bone level rc");
    await choose("implant.sleeve.title", "5.0");
    await person.button("implant.crown.fromScan").last().click();
    await person.button("implant.abutment.fit").last().click();
  });
  expect(clicks).toBeLessThanOrEqual(6);
  await person.waitFor(page.getByText(/between implant and crown axis/).last());
  await person.waitFor(person.text("viewer.marks.saved"));
  await person.takeScreenshots("implant-plan");
  await page.setViewportSize(wide);
  const faults = await findLastingFaults(async () => findAxeViolations(page, "main"));
  expect(faults).toEqual([]);
  await person.button("implant.documents.make").last().click();
  await person.waitFor(page.getByRole("link", { name: t("implant.documents.report"), exact: true }).last());
  expect(await findBlankPictures(page)).toEqual([]);
  await person.button("implant.guide.make").last().click();
  await page
    .getByRole("link", { name: t("implant.documents.guide"), exact: true })
    .last()
    .waitFor({ timeout: 120_000 });
  await inGroup(person, "implant.documents.title").scrollIntoViewIfNeeded();
  await person.takeScreenshots("implant-plan-documents");
  await page.setViewportSize(wide);
  await person.button("orderDetail.plan.order").click();
  for (const file of [/implant-plan.*\.pdf/, /implant-plan.*panorama\.jpg/, /surgical-guide.*\.stl/])
    await page.getByText(file).first().waitFor();
  await person.takeScreenshots("implant-plan-order");
  const documents = await product.call(implantCalls.documents, { studyId: ct }, session);
  expect(documents.map(({ kind, isOutdated }) => [kind, isOutdated])).toEqual([
    ["guide", false],
    ["report", false],
  ]);
});

it("a clinic imports its own library of systems, and reads which place of a faulty file is wrong", async () => {
  const person = await BrowserUser.open(browser, product.address, "en");
  const { page, t } = person;
  await person.context.addCookies([{ name: "Admin-Token", value: session.token, url: product.address }]);
  await person.goTo("/institution");
  const choose = async (library: object) => {
    const chooser = page.waitForEvent("filechooser");
    await person.button("implant.library.import").click();
    const file = { name: "library.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(library)) };
    await (await chooser).setFiles(file);
  };
  await choose({ ...implantLibrary, systems: [] });
  await page.getByText(t("implant.library.faulty", { path: "systems" }), { exact: true }).waitFor();
  await choose(implantLibrary);
  await page.getByRole("button", { name: t("implant.library.removeName", { name: implantLibrary.name }) }).waitFor();
  for (const size of [wide, narrow]) {
    await page.setViewportSize(size);
    await checkPage(person, "implant-libraries", { alsoDark: true });
  }
  expect(person.consoleProblems).toEqual([]);
});

/** The share of one grey value from which a picture shows nothing. */
const blankShare = 0.9;

/** The pictures of the plan's report in which almost every pixel has one brightness, by their number in the file. */
async function findBlankPictures(page: Page): Promise<number[]> {
  const documents = await product.call(implantCalls.documents, { studyId: ct }, session);
  const report = present(documents.find(({ kind }) => kind === "report"));
  const pdf = Buffer.from(await (await fetch(product.address + report.url)).arrayBuffer());
  // For people who look at the pages afterwards.
  await writeFile(path.join(import.meta.dirname, "screenshots/implant-plan-report.pdf"), pdf);
  const pictures = listJpegs(pdf).map((bytes) => bytes.toString("base64"));
  // The panorama, and two cuts of each implant.
  expect(pictures).toHaveLength(5);
  const shares = await page.evaluate(measureFlatShares, pictures);
  return shares.flatMap((share, at) => (share > blankShare ? [at] : []));
}

/** A PDF keeps a JPEG as it is. */
function listJpegs(pdf: Buffer): Buffer[] {
  const [begin, end] = [Buffer.from("ffd8ff", "hex"), Buffer.from("endstream")];
  const found: Buffer[] = [];
  for (let at = pdf.indexOf(begin); at >= 0; at = pdf.indexOf(begin, at + 1)) {
    const stop = pdf.indexOf(end, at);
    found.push(pdf.subarray(at, stop));
    at = stop;
  }
  return found;
}

/** Runs in the page: the share of the most frequent brightness, in steps of 8, of each picture. */
async function measureFlatShares(pictures: readonly string[]): Promise<number[]> {
  const shares: number[] = [];
  for (const picture of pictures) {
    const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context?.drawImage(bitmap, 0, 0);
    const { data } = context?.getImageData(0, 0, bitmap.width, bitmap.height) ?? { data: new Uint8ClampedArray() };
    const counts = Array.from({ length: 32 }, () => 0);
    for (let at = 0; at < data.length; at += 4) counts[((data[at] + data[at + 1] + data[at + 2]) / 3 / 8) | 0]++;
    shares.push(Math.max(...counts) / (data.length / 4));
  }
  return shares;
}
