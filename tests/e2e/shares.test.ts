import { readFileSync } from "node:fs";
import { sql } from "kysely";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import { shareCalls } from "@arcada/contract/share/share.calls";
import { shareRules } from "@arcada/contract/share/share.rules";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { createIntraoralRadiograph } from "@arcada/phantom/radiograph/intraoral-radiograph";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { waitForIngest } from "../../demo/wait-for-ingest.ts";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { readZip } from "@arcada/testing/tools/zip-reader";
import { signIn } from "./support/account-steps.ts";
import { captureFailures, checkPage } from "./support/page-checks.ts";
import { writeDesignFile, createInstitutionAccount, readScan, createShadePhoto } from "./support/order-files.ts";
import { withProductDatabase } from "./support/product-database.ts";
import { BrowserUser, narrow, wide } from "./support/browser-user.ts";
import { present } from "@arcada/testing/require-present";

const email = "shares@clinic.test";
const product = new Product();
let browser: Browser;
let study = "";
let order = "";
let clinic = { token: "" };
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  const first = await product.register(email, "clinicManager");
  const { id: iid } = await product.call(
    institutionCalls.create,
    { name: "Morning", type: "clinic", country: "CN" },
    { token: first },
  );
  clinic = await product.call(institutionCalls.switch, { iid }, { token: first });
  const { id: patientId } = await product.call(
    patientCalls.create,
    { name: "王芳", sex: "female", birthDate: "1985-09-09" },
    clinic,
  );
  const { bytes } = createIntraoralRadiograph(makeHead("shares"), {
    id: "7",
    name: "Wang^Fang",
    sex: "F",
    birthDate: "19850909",
  });
  const uploads = [await product.upload(clinic.token, "film.dcm", bytes)];
  const { id } = await product.call(uploadJobCalls.open, { patientId, uploads }, clinic);
  const job = await waitForIngest(() => product.call(uploadJobCalls.job, { id }, clinic));
  study = job.studies[0];
  order = await createDesignedOrder(patientId);
});

