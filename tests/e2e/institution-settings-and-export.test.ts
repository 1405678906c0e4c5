import { readFileSync } from "node:fs";
import { Secret, TOTP } from "otpauth";
import type { Browser, Download, Locator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { roles } from "@arcada/contract/kernel/roles";
import { memberCalls } from "@arcada/contract/member/member.calls";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { prescription } from "@arcada/testing/fixtures/patient-with-orders";
import { Product } from "@arcada/testing/setup/product-process";
import { createInstitution, signIn } from "./support/account-steps.ts";
import { makeOperator, addLargeVolume } from "./support/operator-and-large-volume.ts";
import { checkPage } from "./support/page-checks.ts";
import { createLogo } from "./support/logo.ts";
import type { ChosenFile } from "./support/logo.ts";
import { BrowserUser, isBrief, narrow, wide } from "./support/browser-user.ts";

const product = new Product();
/** Another instance, empty but for its operator. */
const otherProduct = new Product();
const operatorEmail = "operator@institution.test";
const newPassword = "another Long passphrase 58";
let browser: Browser;
const allUsers: BrowserUser[] = [];
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start(), otherProduct.start()]);
  await otherProduct.register(operatorEmail, "clinicManager");
  await makeOperator(otherProduct, operatorEmail);
});
beforeEach(({ onTestFailed }) =>
  onTestFailed(async () => {
    for (const [at, person] of allUsers.entries())
      await person.takeScreenshot(`failed-institution-${at}`).catch(() => {});
  }),
);
afterAll(async () => {
  await browser?.close();
  await Promise.all([product.remove(), otherProduct.remove()]);
});

