import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { sessionCalls } from "@arcada/contract/account/session.calls";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { prescription } from "@arcada/testing/fixtures/patient-with-orders";
import { Product } from "@arcada/testing/setup/product-process";
import { goodPassword as password } from "@arcada/testing/fixtures/human-check";
import { signIn } from "./support/account-steps.ts";
import { toolButton } from "./viewer/choose-tool.ts";
import { chooseFiles } from "./viewer/imaging-steps.ts";
import { captureFailures } from "./support/page-checks.ts";
import { BrowserUser } from "./support/browser-user.ts";
import { writeLongScan, createCorruptedFiles } from "./support/corrupted-files.ts";
import { uploadCt } from "./support/order-files.ts";
import { createTranslator } from "./support/translations.ts";

const product = new Product();
let browser: Browser;
let clinic: Institution;
let lab: Institution;
let dentist: BrowserUser;
let patientId: string;
let patientPage: string;
let orderPage: string;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  clinic = await createInstitution("clinic", "clinicManager");
  lab = await createInstitution("lab", "labManager");
  const { id } = await product.call(relationCalls.step, { action: "request", iid: clinic.iid }, lab.session);
  await product.call(relationCalls.step, { action: "accept", id }, clinic.session);
  const patient = await product.call(
    patientCalls.create,
    { name: "赵敏", sex: "female", birthDate: "1992-03-04" },
    clinic.session,
  );
  patientId = patient.id;
  patientPage = `/patientDetail/page?id=${patientId}`;
  const draft = await product.call(orderCalls.save, prescription(patient.id, lab.iid), {
    ...clinic.session,
    "idempotency-key": "draft",
  });
  orderPage = `/orderDetail/page?id=${draft.id}`;
  dentist = await BrowserUser.open(browser, product.address);
  await signIn(dentist, clinic.email);
});
captureFailures("refusals", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

interface Institution {
  email: string;
  iid: string;
  session: { token: string };
}
async function createInstitution(type: "clinic" | "lab", role: "clinicManager" | "labManager"): Promise<Institution> {
  const email = `${type}@refusals.test`;
  const token = await product.register(email, role);
  const { id: iid } = await product.call(
    institutionCalls.create,
    { name: `Refusals ${type}`, type, country: "CN" },
    { token },
  );
  const moved = await product.call(institutionCalls.switch, { iid }, { token });
  return { email, iid, session: { token: moved.token } };
}

describe("form input", () => {
  it("stays after a refused sign-in, with each error beside its field", async () => {
    const person = await BrowserUser.open(browser, product.address);
    await person.goTo("/login");
    await person.button("account.cookiesAccept").click();
    await person.button("account.signIn").click();
    await person.waitFor(person.text("common.field.accountEmpty"));
    await person.field("account.account").fill(clinic.email);
    await person.field("account.password").fill("not-the-password-1");
    await person.button("account.signIn").click();
    await person.waitFor(person.page.getByText(person.t("common.field.wrongPassword")));
    expect(await person.field("account.account").inputValue()).toBe(clinic.email);
    await person.takeScreenshots("refused-login", { alsoIn: ["en"] });
    await person.close();
  });

  it("stays in a patient form with missing fields, with each error beside its field", async () => {
    await dentist.goTo("/patientList");
    await dentist.button("patient.new").first().click();
    await dentist.field("patient.field.name").fill("孙丽");
    await dentist.field("patient.field.email").fill("no address");
    await dentist.button("common.save").click();
    await dentist.waitFor(dentist.text("common.field.emailShape"));
    await dentist.waitFor(dentist.text("common.field.birthNeeded"));
    expect(await dentist.field("patient.field.name").inputValue()).toBe("孙丽");
    expect(await dentist.field("patient.field.email").inputValue()).toBe("no address");
    await dentist.takeScreenshots("refused-patient");
  });

  it("survives the end of the session and a new sign-in on the same page", async () => {
    await dentist.goTo("/patientList");
    await dentist.button("patient.new").first().click();
    // The preceding test left unsent input.
    await dentist.button("common.startOver").click();
    await dentist.field("patient.field.name").fill("周婷");
    await dentist.page
      .getByRole("dialog")
      .getByRole("radiogroup", { name: dentist.t("patient.field.sex") })
      .getByText(dentist.t("common.sex.female"), { exact: true })
      .click();
    await dentist.field("patient.field.birthDate").fill("2001-02-03");
    const { token } = await product.call(signInCalls.login, { account: clinic.email, password });
    for (const { id, kind } of await product.call(sessionCalls.sessions, {}, { token }))
      if (kind === "browser") await product.call(sessionCalls.endSession, { id }, { token });
    await dentist.button("common.save").click();
    await dentist.waitFor(dentist.text("shell.signInAgainTitle"));
    await dentist.takeScreenshots("sign-in-again");
    await dentist.button("shell.reLogin").click();
    await dentist.field("account.password").fill(password);
    await dentist.button("account.signIn").click();
    await dentist.text("shell.signInAgainTitle").waitFor({ state: "hidden" });
    expect(await dentist.field("patient.field.name").inputValue()).toBe("周婷");
    await dentist.button("common.save").click();
    await dentist.waitFor(dentist.page.getByRole("heading", { name: "周婷" }));
  });
});

describe("files", () => {
  it("that cannot be accepted are each refused for a specific reason, in Chinese and in English", async () => {
    for (const { description: what, file, refusal } of await createCorruptedFiles()) {
      await dentist.goTo(patientPage);
      await chooseFiles(dentist, [file]);
      const name = file.split("/").at(-1);
      for (const language of ["zh", "en"] as const) {
        await dentist.switchLanguage(language);
        await dentist.waitFor(dentist.page.getByText(createTranslator(language)(`refusals.${refusal}`, { name })));
      }
      await dentist.takeScreenshots(`refused-${refusal}`);
      await dentist.switchLanguage("zh");
      const dismiss = dentist.button("common.ok");
      expect(await dismiss.count(), what).toBeGreaterThan(0);
      await dismiss.first().click();
    }
  });

  it("resume from their last offset after the server was killed during the upload", async () => {
    await dentist.goTo(patientPage);
    const offsets: number[] = [];
    dentist.page.on("request", (request) => {
      if (request.method() === "PATCH") offsets.push(Number(request.headers()["upload-offset"]));
    });
    const network = await dentist.context.newCDPSession(dentist.page);
    await network.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 500_000,
    });
    await chooseFiles(dentist, [writeLongScan()]);
    await expect
      .poll(async () => (await dentist.page.getByText(/· [2-8]\d%/).count()) > 0, { timeout: 30_000, interval: 100 })
      .toBe(true);
    await product.kill();
    await product.start();
    await network.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    await dentist.page.getByText(dentist.t("study.outcome.done", { count: 1 })).waitFor({ timeout: 60_000 });
    expect(offsets[0]).toBe(0);
    expect(offsets.at(-1)).toBeGreaterThan(0);
  });
});

