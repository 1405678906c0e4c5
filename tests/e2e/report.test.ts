import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cephCalls } from "@arcada/contract/ceph/ceph.calls";
import { chartCalls } from "@arcada/contract/chart/chart.calls";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { reportCalls } from "@arcada/contract/report/report.calls";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createPanorama } from "@arcada/phantom/radiograph/panorama";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { freePort, Product } from "@arcada/testing/setup/product-process";
import { loadTracedRadiograph } from "./viewer/traced-radiograph.ts";
import { addVirtualAuthenticator, signIn } from "./support/account-steps.ts";
import { chooseFiles } from "./viewer/imaging-steps.ts";
import { keepOwnLicence, licence } from "./support/order-files.ts";
import { findAxeViolations, captureFailures } from "./support/page-checks.ts";
import { findRealFile, createScratchFolder } from "./support/test-files.ts";
import { BrowserUser } from "./support/browser-user.ts";
import { present } from "@arcada/testing/require-present";

const email = "reports@clinic.test";
const port = await freePort();
// Passkeys belong to a name, never to a number.
const address = `http://localhost:${port}`;
const product = new Product({ PUBLIC_URL: address });
product.port = port;
/** The patient, as the files name them. */
const who = { id: "R-1", name: "王小明", sex: "M", birthDate: "19900102" } as const;
const ceph = loadTracedRadiograph(who);
let browser: Browser;
let patient: string;
let token: string;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  const first = await product.register(email, "clinicManager");
  const clinic = { name: "Reports", type: "clinic", country: "CN" } as const;
  const { id: iid } = await product.call(institutionCalls.create, clinic, { token: first });
  ({ token } = await product.call(institutionCalls.switch, { iid }, { token: first }));
  await keepOwnLicence(product, { token });
  const who = { name: "王小明", sex: "male", birthDate: "1990-01-02" } as const;
  patient = (await product.call(patientCalls.create, who, { token })).id;
});
captureFailures("report", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

const patientTab = (tab: string): string => `/patientDetail/page?id=${patient}&tab=${tab}`;

/** Returns the PDF of a report or its annex, and its text if the machine can extract it. */
async function readPdf(
  id: string,
  lang: "zh" | "en",
  part: "report" | "annex" = "report",
): Promise<{ pdf: Buffer; text: string | null }> {
  const { url } = await product.call(reportCalls.paper, { id, lang, part }, { token });
  const pdf = Buffer.from(await (await fetch(product.address + url)).arrayBuffer());
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  if (!existsSync("/usr/bin/pdftotext")) return { pdf, text: null };
  const file = path.join(createScratchFolder(), `${id}-${lang}-${part}.pdf`);
  writeFileSync(file, pdf);
  return { pdf, text: execFileSync("/usr/bin/pdftotext", ["-layout", file, "-"], { encoding: "utf8" }) };
}

/** Imports a panorama and a lateral cephalogram: real ones if they are available. */
async function importRadiographs(person: BrowserUser): Promise<void> {
  const folder = createScratchFolder();
  const panorama = findRealFile("panorama") ?? path.join(folder, "panorama.dcm");
  if (!findRealFile("panorama"))
    writeFileSync(panorama, createPanorama(makeHead("report"), who, { key: "report", description: "Report" }).bytes);
  const lateral = path.join(folder, ceph.name);
  writeFileSync(lateral, ceph.bytes);
  await person.goTo(`/patientDetail/page?id=${patient}`);
  await chooseFiles(person, [panorama, lateral]);
  const done = person.page.getByText(new RegExp(person.t("study.outcome.done", { count: 2 })));
  await done.waitFor({ timeout: 120_000 });
}

/** Saves a tracing by API call. Other tests trace by hand. */
async function addTracing(): Promise<void> {
  const [film] = await product.call(cephCalls.list, { patientId: patient }, { token });
  const { from, to, mm } = ceph.knownDistance;
  const width = mm / Math.hypot(to[0] - from[0], to[1] - from[1]);
  const calibration = { source: "points", width, magnification: ceph.magnification, line: null } as const;
  const content = { landmarks: ceph.landmarks, aspect: 1, calibration, population: "white", remark: null } as const;
  const { studyId, instanceId } = film;
  await product.call(cephCalls.save, { studyId, instanceId, version: 0, content }, { token });
}

/**
 * Enters all 32 teeth by keyboard alone: the first is decayed, the last missing. Meanwhile another user enters a
 * different finding for the first.
 */
async function fillChart(person: BrowserUser): Promise<void> {
  await person.goTo(patientTab("chart"));
  const teeth = person.page.getByRole("group", { name: person.t("chart.label"), exact: true });
  await teeth.locator('[tabindex="0"]').first().focus();
  await person.page.keyboard.press("1");
  for (let tooth = 1; tooth < 31; tooth++) await person.page.keyboard.press("0");
  await person.page.keyboard.press("4");
  const other = { fdi: 18, presence: "missing" as const };
  await product.call(chartCalls.save, { patientId: patient, version: 0, teeth: [other] }, { token });
  await person.waitFor(person.text("chart.conflict.both"));
  expect(await findAxeViolations(person.page, "main")).toEqual([]);
  await person.button("chart.conflict.keepBoth").click();
  await person.text("chart.conflict.both").waitFor({ state: "hidden" });
  await person.button("chart.saveConfirm").click();
  await person.waitFor(person.text("chart.allAssessed"));
  await person.button("chart.discard").waitFor({ state: "hidden" });
}

async function addPasskey(person: BrowserUser): Promise<void> {
  await addVirtualAuthenticator(person);
  await person.goTo("/profile/index");
  await person.button("factor.passkeyAdd").click();
  const dialog = person.page.getByRole("dialog");
  await dialog.getByLabel(person.t("factor.passkeyName")).press("Enter");
  await dialog.waitFor({ state: "hidden" });
}

async function signReport(person: BrowserUser, by: "password" | "passkey"): Promise<void> {
  await person.button("report.action.sign").click();
  const dialog = person.page.getByRole("dialog");
  await person.waitFor(dialog.getByText(licence));
  if (by === "password") await person.field("report.sign.password", dialog).fill(goodPassword);
  const key = { password: "report.action.sign", passkey: "report.sign.passkey" }[by];
  await dialog.getByRole("button", { name: person.t(key), exact: true }).click();
  // On a busy machine, a message that is shown for five seconds may have closed before the test looks for it.
  await person.page.getByText(person.t("report.state.signed"), { exact: true }).first().waitFor({ timeout: 90_000 });
}

it("a patient and a radiograph lead to a signed PDF report, and on to its correction, in both languages", async () => {
  const person = await BrowserUser.open(browser, address, "zh");
  await signIn(person, email);
  await addPasskey(person);
  await importRadiographs(person);
  await addTracing();
  await fillChart(person);

  await person.goTo(patientTab("reports"));
  await person.waitFor(person.text("report.none"));
  await person.button("report.new").click();
  await person.page.getByRole("menuitem", { name: person.t("report.newAi") }).click();
  await person.field("report.form.diagnosis").fill("龋病。Caries of one tooth.");
  await person.button("report.form.addProblem").click();
  await person.page.getByLabel(person.t("report.form.problemText", { place: 1 }), { exact: true }).fill("深龋");
  await person.page
    .getByLabel(person.t("report.form.problemPlan", { place: 1 }), { exact: true })
    .fill("去腐充填。Composite filling.");
  await person.field("report.form.advice").fill("三个月后复查\n每日使用牙线");
  await person.page
    .getByRole("group", { name: person.t("report.form.images") })
    .getByRole("checkbox")
    .first()
    .check();
  await person.waitFor(person.page.getByRole("img", { name: person.t("report.form.ceph") }));
  await person.waitFor(person.page.getByRole("status").getByText(person.t("report.saved")));
  await person.takeScreenshots("report-draft");
  expect(await findAxeViolations(person.page)).toEqual([]);
  await signReport(person, "password");
  await person.takeScreenshots("report-signed");
  const id = present(new URL(person.page.url()).searchParams.get("id"), "id");
  const signed = await readPdf(id, "zh");
  expect(signed.pdf.length).toBeLessThan(3_000_000);
  if (signed.text !== null) {
    for (const word of ["口腔健康报告", "王小明", "龋病", "110441900000123", "去腐充填", "每日使用牙线"])
      expect(signed.text).toContain(word);
    for (const word of ["草稿", "SHA-256", "Steiner"]) expect(signed.text).not.toContain(word);
  }
  const annex = await readPdf(id, "zh", "annex");
  if (annex.text !== null)
    for (const word of ["技术附录", "T-Health", "Steiner", "SNA", "Pog′", "SHA-256"])
      expect(annex.text).toContain(word);

  await person.switchLanguage("en");
  await person.button("report.action.amend").click();
  await person.page
    .getByRole("dialog")
    .getByRole("button", { name: person.t("report.action.amend"), exact: true })
    .click();
  await person.page.waitForURL((url) => url.searchParams.get("id") !== id);
  await person.field("report.form.advice").fill("Recall in three months.");
  await person.waitFor(person.page.getByRole("status").getByText(person.t("report.saved")));
  await signReport(person, "passkey");
  await person.waitFor(person.text("report.corrects", { number: "R0000001" }));
  const correction = await readPdf(present(new URL(person.page.url()).searchParams.get("id"), "id"), "en");
  if (correction.text !== null)
    for (const word of ["Oral health report", "R0000002", "Recall in three months.", "Amends"])
      expect(correction.text).toContain(word);
  const old = await readPdf(id, "en");
  if (old.text !== null) expect(old.text).toContain("Amended by R0000002");
  expect(person.consoleProblems).toEqual([]);
  await person.close();
});
