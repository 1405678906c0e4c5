import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { sessionCalls } from "@arcada/contract/account/session.calls";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { Product } from "@arcada/testing/setup/product-process";
import { signIn } from "./support/account-steps.ts";
import { chooseFiles } from "./viewer/imaging-steps.ts";
import { ControlledConnection } from "./support/controlled-connection.ts";
import { captureFailures, checkPage } from "./support/page-checks.ts";
import { generateTestFiles, createScratchFolder } from "./support/test-files.ts";
import type { TestFiles } from "./support/test-files.ts";
import { BrowserUser, isBrief, narrow } from "./support/browser-user.ts";

const email = "uploads@clinic.test";
const product = new Product();
let browser: Browser;
let connection: ControlledConnection;
let testFiles: TestFiles;
let token: string;
const patients: Record<string, string> = {};
beforeAll(async () => {
  [browser, , testFiles] = await Promise.all([launchBrowser(), product.start(), generateTestFiles()]);
  connection = await ControlledConnection.to(product.port);
  const first = await product.register(email, "clinicManager");
  const clinic = { name: "Uploads", type: "clinic", country: "CN" } as const;
  const { id: iid } = await product.call(institutionCalls.create, clinic, { token: first });
  ({ token } = await product.call(institutionCalls.switch, { iid }, { token: first }));
  for (const name of ["王小明", "张丽", "Ann Lee", "Folder Fan", "Photo Fan", "赵四"]) {
    const patient = { name, sex: "other", birthDate: "1990-01-02" } as const;
    patients[name] = (await product.call(patientCalls.create, patient, { token })).id;
  }
});
captureFailures("upload", () => browser);
afterAll(async () => {
  await browser?.close();
  connection?.close();
  await product.remove();
});

const patientPage = (name: string): string => `/patientDetail/page?id=${patients[name]}`;
const listStudies = (name: string) => product.call(studyCalls.list, { patientId: patients[name] }, { token });
const header = (person: BrowserUser) =>
  person.page
    .getByRole("banner")
    .getByRole("button", { name: new RegExp(`^${person.t("shell.uploads.ended").split(/[:：]/)[0]}`) });
const drawer = (person: BrowserUser) => person.page.getByRole("dialog", { name: person.t("upload.title") });
async function openBrowser(language: "zh" | "en"): Promise<BrowserUser> {
  const person = await BrowserUser.open(browser, connection.address, language);
  await signIn(person, email);
  return person;
}