describe("an order", () => {
  it("shows its current state and a message if another user has just changed it", async () => {
    const patient = await product.call(
      patientCalls.create,
      { name: "钱进", sex: "male", birthDate: "1970-05-06" },
      clinic.session,
    );
    const order = await product.call(
      orderCalls.save,
      { ...prescription(patient.id, lab.iid), send: true },
      { ...clinic.session, "idempotency-key": "race" },
    );
    const person = await BrowserUser.open(browser, product.address);
    await signIn(person, lab.email);
    await person.goTo(`/orderDetail/page?id=${order.id}`);
    await person.page
      .getByRole("main")
      .getByRole("button", { name: person.t("order.action.accept"), exact: true })
      .click();
    await person.page.route("**/v1/order/step", async (route) => {
      const { version } = await product.call(orderCalls.detail, { id: order.id }, clinic.session);
      await product.call(
        orderCalls.step,
        { id: order.id, action: "cancel", version, reason: "Wrong patient" },
        { ...clinic.session, "idempotency-key": "cancels" },
      );
      await route.continue();
    });
    await person.page
      .getByRole("dialog")
      .getByRole("button", { name: person.t("order.action.accept"), exact: true })
      .click();
    await person.waitFor(person.page.getByText(person.t("order.state.cancelled"), { exact: true }));
    await person.waitFor(
      person
        .text("refusals.orderChanged")
        .or(person.text("refusals.orderActionNotAllowed"))
        .or(person.text("order.ask.gone")),
    );
    await person.takeScreenshots("order-raced");
    await person.close();
  });
});

it("keeps the page if the code of a tooltip or of a panel cannot be fetched, and opens both once it can", async () => {
  const { page } = dentist;
  await dentist.goTo("/patientList");
  const bell = page.getByRole("banner").getByRole("button", { name: dentist.t("notice.title") });
  const code = /\/assets\/(anchored-overlays|notice-panel)-[^/]*\.js$/;
  const refused: string[] = [];
  await page.route(code, (route) => {
    refused.push(route.request().url());
    return route.fulfill({ status: 404, body: "" });
  });
  await bell.hover();
  await expect.poll(() => refused.filter((url) => url.includes("anchored-overlays")).length).toBeGreaterThan(0);
  await bell.click();
  await dentist.waitFor(dentist.text("common.state.errorTitle"));
  expect(await bell.getAttribute("aria-expanded")).toBe("false");
  expect(await page.getByRole("tooltip").count()).toBe(0);
  await dentist.waitFor(dentist.button("patient.new").first());
  await page.unroute(code);
  await page.reload();
  await bell.hover();
  await dentist.waitFor(page.getByRole("tooltip"));
  await bell.click();
  await dentist.waitFor(page.getByRole("dialog", { name: dentist.t("notice.title") }));
});

it("keeps the viewer if the code of a tool's form cannot be fetched, and shows the form once it can", async () => {
  const { page } = dentist;
  const study = await uploadCt(product, clinic.session, patientId);
  const code = /\/assets\/display-settings-forms-[^/]*\.js$/;
  await page.route(code, (route) => route.fulfill({ status: 404, body: "" }));
  await dentist.goTo(`/viewer?study=${study}`);
  const tool = toolButton(dentist, "viewer.slab.title");
  await tool.click();
  const form = page.getByRole("dialog", { name: dentist.t("viewer.slab.title") });
  await dentist.waitFor(form.getByRole("alert"));
  await page.unroute(code);
  // Chromium does not fetch a module again that failed: the page is loaded anew.
  const loaded = page.waitForEvent("load");
  await form.getByRole("button", { name: dentist.t("common.retry") }).click();
  await loaded;
  await tool.click();
  await dentist.waitFor(form.getByRole("slider").first());
});

it("shows what belongs to another organisation as if it did not exist", async () => {
  const person = await BrowserUser.open(browser, product.address);
  await product.register("stranger@refusals.test", "clinicManager");
  const { token } = await product.call(signInCalls.login, { account: "stranger@refusals.test", password });
  await product.call(institutionCalls.create, { name: "Strangers", type: "clinic", country: "CN" }, { token });
  await signIn(person, "stranger@refusals.test");
  for (const address of [patientPage, orderPage, patientPage.replace("patientDetail/page?id=", "viewer?study=")]) {
    await person.goTo(address);
    await person.waitFor(person.text("common.state.notFoundTitle"));
  }
  await person.takeScreenshots("not-found-inside", { alsoIn: ["en"] });
  await person.close();
});
