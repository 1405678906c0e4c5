import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accountCalls } from "@arcada/contract/account/account.calls";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { cbctFiles } from "@arcada/imaging/phantom/cbct";
import { makeHead } from "@arcada/imaging/phantom/head";
import { launchBrowser } from "../browser.ts";
import { goodPassword } from "../human.ts";
import { Product } from "../product.ts";
import { signsIn } from "./entering.ts";
import { choosesFiles } from "./imaging.ts";
import { Line } from "./line.ts";
import { keepsFailures, looks } from "./looking.ts";
import { generatedMaterial, scratch } from "./material.ts";
import type { Material } from "./material.ts";
import { Person, narrow } from "./person.ts";

const email = "uploads@clinic.test";
const product = new Product();
let browser: Browser;
let line: Line;
let material: Material;
let token: string;
const patients: Record<string, string> = {};
beforeAll(async () => {
  [browser, , material] = await Promise.all([launchBrowser(), product.start(), generatedMaterial()]);
  line = await Line.to(product.port);
  const first = await product.register(email, "clinicManager");
  const clinic = { name: "Uploads", type: "clinic", country: "CN" } as const;
  const { id: iid } = await product.gets(institutionCalls.create, clinic, { token: first });
  ({ token } = await product.gets(institutionCalls.switch, { iid }, { token: first }));
  for (const name of ["王小明", "张丽", "Ann Lee", "Folder Fan", "赵四"]) {
    const patient = { name, sex: "other", birthDate: "1990-01-02" } as const;
    patients[name] = (await product.gets(patientCalls.create, patient, { token })).id;
  }
});
keepsFailures("upload", () => browser);
afterAll(async () => {
  await browser?.close();
  line?.close();
  await product.remove();
});

const pageOf = (name: string): string => `/patientDetail/page?id=${patients[name]}`;
const studiesOf = (name: string) => product.gets(studyCalls.list, { patientId: patients[name]! }, { token });
const header = (person: Person) =>
  person.page
    .getByRole("banner")
    .getByRole("button", { name: new RegExp(`^${person.t("shell.uploads.ended").split(/[:：]/)[0]}`) });
const drawer = (person: Person) => person.page.getByRole("dialog", { name: person.t("upload.title") });
async function sits(language: "zh" | "en"): Promise<Person> {
  const person = await Person.sitsDown(browser, line.address, language);
  await signsIn(person, email);
  return person;
}

