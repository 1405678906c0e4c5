import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { film } from "@arcada/imaging/phantom/film";
import { makeHead } from "@arcada/imaging/phantom/head";
import { sendDicom } from "../../demo/send-dicom.ts";
import { launchBrowser } from "../browser.ts";
import { Product } from "../product.ts";
import { signsIn } from "./entering.ts";
import { keepsFailures, looks } from "./looking.ts";
import { Person, narrow } from "./person.ts";

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
  const { id: iid } = await product.gets(institutionCalls.create, clinic, { token: first });
  ({ token } = await product.gets(institutionCalls.switch, { iid }, { token: first }));
  for (const [name, birthDate] of [
    ["王芳", "1985-09-09"],
    ["李四", "1990-01-02"],
  ] as const) {
    const patient = { name, sex: "female", birthDate } as const;
    patients[name] = (await product.gets(patientCalls.create, patient, { token })).id;
  }
});
keepsFailures("inbox", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

/** The browser logs every rejection. */
const isRefusal = /status of 409/;
/** A device sends a film; its people mistype birth dates and count their patients themselves. */
const sends = (name: string, id: string, birthDate: string, key = id): Promise<void> =>
  sendDicom(product.address, token, film(head, { id, name, sex: "F", birthDate }, { key, description: "Film" }).bytes);
const pageOf = (name: string): string => `/patientDetail/page?id=${patients[name]}`;
const studiesOf = async (name: string) =>
  (await product.gets(studyCalls.list, { patientId: patients[name]! }, { token })).length;
const dialog = (person: Person): Locator => person.page.getByRole("dialog");
const inSidebar = (person: Person): Locator =>
  person.page.getByRole("navigation").getByRole("link", { name: new RegExp(`^${person.t("shell.screen.inbox")}`) });
describe("images that a device sends for somebody whom nobody can be sure of", () => {
  it("wait in the inbox, are attached, moved with a reason, removed and restored", { timeout: 180_000 }, async () => {
    const dentist = await Person.sitsDown(browser, product.address, "zh");
    await signsIn(dentist, email);
    await inSidebar(dentist).click();
    await dentist.sees(dentist.text("inbox.none.title"));
    await sends("Wang^Fang", "42", "19850908");
    await dentist.sees(dentist.text("inbox.agrees.name"));
    await dentist.sees(inSidebar(dentist).getByText("1", { exact: true }));
    await dentist.sees(dentist.page.locator("main li img"));
    await looks(dentist, "inbox");
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
    await dentist.sees(dialog(dentist).getByText(dentist.t("inbox.mismatch.title")));
    await looks(dentist, "inbox-mismatch");
    await dentist.button("inbox.mismatch.accept", { name: "王芳" }).click();
    await dentist.sees(dentist.text("inbox.none.title"));
    expect([await studiesOf("王芳"), await inSidebar(dentist).getByText("1", { exact: true }).count()]).toEqual([1, 0]);

    await dentist.goes(pageOf("王芳"));
    await dentist.page
      .getByRole("button", { name: new RegExp(`${dentist.t("study.kind.dentalFilm")}的操作$`) })
      .click();
    await dentist.page.getByRole("menuitem", { name: dentist.t("inbox.move.action") }).click();
    await dentist.page.getByRole("searchbox", { name: dentist.t("inbox.choose.search") }).fill("lisi");
    await dentist.sees(dialog(dentist).getByText(dentist.t("inbox.choose.found")));
    await looks(dentist, "inbox-move");
    await dialog(dentist).getByRole("button", { name: /李四/ }).click();
    await dentist.field("inbox.move.reason", dialog(dentist)).fill("选错了患者");
    await dentist.button("inbox.move.confirm").click();
    await dentist.button("inbox.mismatch.accept", { name: "李四" }).click();
    await dentist.sees(dentist.text("study.none.title"));
    expect([await studiesOf("王芳"), await studiesOf("李四")]).toEqual([0, 1]);

    await dentist.goes(pageOf("李四"));
    await dentist.page
      .getByRole("button", { name: new RegExp(`${dentist.t("study.kind.dentalFilm")}的操作$`) })
      .click();
    await dentist.page.getByRole("menuitem", { name: dentist.t("study.removing.action") }).click();
    await dialog(dentist)
      .getByRole("button", { name: dentist.t("study.removing.action") })
      .click();
    await dentist.sees(dentist.text("study.none.title"));
    await dentist.button("inbox.bin.open").click();
    await dentist.sees(dialog(dentist).getByText(dentist.t("inbox.bin.says", { days: 30 })));
    await looks(dentist, "inbox-bin");
    await dialog(dentist)
      .getByRole("button", { name: new RegExp(`^${dentist.t("inbox.bin.restore")}`) })
      .click();
    await dentist.sees(dentist.text("inbox.bin.none"));
    expect(await studiesOf("李四")).toBe(1);
    expect(dentist.complaints.filter((one) => !isRefusal.test(one))).toEqual([]);
    await dentist.leaves();
  });

  it("make a new patient of what their files say, on a telephone, in English", { timeout: 120_000 }, async () => {
    const manager = await Person.sitsDown(browser, product.address, "en");
    await manager.page.setViewportSize(narrow);
    await signsIn(manager, email);
    await sends("Santos^Maria", "D-77", "19700304");
    await manager.goes("/inbox");
    await manager.sees(manager.page.locator("main li img"));
    await looks(manager, "inbox");
    await manager.button("inbox.another").click();
    await manager.sees(dialog(manager).getByText(manager.t("inbox.choose.recent")));
    await looks(manager, "inbox-choose");
    await manager.page.keyboard.press("Escape");
    await manager.button("inbox.newPatient").click();
    await expect.poll(() => manager.field("patient.field.name").inputValue()).toContain("Santos");
    expect(await manager.field("patient.field.birthDate").inputValue()).toBe("1970-03-04");
    expect(await manager.field("patient.field.entryNumber").inputValue()).toBe("D-77");
    await manager.button("common.save").click();
    await manager.sees(manager.text("inbox.none.title"));
    // The next of the same patient needs nobody.
    await sends("Santos^Maria", "D-77", "19700304", "later");
    const { list } = await product.gets(patientCalls.list, { search: "D-77" }, { token });
    await expect
      .poll(() => product.gets(studyCalls.list, { patientId: list[0]!.id }, { token }), { timeout: 20_000 })
      .toHaveLength(2);
    await expect.poll(() => inSidebar(manager).getByText("1", { exact: true }).count()).toBe(0);
    expect(manager.complaints).toEqual([]);
    await manager.leaves();
  });
});
