import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { createIntraoralRadiograph } from "@arcada/phantom/radiograph/intraoral-radiograph";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { sendDicom } from "../../demo/send-dicom.ts";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { signIn } from "./support/account-steps.ts";
import { captureFailures, checkPage } from "./support/page-checks.ts";
import { BrowserUser, isBrief, narrow } from "./support/browser-user.ts";

const email = "inbox@clinic.test";
const product = new Product();
const head = makeHead("inbox");
let browser: Browser;
let token: string;
const patients: Record<string, string> = {};
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  const first = await product.register(email, "clinicManager");
  const clinic = { name: "Inbox", type: "clinic", country: "CN" } as const;
  const { id: iid } = await product.call(institutionCalls.create, clinic, { token: first });
  ({ token } = await product.call(institutionCalls.switch, { iid }, { token: first }));
  for (const [name, birthDate] of [
    ["王芳", "1985-09-09"],
    ["李四", "1990-01-02"],
  ] as const) {
    const patient = { name, sex: "female", birthDate } as const;
    patients[name] = (await product.call(patientCalls.create, patient, { token })).id;
  }
});
captureFailures("inbox", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

/** The browser logs every rejection. */
const isRefusal = /status of 409/;
/** Sends a radiograph from a device whose operators mistype birth dates and number their patients themselves. */
const sendFilm = (name: string, id: string, birthDate: string, key = id): Promise<void> =>
  sendDicom(
    product.address,
    token,
    createIntraoralRadiograph(head, { id, name, sex: "F", birthDate }, { key, description: "Film" }).bytes,
  );
const patientPage = (name: string): string => `/patientDetail/page?id=${patients[name]}`;
const listStudies = async (name: string) =>
  (await product.call(studyCalls.list, { patientId: patients[name] }, { token })).length;
const dialog = (person: BrowserUser): Locator => person.page.getByRole("dialog");
const inSidebar = (person: BrowserUser): Locator =>
  person.page.getByRole("navigation").getByRole("link", { name: new RegExp(`^${person.t("shell.screen.inbox")}`) });
describe("images from a device whose patient is uncertain", () => {
  it("wait in the inbox, are attached, moved with a reason, removed and restored", { timeout: 180_000 }, async () => {
    const dentist = await BrowserUser.open(browser, product.address, "zh");
    await signIn(dentist, email);
    await inSidebar(dentist).click();
    await dentist.waitFor(dentist.text("inbox.none.title"));
    await sendFilm("Wang^Fang", "42", "19850908");
    await dentist.waitFor(dentist.text("inbox.agrees.name"));
    await dentist.waitFor(inSidebar(dentist).getByText("1", { exact: true }));
    await dentist.waitFor(dentist.page.locator("main li img"));
    await checkPage(dentist, "inbox");
    await dentist.page
      .getByRole("button", {
        name: new RegExp(
          `^${dentist
            .t("inbox.attachTo", { name: "王芳", number: "P" })
            .split("P")[0]
            ?.replace(/[()（）]/g, ".")}`,
        ),
      })
      .click();
    await dentist.waitFor(dialog(dentist).getByText(dentist.t("inbox.mismatch.title")));
    await checkPage(dentist, "inbox-mismatch");
    await dentist.button("inbox.mismatch.accept", { name: "王芳" }).click();
    await dentist.waitFor(dentist.text("inbox.none.title"));
    expect([await listStudies("王芳"), await inSidebar(dentist).getByText("1", { exact: true }).count()]).toEqual([
      1, 0,
    ]);

    await dentist.goTo(patientPage("王芳"));
    await dentist.page
      .getByRole("button", { name: new RegExp(`${dentist.t("study.kind.dentalFilm")}的操作$`) })
      .click();
    await dentist.page.getByRole("menuitem", { name: dentist.t("inbox.move.action") }).click();
    await dentist.page.getByRole("searchbox", { name: dentist.t("inbox.choose.search") }).fill("lisi");
    await dentist.waitFor(dialog(dentist).getByText(dentist.t("inbox.choose.found")));
    await checkPage(dentist, "inbox-move");
    await dialog(dentist).getByRole("button", { name: /李四/ }).click();
    await dentist.field("inbox.move.reason", dialog(dentist)).fill("选错了患者");
    await dentist.button("inbox.move.confirm").click();
    await dentist.button("inbox.mismatch.accept", { name: "李四" }).click();
    await dentist.waitFor(dentist.text("study.none.title"));
    expect([await listStudies("王芳"), await listStudies("李四")]).toEqual([0, 1]);

    await dentist.goTo(patientPage("李四"));
    await dentist.page
      .getByRole("button", { name: new RegExp(`${dentist.t("study.kind.dentalFilm")}的操作$`) })
      .click();
    await dentist.page.getByRole("menuitem", { name: dentist.t("study.removing.action") }).click();
    await dialog(dentist)
      .getByRole("button", { name: dentist.t("study.removing.action") })
      .click();
    await dentist.waitFor(dentist.text("study.none.title"));
    await dentist.button("inbox.bin.open").click();
    await dentist.waitFor(dialog(dentist).getByText(dentist.t("inbox.bin.says", { days: 30 })));
    await checkPage(dentist, "inbox-bin");
    await dialog(dentist)
      .getByRole("button", { name: new RegExp(`^${dentist.t("inbox.bin.restore")}`) })
      .click();
    await dentist.waitFor(dentist.text("inbox.bin.none"));
    expect(await listStudies("李四")).toBe(1);
    expect(dentist.consoleProblems.filter((one) => !isRefusal.test(one))).toEqual([]);
    await dentist.close();
  });

  it.skipIf(isBrief)(
    "create a new patient from the data in their files, on a phone, in English",
    { timeout: 120_000 },
    async () => {
      const manager = await BrowserUser.open(browser, product.address, "en");
      await manager.page.setViewportSize(narrow);
      await signIn(manager, email);
      await sendFilm("Santos^Maria", "D-77", "19700304");
      await manager.goTo("/inbox");
      await manager.waitFor(manager.page.locator("main li img"));
      await checkPage(manager, "inbox");
      await manager.button("inbox.another").click();
      await manager.waitFor(dialog(manager).getByText(manager.t("inbox.choose.recent")));
      await checkPage(manager, "inbox-choose");
      await manager.page.keyboard.press("Escape");
      await manager.button("inbox.newPatient").click();
      await expect.poll(() => manager.field("patient.field.name").inputValue()).toContain("Santos");
      expect(await manager.field("patient.field.birthDate").inputValue()).toBe("1970-03-04");
      expect(await manager.field("patient.field.entryNumber").inputValue()).toBe("D-77");
      await manager.button("common.save").click();
      await manager.waitFor(manager.text("inbox.none.title"));
      // The next of the same patient needs nobody.
      await sendFilm("Santos^Maria", "D-77", "19700304", "later");
      const { list } = await product.call(patientCalls.list, { search: "D-77" }, { token });
      await expect
        .poll(() => product.call(studyCalls.list, { patientId: list[0].id }, { token }), { timeout: 20_000 })
        .toHaveLength(2);
      await expect.poll(() => inSidebar(manager).getByText("1", { exact: true }).count()).toBe(0);
      expect(manager.consoleProblems).toEqual([]);
      await manager.close();
    },
  );
});