/** Creates an order at the lab with a scan, a photo and the radiograph, and a design that awaits its confirmation. */
async function createDesignedOrder(patientId: string): Promise<string> {
  const { iid: targetIid, session: lab } = await createInstitutionAccount(
    product,
    "lab",
    "Skilled Hands Dental",
    "lab@shares.test",
  );
  const asked = await product.call(relationCalls.step, { action: "request", iid: targetIid }, clinic);
  await product.call(relationCalls.step, { action: "accept", id: asked.id, version: asked.version }, lab);
  const scan = await product.upload(clinic.token, "王芳 upper.stl", readScan("upper"));
  const shade = await product.upload(clinic.token, "shade.jpg", await createShadePhoto());
  const sent = await product.call(
    orderCalls.save,
    {
      patientId,
      targetIid,
      caseType: "restoration",
      items: [
        { teeth: [11], kind: "crown", material: "zirconia", shade: "A2" },
        { teeth: [24, 25, 26], kind: "bridge", material: "zirconia", shade: "A3", pontics: [25] },
      ],
      workKinds: ["design", "machining"],
      dueDate: "2030-01-15",
      instructions: "前牙颜色请参考照片。",
      studies: [study],
      uploads: [
        { upload: scan, role: "upperScan" },
        { upload: shade, role: "photo" },
      ],
      send: true,
    },
    clinic,
  );
  const accepted = present(
    await product.call(
      orderCalls.step,
      { id: sent.id, version: sent.version, action: "accept", promisedDate: "2030-01-10" },
      lab,
    ),
  );
  const upload = await product.upload(lab.token, "crown-11.stl", readFileSync(writeDesignFile(1)));
  await product.call(
    orderCalls.step,
    {
      id: sent.id,
      version: accepted.version,
      action: "submitDesign",
      files: [{ upload, role: "design" }],
      text: "边缘已封闭",
    },
    lab,
  );
  return sent.id;
}
captureFailures("shares", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

const isRefusal = /status of 4(04|22)/;
const sharedHeading = (guest: BrowserUser): Locator => guest.page.getByRole("heading", { level: 1, name: /王芳/ });

it("a dentist shares a radiograph by a link, and a guest views it with a passphrase until the link is cancelled", async () => {
  const dentist = await BrowserUser.open(browser, product.address, "zh");
  await signIn(dentist, email);
  await dentist.goTo(`/viewer?study=${study}`);
  await dentist.button("share.action.share").click();
  const dialog = dentist.page.getByRole("dialog");
  await dialog.getByRole("button", { name: dentist.t("share.make.action") }).click();
  await dentist.waitFor(dentist.text("common.field.agreeNeeded"));
  await checkPage(dentist, "share-dialog");
  await dentist.field("share.make.label", dialog).fill("Dr. Li");
  await dialog.locator("input[name='factor.phrase']").fill("blue heron");
  await dialog.getByLabel(dentist.t("share.make.warned")).check();
  await dialog.getByRole("button", { name: dentist.t("share.make.action") }).click();
  const link = await dialog.locator("input[readonly]").inputValue();
  await checkPage(dentist, "share-made");

  const guest = await BrowserUser.open(browser, product.address, "en");
  const page = await guest.page.goto(link);
  expect(page?.headers()).toMatchObject({ "x-robots-tag": "noindex, nofollow", "referrer-policy": "no-referrer" });
  await guest.field("share.visitor.factor.phrase").fill("red heron");
  await guest.button("share.visitor.open").click();
  await guest.waitFor(guest.text("refusals.shareFactorWrong"));
  // The secret is in no history entry and on no screen.
  expect(guest.page.url()).not.toContain("#");
  await guest.page.setViewportSize(narrow);
  await checkPage(guest, "share-door");
  await guest.field("share.visitor.factor.phrase").fill("Blue heron");
  await guest.button("share.visitor.open").click();
  await guest.waitFor(sharedHeading(guest));
  await guest.page.reload();
  await guest.waitFor(sharedHeading(guest));
  // Another link in the same tab is knocked at, though its address differs in its secret alone.
  await guest.page.goto(`${link.split("#")[0]}#${"x".repeat(shareRules.secretLength)}`);
  await guest.waitFor(guest.text("share.visitor.goneTitle"));
  await guest.page.goto(link);
  await guest.field("share.visitor.factor.phrase").fill("blue heron");
  await guest.button("share.visitor.open").click();
  await guest.waitFor(sharedHeading(guest));
  await expect.poll(() => guest.page.locator("svg pattern").count()).toBe(1);
  // Words within a pattern are drawn by what it fills.
  await expect.poll(() => guest.page.getByText("Dr. Li", { exact: false }).count()).toBeGreaterThan(0);
  await checkPage(guest, "share-shown");

  await dentist.goTo("/shares");
  await dentist.page.getByRole("button", { name: new RegExp(`^${dentist.t("share.action.log")}`) }).click();
  await dentist.waitFor(dentist.text("share.log.what.wrong"));
  await dentist.page.keyboard.press("Escape");
  await dentist.page.setViewportSize(narrow);
  await checkPage(dentist, "share-list");
  await dentist.page.setViewportSize(wide);
  await dentist.page.getByRole("button", { name: new RegExp(`^${dentist.t("share.action.cancel")}`) }).click();
  await dialog.getByRole("button", { name: dentist.t("share.action.cancel") }).click();
  await guest.waitFor(guest.text("share.visitor.goneTitle"));
  expect(await sharedHeading(guest).count()).toBe(0);
  await dentist.waitFor(dentist.text("share.empty.living"));
  expect([...dentist.consoleProblems, ...guest.consoleProblems.filter((one) => !isRefusal.test(one))]).toEqual([]);
});

it("an order is downloaded as one archive, and shared with models, images and a design until the link is cancelled", async () => {
  const dentist = await BrowserUser.open(browser, product.address, "zh");
  await signIn(dentist, email);
  await dentist.goTo(`/orderDetail/page?id=${order}`);
  await dentist.button("order.take.action").click();
  const dialog = dentist.page.getByRole("dialog");
  await checkPage(dentist, "order-download");
  const [taken] = await Promise.all([
    dentist.page.waitForEvent("download"),
    dialog.getByRole("button", { name: /^下载（/ }).click(),
  ]);
  expect(taken.suggestedFilename()).toMatch(/^\d+-\d+\.zip$/);
  const packed = await readZip(readFileSync(await taken.path()));
  expect([...packed.keys()]).toEqual(
    expect.arrayContaining(["上颌扫描/王芳 upper.stl", "设计第 1 版/crown-11.stl", "manifest.json"]),
  );
  await expect.poll(() => dialog.count()).toBe(0);

  await dentist.button("share.action.share").click();
  await dentist.field("share.make.label", dialog).fill("Dr. Li");
  await dialog.getByLabel(dentist.t("share.make.pictures")).check();
  await dialog.getByLabel(dentist.t("order.detail.designNumber", { number: "1" }), { exact: false }).check();
  await dialog.getByLabel(dentist.t("share.make.allowDownload")).check();
  await dialog.locator("input[name='factor.phrase']").fill("blue heron");
  await dialog.getByLabel(dentist.t("share.make.warned")).check();
  await checkPage(dentist, "share-order-dialog");
  await dialog.getByRole("button", { name: dentist.t("share.make.action") }).click();
  const link = await dialog.locator("input[readonly]").inputValue();

  const guest = await BrowserUser.open(browser, product.address, "en");
  await guest.page.goto(link);
  await guest.field("share.visitor.factor.phrase").fill("blue heron");
  await guest.button("share.visitor.open").click();
  await guest.waitFor(guest.page.getByRole("heading", { level: 1, name: /王芳/ }));
  await expect.poll(() => guest.page.locator("canvas").count()).toBeGreaterThan(0);
  await guest.page.getByText(guest.t("order.detail.designNumber", { number: "1" }), { exact: true }).click();
  await guest.waitFor(guest.page.getByText("边缘已封闭"));
  await checkPage(guest, "share-order");
  await guest.page.setViewportSize(narrow);
  await checkPage(guest, "share-order");
  await guest.page.getByRole("button", { name: /film\.dcm/ }).click();
  await guest.waitFor(guest.page.getByRole("button", { name: guest.t("share.visitor.toOrder") }));
  await guest.page.getByRole("button", { name: guest.t("share.visitor.toOrder") }).click();
  const [sharedHeading] = await Promise.all([
    guest.page.waitForEvent("download"),
    guest.page.getByRole("button", { name: guest.t("share.visitor.download") }).click(),
  ]);
  expect((await readZip(readFileSync(await sharedHeading.path()))).size).toBe(5);

  await dentist.goTo("/shares");
  await dentist.waitFor(dentist.page.getByText(dentist.t("share.withPictures"), { exact: false }));
  await checkPage(dentist, "share-list-order");
  await dentist.page.getByRole("button", { name: new RegExp(`^${dentist.t("share.action.cancel")}`) }).click();
  await dialog.getByRole("button", { name: dentist.t("share.action.cancel") }).click();
  await guest.waitFor(guest.text("share.visitor.goneTitle"));
  await checkPage(guest, "share-order-gone");
  expect([...dentist.consoleProblems, ...guest.consoleProblems.filter((one) => !isRefusal.test(one))]).toEqual([]);
});

it("a guest with an expired link is notified, and the dentist sees it among the ended links", async () => {
  const dentist = await BrowserUser.open(browser, product.address, "zh");
  const guest = await BrowserUser.open(browser, product.address, "en");
  await signIn(dentist, email);
  const input = {
    kind: "study",
    id: study,
    label: "Dr. Wu",
    factor: { kind: "none" },
    nameless: true,
    warned: true,
  } as const;
  const { share, secret } = await product.call(shareCalls.create, input, clinic);
  const address = `/studyShared/detail#${secret}`;
  await guest.goTo(address);
  await guest.button("share.visitor.open").click();
  await guest.waitFor(guest.page.locator("canvas"));
  await withProductDatabase(product, (db) =>
    sql`update share set expires_at = now() where id = ${share.id}`.execute(db),
  );
  await guest.page.reload();
  await guest.waitFor(guest.text("share.visitor.goneTitle"));
  await checkPage(guest, "share-expired");
  await guest.page.setViewportSize(narrow);
  await checkPage(guest, "share-expired");
  await dentist.goTo("/shares");
  await dentist.page.getByText(dentist.t("share.part.ended"), { exact: true }).click();
  await dentist.waitFor(dentist.page.getByRole("row", { name: /Dr\. Wu/ }).getByText(dentist.t("share.state.expired")));
  await checkPage(dentist, "share-list-expired");
  expect([...dentist.consoleProblems, ...guest.consoleProblems.filter((one) => !isRefusal.test(one))]).toEqual([]);
});