describe("an upload", () => {
  it("continues while other pages are open and the network is interrupted, for two patients at once", async () => {
    const dentist = await openBrowser("zh");
    connection.bytesPerSecond = 400_000;
    await dentist.goTo(patientPage("王小明"));
    await chooseFiles(dentist, [testFiles.ct.file, ...testFiles.scans.files]);
    await dentist.waitFor(header(dentist));
    await dentist.page
      .getByRole("link", { name: dentist.t("shell.screen.patientList") })
      .first()
      .click();
    await dentist.page.getByRole("link", { name: "张丽" }).first().click();
    await dentist.waitFor(dentist.page.getByRole("heading", { name: "张丽" }));
    await chooseFiles(dentist, [testFiles.ceph.file]);
    await connection.cutFor(700);
    await dentist.page.waitForTimeout(1500);
    await connection.cutFor(700);
    await header(dentist).click();
    const shown = drawer(dentist);
    for (const name of ["王小明", "张丽"]) await dentist.waitFor(shown.getByRole("link", { name }));
    await shown
      .getByRole("button", { name: dentist.t("order.drop.pause") })
      .first()
      .click();
    await dentist.waitFor(shown.getByRole("button", { name: dentist.t("order.drop.resume") }));
    await checkPage(dentist, "upload-centre", { alsoDark: true });
    await shown.getByRole("button", { name: dentist.t("order.drop.resume") }).click();
    connection.bytesPerSecond = 0;
    for (const count of [1, 2])
      await shown.getByText(dentist.t("study.outcome.done", { count })).waitFor({ timeout: 60_000 });
    await checkPage(dentist, "upload-centre-ended");
    await shown
      .getByRole("link", { name: dentist.t("upload.open"), exact: true })
      .last()
      .click();
    await shown.waitFor({ state: "hidden" });
    await dentist.waitFor(dentist.page.getByRole("heading", { name: "王小明" }));
    expect((await listStudies("王小明")).map(({ kind }) => kind).toSorted()).toEqual(["ct", "model"]);
    expect((await listStudies("张丽")).map(({ kind }) => kind)).toEqual(["lateralCeph"]);
    expect(
      dentist.consoleProblems.filter(
        (connection) => !/ERR_(EMPTY_RESPONSE|CONNECTION|SOCKET|INCOMPLETE)/.test(connection),
      ),
    ).toEqual([]);
    await dentist.close();
  });

  it("that a reload has interrupted asks for its files by name and sends the missing ones", async () => {
    const dentist = await openBrowser("en");
    await dentist.page.setViewportSize(narrow);
    dentist.page.on("dialog", (dialog) => void dialog.accept());
    const begun: string[] = [];
    dentist.page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/uploads")) begun.push(request.url());
    });
    await dentist.goTo(patientPage("Ann Lee"));
    connection.bytesPerSecond = 150_000;
    await chooseFiles(dentist, [testFiles.ceph.file, ...testFiles.scans.files]);
    await dentist.waitFor(dentist.page.getByText(/^Uploading 1 of 3/));
    await dentist.page.reload();
    connection.bytesPerSecond = 0;
    await dentist.waitFor(dentist.text("upload.missing", { count: 2 }));
    await checkPage(dentist, "upload-missing");
    await header(dentist).click();
    await checkPage(dentist, "upload-centre");
    await dentist.page.keyboard.press("Escape");
    const card = dentist.page
      .getByText(dentist.t("upload.missing", { count: 2 }))
      .locator("xpath=ancestor::div[@data-kind]");
    await chooseFiles(dentist, [testFiles.ceph.file, ...testFiles.scans.files], card);
    const done = dentist.page.getByText(dentist.t("study.outcome.done", { count: 2 })).first();
    await done.waitFor({ timeout: 60_000 });
    const made = await listStudies("Ann Lee");
    expect(Object.fromEntries(made.map(({ kind, count }) => [kind, count]))).toEqual({ lateralCeph: 1, model: 2 });
    expect(begun).toHaveLength(3);
    await dentist.close();
  });

  it("of a folder imports files with the same name, size and time as distinct ones, and lists those that cannot be viewed", async () => {
    const dentist = await openBrowser("en");
    await dentist.goTo(patientPage("Folder Fan"));
    await dentist.page.locator("input[webkitdirectory]").first().setInputFiles(createDiscFolder());
    await dentist.page.getByText(dentist.t("study.outcome.done", { count: 1 })).waitFor({ timeout: 60_000 });
    await dentist.waitFor(dentist.page.getByText(dentist.t("refusals.fileUnknown", { name: "readme.txt" })));
    await dentist.waitFor(dentist.text("study.outcome.refused", { count: 1 }));
    expect(await listStudies("Folder Fan")).toMatchObject([{ kind: "ct", count: 20 }]);
    await dentist.page.locator("input[webkitdirectory]").first().setInputFiles(createDiscFolder());
    await dentist.waitFor(dentist.text("upload.nothingNew"));
    await dentist.waitFor(dentist.text("upload.known", { count: 20 }));
    await checkPage(dentist, "upload-known");
    await dentist.close();
  });

  it.skipIf(isBrief)(
    "has the guessed types of all its studies confirmed with one click, and two of them compared by keyboard",
    async () => {
      const dentist = await openBrowser("en");
      const { page } = dentist;
      await dentist.goTo(patientPage("Photo Fan"));
      await chooseFiles(dentist, await createPhotos());
      await page.getByText(dentist.t("study.outcome.done", { count: 2 })).waitFor({ timeout: 60_000 });
      await dentist.button("study.allKindsRight").click();
      await dentist.button("study.allKindsRight").waitFor({ state: "hidden" });
      expect((await listStudies("Photo Fan")).map(({ kindCertain }) => kindCertain)).toEqual([true, true]);
      await page.locator("a[data-study]").first().focus();
      for (const key of [" ", "ArrowRight", " "]) await page.keyboard.press(key);
      await checkPage(dentist, "image-wall");
      await dentist.link("study.compare").click();
      await page.waitForURL((url) => url.searchParams.has("left") && url.searchParams.has("right"));
      expect(dentist.consoleProblems).toEqual([]);
      await dentist.close();
    },
  );

  it("that fails shows the reason, can be retried, and survives the end of the session", async () => {
    const dentist = await openBrowser("zh");
    await dentist.goTo(patientPage("赵四"));
    const refused = { code: refusals.quotaExceeded.code, msg: dentist.t("refusals.quotaExceeded"), data: null };
    await dentist.page.route("**/uploads", (route) => route.fulfill({ status: 507, json: refused }));
    await chooseFiles(dentist, [testFiles.ceph.file]);
    await dentist.button("order.drop.remove", { name: path.basename(testFiles.ceph.file) }).click();
    await dentist.text("upload.failed").waitFor({ state: "hidden" });
    await chooseFiles(dentist, testFiles.scans.files);
    await dentist.waitFor(dentist.text("upload.failed"));
    await dentist.waitFor(dentist.text("refusals.quotaExceeded"));
    await checkPage(dentist, "upload-failed");
    await dentist.page.unroute("**/uploads");
    connection.bytesPerSecond = 300_000;
    await dentist.button("common.retry").click();
    await dentist.waitFor(dentist.page.getByText(/· [1-9]\d?%/));
    const own = await product.call(signInCalls.login, { account: email, password: goodPassword });
    for (const { id, kind } of await product.call(sessionCalls.sessions, {}, own))
      if (kind === "browser") await product.call(sessionCalls.endSession, { id }, own);
    await dentist.waitFor(dentist.text("shell.signInAgainTitle"));
    connection.bytesPerSecond = 0;
    await dentist.button("shell.reLogin").click();
    await dentist.field("account.password").fill(goodPassword);
    await dentist.button("account.signIn").click();
    await dentist.page.getByText(dentist.t("study.outcome.done", { count: 1 })).waitFor({ timeout: 60_000 });
    expect(await listStudies("赵四")).toMatchObject([{ kind: "model", count: 2 }]);
    await dentist.close();
  });
});