describe("an upload", () => {
  it("goes on while other pages are looked at and the network is cut, for two patients at once", async () => {
    const dentist = await sits("zh");
    line.rate = 400_000;
    await dentist.goes(pageOf("王小明"));
    await choosesFiles(dentist, [material.ct.file, ...material.scans.files]);
    await dentist.sees(header(dentist));
    await dentist.page
      .getByRole("link", { name: dentist.t("shell.screen.patientList") })
      .first()
      .click();
    await dentist.page.getByRole("link", { name: "张丽" }).first().click();
    await dentist.sees(dentist.page.getByRole("heading", { name: "张丽" }));
    await choosesFiles(dentist, [material.ceph.file]);
    await line.isCutFor(700);
    await dentist.page.waitForTimeout(1500);
    await line.isCutFor(700);
    await header(dentist).click();
    const shown = drawer(dentist);
    for (const name of ["王小明", "张丽"]) await dentist.sees(shown.getByRole("link", { name }));
    await shown
      .getByRole("button", { name: dentist.t("order.drop.pause") })
      .first()
      .click();
    await dentist.sees(shown.getByRole("button", { name: dentist.t("order.drop.resume") }));
    await looks(dentist, "upload-centre", { alsoDark: true });
    await shown.getByRole("button", { name: dentist.t("order.drop.resume") }).click();
    line.rate = 0;
    for (const count of [1, 2])
      await shown.getByText(dentist.t("study.outcome.done", { count })).waitFor({ timeout: 60_000 });
    await looks(dentist, "upload-centre-ended");
    await shown
      .getByRole("link", { name: dentist.t("upload.open"), exact: true })
      .last()
      .click();
    await shown.waitFor({ state: "hidden" });
    await dentist.sees(dentist.page.getByRole("heading", { name: "王小明" }));
    expect((await studiesOf("王小明")).map(({ kind }) => kind).toSorted()).toEqual(["ct", "model"]);
    expect((await studiesOf("张丽")).map(({ kind }) => kind)).toEqual(["lateralCeph"]);
    expect(
      dentist.complaints.filter((line) => !/ERR_(EMPTY_RESPONSE|CONNECTION|SOCKET|INCOMPLETE)/.test(line)),
    ).toEqual([]);
    await dentist.leaves();
  });

  it("that a reload has cut off asks for its files by name and sends what is missing", async () => {
    const dentist = await sits("en");
    await dentist.page.setViewportSize(narrow);
    dentist.page.on("dialog", (dialog) => void dialog.accept());
    const begun: string[] = [];
    dentist.page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/uploads")) begun.push(request.url());
    });
    await dentist.goes(pageOf("Ann Lee"));
    line.rate = 150_000;
    await choosesFiles(dentist, [material.ceph.file, ...material.scans.files]);
    await dentist.sees(dentist.page.getByText(/^Uploading 1 of 3/));
    await dentist.page.reload();
    line.rate = 0;
    await dentist.sees(dentist.text("upload.missing", { count: 2 }));
    await looks(dentist, "upload-missing");
    await header(dentist).click();
    await looks(dentist, "upload-centre");
    await dentist.page.keyboard.press("Escape");
    const card = dentist.page
      .getByText(dentist.t("upload.missing", { count: 2 }))
      .locator("xpath=ancestor::div[@data-kind]");
    await choosesFiles(dentist, [material.ceph.file, ...material.scans.files], card);
    const done = dentist.page.getByText(dentist.t("study.outcome.done", { count: 2 })).first();
    await done.waitFor({ timeout: 60_000 });
    const made = await studiesOf("Ann Lee");
    expect(Object.fromEntries(made.map(({ kind, count }) => [kind, count]))).toEqual({ lateralCeph: 1, model: 2 });
    expect(begun).toHaveLength(3);
    await dentist.leaves();
  });

  it("of a folder brings its files of one name, size and time in, each as it is, and names what is nothing to look at", async () => {
    const dentist = await sits("en");
    await dentist.goes(pageOf("Folder Fan"));
    await dentist.page.locator("input[webkitdirectory]").first().setInputFiles(discFolder());
    await dentist.page.getByText(dentist.t("study.outcome.done", { count: 1 })).waitFor({ timeout: 60_000 });
    await dentist.sees(dentist.page.getByText(dentist.t("refusals.fileUnknown", { name: "readme.txt" })));
    await dentist.sees(dentist.text("study.outcome.refused", { count: 1 }));
    expect(await studiesOf("Folder Fan")).toMatchObject([{ kind: "ct", count: 20 }]);
    await dentist.page.locator("input[webkitdirectory]").first().setInputFiles(discFolder());
    await dentist.sees(dentist.text("upload.nothingNew"));
    await dentist.sees(dentist.text("upload.known", { count: 20 }));
    await looks(dentist, "upload-known");
    await dentist.leaves();
  });

  it("that fails says so with the reason, is tried again, and outlives the end of the session", async () => {
    const dentist = await sits("zh");
    await dentist.goes(pageOf("赵四"));
    const refused = { code: 50702, msg: dentist.t("refusals.quotaExceeded"), data: null };
    await dentist.page.route("**/uploads", (route) => route.fulfill({ status: 507, json: refused }));
    await choosesFiles(dentist, [material.ceph.file]);
    await dentist.button("order.drop.remove", { name: path.basename(material.ceph.file) }).click();
    await dentist.text("upload.failed").waitFor({ state: "hidden" });
    await choosesFiles(dentist, material.scans.files);
    await dentist.sees(dentist.text("upload.failed"));
    await dentist.sees(dentist.text("refusals.quotaExceeded"));
    await looks(dentist, "upload-failed");
    await dentist.page.unroute("**/uploads");
    line.rate = 300_000;
    await dentist.button("common.retry").click();
    await dentist.sees(dentist.page.getByText(/· [1-9]\d?%/));
    const own = await product.gets(accountCalls.login, { account: email, password: goodPassword });
    for (const { id, kind } of await product.gets(accountCalls.sessions, {}, own))
      if (kind === "browser") await product.gets(accountCalls.endSession, { id }, own);
    await dentist.sees(dentist.text("shell.signInAgainTitle"));
    line.rate = 0;
    await dentist.button("shell.reLogin").click();
    await dentist.field("account.password").fill(goodPassword);
    await dentist.button("account.signIn").click();
    await dentist.page.getByText(dentist.t("study.outcome.done", { count: 1 })).waitFor({ timeout: 60_000 });
    expect(await studiesOf("赵四")).toMatchObject([{ kind: "model", count: 2 }]);
    await dentist.leaves();
  });
});

/** As a disc comes: folders whose files have the same names, sizes and times, what systems leave behind, and a text. */
function discFolder(): string {
  const who = { id: "F-1", name: "Folder^Fan", sex: "O", birthDate: "19900102" } as const;
  const size = { columns: 64, rows: 64, slices: 20, voxel: 2.4 };
  const folder = path.join(scratch(), "disc");
  const put = (name: string, bytes: Uint8Array) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    utimesSync(file, 1_700_000_000, 1_700_000_000);
  };
  for (const [at, { bytes }] of [...cbctFiles(makeHead("disc"), who, { size })].entries())
    put(`DICOM/S${at}/I0`, bytes);
  for (const name of [".DS_Store", "DICOM/Thumbs.db", "__MACOSX/DICOM/S0/I0"]) put(name, Buffer.from("left behind"));
  put("readme.txt", Buffer.from("Open index.html to see the pictures."));
  return folder;
}
