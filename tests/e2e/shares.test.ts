import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { film } from "@arcada/imaging/phantom/film";
import { makeHead } from "@arcada/imaging/phantom/head";
import { ingestOver } from "../../demo/ingest-over.ts";
import { launchBrowser } from "../browser.ts";
import { Product } from "../product.ts";
import { signsIn } from "./entering.ts";
import { keepsFailures, looks } from "./looking.ts";
import { Person, narrow, wide } from "./person.ts";

const email = "shares@clinic.test";
const product = new Product();
let browser: Browser;
let study = "";
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  const first = await product.register(email, "clinicManager");
  const { id: iid } = await product.gets(
    institutionCalls.create,
    { name: "Morning", type: "clinic", country: "CN" },
    { token: first },
  );
  const { token } = await product.gets(institutionCalls.switch, { iid }, { token: first });
  const ask = { token };
  const { id: patientId } = await product.gets(
    patientCalls.create,
    { name: "王芳", sex: "female", birthDate: "1985-09-09" },
    ask,
  );
  const { bytes } = film(makeHead("shares"), { id: "7", name: "Wang^Fang", sex: "F", birthDate: "19850909" });
  const uploads = [await product.upload(token, "film.dcm", bytes)];
  const { id } = await product.gets(studyCalls.open, { patientId, uploads }, ask);
  const job = await ingestOver(() => product.gets(studyCalls.job, { id }, ask));
  study = job.studies[0]!;
});
keepsFailures("shares", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

const isRefusal = /status of 4(04|22)/;
const shared = (guest: Person): Locator => guest.page.getByRole("heading", { level: 1, name: /王芳/ });

it("a dentist shares a film by a link, somebody looks at it by a passphrase, until it is cancelled", async () => {
  const dentist = await Person.sitsDown(browser, product.address, "zh");
  await signsIn(dentist, email);
  await dentist.goes(`/viewer?study=${study}`);
  await dentist.button("share.action.share").click();
  const dialog = dentist.page.getByRole("dialog");
  await dialog.getByRole("button", { name: dentist.t("share.make.action") }).click();
  await dentist.sees(dentist.text("common.field.agreeNeeded"));
  await looks(dentist, "share-dialog");
  await dentist.field("share.make.label", dialog).fill("Dr. Li");
  await dialog.locator("input[name='factor.phrase']").fill("blue heron");
  await dialog.getByLabel(dentist.t("share.make.warned")).check();
  await dialog.getByRole("button", { name: dentist.t("share.make.action") }).click();
  const link = await dialog.locator("input[readonly]").inputValue();
  await looks(dentist, "share-made");

  const guest = await Person.sitsDown(browser, product.address, "en");
  const page = await guest.page.goto(link);
  expect(page?.headers()).toMatchObject({ "x-robots-tag": "noindex, nofollow", "referrer-policy": "no-referrer" });
  await guest.field("share.visitor.factor.phrase").fill("red heron");
  await guest.button("share.visitor.open").click();
  await guest.sees(guest.text("refusals.shareFactorWrong"));
  // The secret stands in no history and on no screen.
  expect(guest.page.url()).not.toContain("#");
  await guest.page.setViewportSize(narrow);
  await looks(guest, "share-door");
  await guest.field("share.visitor.factor.phrase").fill("Blue heron");
  await guest.button("share.visitor.open").click();
  await guest.sees(shared(guest));
  await guest.page.reload();
  await guest.sees(shared(guest));
  expect(await guest.page.locator("svg pattern").count()).toBe(1);
  expect(await guest.page.getByText("Dr. Li", { exact: false }).count()).toBeGreaterThan(0);
  await looks(guest, "share-shown");

  await dentist.goes("/shares");
  await dentist.page.getByRole("button", { name: new RegExp(`^${dentist.t("share.action.log")}`) }).click();
  await dentist.sees(dentist.text("share.log.what.wrong"));
  await dentist.page.keyboard.press("Escape");
  await dentist.page.setViewportSize(narrow);
  await looks(dentist, "share-list");
  await dentist.page.setViewportSize(wide);
  await dentist.page.getByRole("button", { name: new RegExp(`^${dentist.t("share.action.cancel")}`) }).click();
  await dialog.getByRole("button", { name: dentist.t("share.action.cancel") }).click();
  await guest.sees(guest.text("share.visitor.goneTitle"));
  expect(await shared(guest).count()).toBe(0);
  await dentist.sees(dentist.text("share.empty.living"));
  expect([...dentist.complaints, ...guest.complaints.filter((one) => !isRefusal.test(one))]).toEqual([]);
});