/** Two photographs, whose kind can only be guessed. */
function createPhotos(): Promise<string[]> {
  const folder = createScratchFolder();
  return Promise.all(
    ["#884444", "#446688"].map(async (background, at) => {
      const file = path.join(folder, `photo-${at}.jpg`);
      await sharp({ create: { width: 900, height: 600, channels: 3, background } })
        .jpeg()
        .toFile(file);
      return file;
    }),
  );
}

/**
 * Creates a folder like that of a disc: folders whose files have the same names, sizes and times, files that operating
 * systems leave behind, and a text.
 */
function createDiscFolder(): string {
  const who = { id: "F-1", name: "Folder^Fan", sex: "O", birthDate: "19900102" } as const;
  const size = { columns: 64, rows: 64, slices: 20, voxel: 2.4 };
  const folder = path.join(createScratchFolder(), "disc");
  const put = (name: string, bytes: Uint8Array) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    utimesSync(file, 1_700_000_000, 1_700_000_000);
  };
  for (const [at, { bytes }] of [...createCbctFiles(makeHead("disc"), who, { size })].entries())
    put(`DICOM/S${at}/I0`, bytes);
  for (const name of [".DS_Store", "DICOM/Thumbs.db", "__MACOSX/DICOM/S0/I0"]) put(name, Buffer.from("left behind"));
  put("readme.txt", Buffer.from("Open index.html to see the pictures."));
  return folder;
}
