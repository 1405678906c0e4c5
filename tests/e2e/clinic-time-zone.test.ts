import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { localTimeIn } from "@arcada/contract/kernel/time-zone";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { shareCalls } from "@arcada/contract/share/share.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { visitCalls } from "@arcada/contract/visit/visit.calls";
import { createIntraoralRadiograph } from "@arcada/phantom/radiograph/intraoral-radiograph";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { waitForIngest } from "../../demo/wait-for-ingest.ts";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { signIn } from "./support/account-steps.ts";
import { captureFailures, checkPage } from "./support/page-checks.ts";
import { BrowserUser, narrow } from "./support/browser-user.ts";
import { present } from "@arcada/testing/require-present";

/** Every browser of these tests is in Shanghai. */
const timeZone = "America/Los_Angeles";
const email = "zone@clinic.test";
const product = new Product();
let browser: Browser;
let clinic = { token: "" };
let patientId = "";
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  const first = await product.register(email, "clinicManager");
  const founded = { name: "Pacific Dental", type: "clinic", country: "US", timeZone } as const;
  const { id: iid } = await product.call(institutionCalls.create, founded, { token: first });
  clinic = await product.call(institutionCalls.switch, { iid }, { token: first });
  const person = { name: "Ann Smith", sex: "female", birthDate: "1985-09-09" } as const;
  patientId = (await product.call(patientCalls.create, person, clinic)).id;
});
captureFailures("clinic-zone", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

it("a dentist whose browser is in another time zone records a visit in the clinic's time", async () => {
  const dentist = await BrowserUser.open(browser, product.address, "en");
  await signIn(dentist, email);
  await dentist.goTo(`/patientDetail/page?id=${patientId}&tab=visits`);
  await dentist.button("visit.add").first().click();
  const form = dentist.page.getByRole("dialog");
  const at = dentist.field("visit.field.at", form);
  const [before, shown, after] = [
    localTimeIn(timeZone, new Date()),
    await at.inputValue(),
    localTimeIn(timeZone, new Date()),
  ];
  expect([before, after].map((wall) => wall.slice(0, 16).replace("T", " "))).toContain(shown);
  await at.fill("2026-01-14 23:30");
  await form.getByLabel(dentist.t("visit.part.complaint")).fill("Toothache");
  await form.getByRole("button", { name: dentist.t("common.save") }).click();
  await dentist.waitFor(dentist.page.locator("time", { hasText: "2026-01-14 23:30" }));
  await checkPage(dentist, "zone-visit");
  const { list } = await product.call(visitCalls.list, { patientId }, clinic);
  expect(list.map((visit) => new Date(visit.at).toISOString())).toEqual(["2026-01-15T07:30:00.000Z"]);
});

it("a guest in another time zone reads the clinic's time, with its offset", async () => {
  const { bytes } = createIntraoralRadiograph(makeHead("zone"), {
    id: "7",
    name: "Smith^Ann",
    sex: "F",
    birthDate: "19850909",
  });
  const uploads = [await product.upload(clinic.token, "film.dcm", bytes)];
  const { id: job } = await product.call(uploadJobCalls.open, { patientId, uploads }, clinic);
  const { studies } = await waitForIngest(() => product.call(uploadJobCalls.job, { id: job }, clinic));
  const input = {
    kind: "study",
    id: studies[0],
    label: "Dr. Li",
    nameless: true,
    factor: { kind: "none" },
    warned: true,
  } as const;
  const { secret } = await product.call(shareCalls.create, input, clinic);
  const guest = await BrowserUser.open(browser, product.address, "en", { viewport: narrow });
  await guest.goTo(`/studyShared/detail#${secret}`);
  await guest.button("share.visitor.open").click();
  const until = guest.page.getByText(/Until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(UTC−[78]\)/);
  await guest.waitFor(until);
  const wall = present(/\d{4}-\d\d-\d\d \d\d:\d\d/.exec(await until.first().innerText()))[0];
  const hoursLeft =
    (Date.parse(`${wall}Z`) - Date.parse(`${localTimeIn(timeZone, new Date()).slice(0, 19)}Z`)) / 3_600_000;
  expect(hoursLeft).toBeGreaterThan(0);
  expect(hoursLeft).toBeLessThan(8);
  await checkPage(guest, "zone-guest");
});