const variants = [
  { language: "zh", size: wide, clinic: "晨光口腔", patient: "赵敏" },
  { language: "en", size: narrow, clinic: "Morning Light Dental", patient: "Ann Smith" },
] as const;
// In CI, the shell's test checks these screens in English; the steps through them are the same.
const chosenVariants = isBrief ? variants.slice(0, 1) : variants;
describe.each(chosenVariants)("in $language, $size.width px wide", ({ language, size, clinic, patient }) => {
  const email = `manager-${language}@institution.test`;
  const sitsDown = async (at: Product): Promise<BrowserUser> => {
    const person = await BrowserUser.open(browser, at.address, language);
    await person.page.setViewportSize(size);
    allUsers.push(person);
    return person;
  };
  let manager: BrowserUser;
  let token: string;
  let number: string;
  let iid: string;
  let archive: string;

  it("a user without an organisation finds none, creates one, and can copy its number", async () => {
    token = await product.register(email, "clinicManager");
    manager = await sitsDown(product);
    await manager.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await signIn(manager, email);
    await manager.goTo("/profile/index");
    await manager.button("account.start.join").click();
    const search = manager.page.getByRole("dialog").getByRole("searchbox");
    for (const nobody of ["99999999", "100%_\\"]) {
      await search.fill(nobody);
      await manager.waitFor(manager.text("member.noSuch"));
    }
    await checkPage(manager, "institution-no-such");
    await manager.page.keyboard.press("Escape");
    number = await createInstitution(manager, clinic);
    expect(number).toMatch(/^\d{8}$/);
    const [found] = await product.call(institutionCalls.search, { text: number }, { token });
    iid = found.id;
    ({ token } = await product.call(institutionCalls.switch, { iid }, { token }));

    await manager.goTo("/institution");
    await manager.waitFor(manager.text("institution.countryFixed"));
    await manager.button("institution.copyNumber").press("Enter");
    // The button confirms for a second only, which a busy machine may miss; check the clipboard instead.
    await expect.poll(() => manager.page.evaluate(() => navigator.clipboard.readText())).toBe(number);
  });

  it("its manager sets its rules, but cannot require two-step sign-in without having set it up", async () => {
    const rule = (name: string) => manager.page.getByRole("switch", { name: manager.t(`institution.${name}`) });
    for (const name of ["hidePatientNames", "autoAcceptRelations", "requireFactor"]) await rule(name).press("Space");
    await manager.button("common.save").click();
    await manager.waitFor(manager.text("refusals.factorOwnFirst"));
    await checkPage(manager, "institution-settings-refused");
    await rule("requireFactor").press("Space");
    await manager.button("common.save").click();
    await manager.waitFor(manager.text("common.saved"));
    expect(await product.call(institutionCalls.detail, {}, { token })).toMatchObject({
      hidePatientNames: true,
      autoAcceptRelations: true,
      requireFactor: false,
      // The form preselects the country of the founder's account.
      country: "CN",
    });
  });

  it("its report logos are accepted where they are visible, and others are refused with a message", async () => {
    const group = (place: string) =>
      manager.page.getByRole("group", { name: manager.t(`institution.logos.${place}`), exact: true });
    const [white, dark] = [await createLogo("#ffffff"), await createLogo("#12406a")];
    await chooseFile(manager, group("cover").getByRole("button"), dark);
    await manager.waitFor(group("cover").getByText(manager.t("refusals.logoNotWhite")));
    await chooseFile(manager, group("cover").getByRole("button"), white);
    await manager.waitFor(group("cover").getByRole("img"));
    await chooseFile(manager, group("inside").getByRole("button"), white);
    await manager.waitFor(group("inside").getByText(manager.t("refusals.logoWhite")));
    await checkPage(manager, "institution-logo-refused");
    await chooseFile(manager, group("inside").getByRole("button"), dark);
    await manager.waitFor(group("inside").getByRole("img"));
    await checkPage(manager, "institution-settings", { alsoDark: true });
  });

  it("the audit log describes who did what, filters by kind of record, and exports as a table", async () => {
    await addClinicHistory();
    await manager.button("institution.trailOpen").or(manager.link("institution.trailOpen")).click();
    await manager.waitFor(manager.text("trail.action.institution.create"));
    await checkPage(manager, "institution-trail");
    await manager.page.getByRole("main").locator("input[aria-haspopup=listbox]").nth(1).press("Enter");
    await manager.page.getByRole("option", { name: manager.t("trail.groups.order"), exact: true }).click();
    await manager.page.waitForURL((url) => url.searchParams.get("group") === "order");
    await manager.waitFor(manager.text("order.action.delete"));
    await expect.poll(() => manager.text("trail.action.institution.create").count()).toBe(0);
    await checkPage(manager, "institution-trail-orders", { alsoDark: true });
    const table = await startDownload(manager, manager.button("trail.export"));
    const text = readFileSync(await table.path(), "utf8");
    expect(table.suggestedFilename()).toMatch(/^arcada-audit-.*\.csv$/);
    expect(text.startsWith("\uFEFF")).toBe(true);
    expect(text).toContain(`"${manager.t("trail.action.order.step")}: ${manager.t("order.action.delete")}"`);
    expect(text).not.toContain(manager.t("trail.action.institution.create"));
  });

  it("the data export requires its manager's password, can be stopped, and can be downloaded when it is done", async () => {
    const takeAway = await addLargeVolume(product, iid);
    await manager.goTo("/leaving");
    await manager.waitFor(manager.text("leaving.none"));
    await manager.button("leaving.start").press("Enter");
    await manager.field("common.proof.password").fill("not the password 1");
    await manager.page.keyboard.press("Enter");
    await manager.waitFor(manager.text("refusals.wrongPassword"));
    await checkPage(manager, "institution-export-password");
    await beginInstitution();
    await manager.waitFor(manager.page.getByRole("main").getByRole("progressbar"));
    await checkPage(manager, "institution-export-running");
    await manager.button("leaving.stop").press("Enter");
    await manager.page
      .getByRole("dialog")
      .getByRole("button", { name: manager.t("leaving.stop"), exact: true })
      .click();
    await manager.waitFor(manager.text("leaving.state.cancelled"));
    await takeAway();
    await manager.button("leaving.start").press("Enter");
    await beginInstitution();
    await manager.waitFor(manager.text("leaving.state.done"));
    await checkPage(manager, "institution-export", { alsoDark: true });
    const saved = await startDownload(manager, manager.button("leaving.download"));
    archive = await saved.path();
    expect(saved.suggestedFilename()).toMatch(/^arcada-.*\.zip$/);
  });

  it("the operator of another instance checks the archive and imports it", async () => {
    const operator = await sitsDown(otherProduct);
    await signIn(operator, operatorEmail);
    await operator.goTo("/imports");
    if (language === "zh") await operator.waitFor(operator.text("leaving.arrivals.none"));
    const choose = operator.button("leaving.arrivals.choose");
    await chooseFile(operator, choose, {
      name: "broken.zip",
      mimeType: "application/zip",
      buffer: Buffer.alloc(1000, 7),
    });
    await operator.waitFor(operator.text("refusals.importBroken"));
    await operator.button("leaving.arrivals.forget").first().press("Enter");
    await expect.poll(() => operator.text("refusals.importBroken").count()).toBe(0);
    await chooseFile(operator, choose, {
      name: "clinic.zip",
      mimeType: "application/zip",
      buffer: readFileSync(archive),
    });
    await operator.waitFor(operator.text("leaving.arrivals.organisation", { name: clinic, number }));
    await operator.waitFor(operator.button("leaving.arrivals.import"));
    await checkPage(operator, "institution-import-checked", { alsoDark: true });
    await operator.button("leaving.arrivals.import").press("Enter");
    const dialog = operator.page.getByRole("dialog");
    await operator.waitFor(dialog.getByText(operator.t("leaving.arrivals.importTitle", { name: clinic })));
    await checkPage(operator, "institution-import-asks");
    await dialog.getByRole("button", { name: operator.t("leaving.arrivals.import"), exact: true }).click();
    const row = operator.page.locator("tr, li", { hasText: clinic });
    await operator.waitFor(row.getByText(operator.t("leaving.arrivals.state.done"), { exact: true }));
    await checkPage(operator, "institution-imported");
    expect(operator.consoleProblems.filter(isUnexpected)).toEqual([]);
    await operator.close();
  });

  it("a member there sets a new password by a code, and finds the patient", async () => {
    const member = await sitsDown(otherProduct);
    await member.goTo("/forgot");
    await member.button("account.cookiesAccept").click();
    await member.field("account.account").fill(email);
    await member.button("account.getCode").click();
    await member.waitFor(member.text("account.codeSent"));
    await member.field("account.code").fill(otherProduct.findSentCode(email));
    await member.field("account.newPassword").fill(newPassword);
    await member.field("account.confirmPassword").fill(newPassword);
    await member.button("account.resetPassword").click();
    await member.waitFor(member.text("account.resetDone"));
    await signIn(member, email, newPassword);
    await member.goTo("/patientList");
    await member.waitFor(member.page.getByText(patient, { exact: true }));
    await checkPage(member, "institution-arrived");
    await member.goTo("/auditTrail");
    await member.waitFor(member.text("trail.imported"));
    await checkPage(member, "institution-arrived-trail");
    expect(member.consoleProblems).toEqual([]);
    await member.close();
  });

  it("a member of an institution that requires two-step sign-in is led to set it up, and then has access", async () => {
    await manager.goTo("/profile/index#security");
    await setUpTotp(manager);
    await manager.goTo("/institution");
    await manager.page.getByRole("switch", { name: manager.t("institution.requireFactor") }).press("Space");
    await manager.button("common.save").click();
    await manager.waitFor(manager.text("common.saved"));
    expect(manager.consoleProblems.filter(isUnexpected)).toEqual([]);

    const memberMail = `dentist-${language}@institution.test`;
    await joinInstitution(memberMail);
    const member = await sitsDown(product);
    await signIn(member, memberMail);
    await member.waitFor(member.text("factor.required"));
    await member.goTo("/patientList");
    await member.page.waitForURL("**/profile/index");
    await checkPage(member, "institution-factor-required");
    await member.link("factor.setUpNow").click();
    await setUpTotp(member);
    await expect.poll(() => member.text("factor.required").count()).toBe(0);
    await member.goTo("/patientList");
    await member.waitFor(member.page.getByText(patient, { exact: true }));
    expect(member.consoleProblems.filter(isUnexpected)).toEqual([]);
    await member.close();
    await manager.close();
  });

  async function addClinicHistory(): Promise<void> {
    const made = { name: patient, sex: "female", birthDate: "1992-03-04" } as const;
    const { id: patientId } = await product.call(patientCalls.create, made, { token });
    const { id, version } = await product.call(orderCalls.save, prescription(patientId, null), { token });
    await product.call(orderCalls.step, { id, version, action: "delete" }, { token });
  }
  async function beginInstitution(): Promise<void> {
    await manager.field("common.proof.password").fill(goodPassword);
    await manager.page.keyboard.press("Enter");
  }
  async function joinInstitution(member: string): Promise<void> {
    const theirs = await product.register(member, "clinicManager");
    await product.call(memberCalls.apply, { number }, { token: theirs });
    const part = { page: 1, pageSize: 5, part: "applications" } as const;
    const [application] = (await product.call(memberCalls.list, part, { token })).list;
    const { id, version } = application;
    await product.call(
      memberCalls.update,
      { id, version, action: "agree", authorityId: roles.clinicMember.authorityId },
      { token },
    );
  }
});

/** By keyboard: the button opens the machine's own dialog, where a file is chosen. */
async function chooseFile(person: BrowserUser, button: Locator, file: ChosenFile): Promise<void> {
  const [chooser] = await Promise.all([person.page.waitForEvent("filechooser"), button.first().press("Enter")]);
  await chooser.setFiles(file);
}
async function startDownload(person: BrowserUser, button: Locator): Promise<Download> {
  const [download] = await Promise.all([person.page.waitForEvent("download"), button.press("Enter")]);
  return download;
}
async function setUpTotp(person: BrowserUser): Promise<void> {
  await person.button("factor.setUp").press("Enter");
  const dialog = person.page.getByRole("dialog");
  const secret = (await dialog.getByText(/^[A-Z2-7]{32}$/).innerText()).trim();
  await dialog.getByRole("textbox").fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await person.page.keyboard.press("Enter");
  await person.button("factor.recoveryKept").click();
}
/** The browser itself notes an answer of 4xx that was meant. */
const isUnexpected = (consoleProblem: string): boolean => !/Failed to load resource.*4\d\d/.test(consoleProblem);
