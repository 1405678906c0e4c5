import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoAccounts } from "../../apps/server/src/kernel/demo.ts";
import { demoDevices } from "../../demo/devices.ts";
import { launchBrowser } from "../browser.ts";
import { Product } from "../product.ts";
import { picture } from "../workorders.ts";
import { signsIn } from "./entering.ts";
import { keepsFailures, looks } from "./looking.ts";
import { Person, narrow, wide } from "./person.ts";

const product = new Product({ ARCADA_DEMO: "on" });
let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});
keepsFailures("workorder", () => browser);

const comes = async (role: string, language: "zh" | "en"): Promise<Person> => {
  const viewport = language === "zh" ? wide : narrow;
  const person = await Person.sitsDown(browser, product.address, language, { viewport, hasTouch: language === "en" });
  await signsIn(person, demoAccounts.accounts.find((one) => one.role === role)!.account, demoAccounts.password);
  return person;
};
/** Presses a step's button, and then the one of its dialog. */
const steps = async (person: Person, action: string, before?: () => Promise<void>): Promise<void> => {
  await person.button(`workorder.action.${action}`).click();
  await before?.();
  await person.page
    .getByRole("dialog")
    .getByRole("button", { name: person.t(`workorder.action.${action}`), exact: true })
    .click();
};
const device = demoDevices[0]!;

it(
  "a clinic reports a fault on a phone, a technician mends and photographs it, and the work is accepted",
  { timeout: 180_000 },
  async () => {
    const clinic = await comes("clinicAdmin", "en");
    await clinic.goes(`/workOrder/page?new=1&device=${device.id}`);
    await clinic.field("workorder.field.description").fill("The arm does not turn");
    await clinic.field("workorder.field.contact").fill("Lin Xiao");
    await clinic.page.reload();
    // What was typed outlives the reload.
    expect(await clinic.field("workorder.field.contact").inputValue()).toBe("Lin Xiao");
    await clinic.field("workorder.field.contactPhone").fill("021 5550");
    await looks(clinic, "workorder-report");
    await clinic.button("workorder.form.send").click();
    const title = clinic.page.getByRole("heading", { level: 1 }).filter({ hasText: /^W\d{8}/ });
    await clinic.sees(title);
    const number = await title.innerText();
    await clinic.sees(clinic.text("workorder.turn.unassigned"));

    const admin = await comes("afterSalesAdmin", "zh");
    await admin.goes("/myWorkOrder");
    await admin.sees(admin.page.getByRole("tab", { name: admin.t("workorder.state.acceptance_review") }));
    await looks(admin, "workorder-list", { alsoDark: true });
    await admin.page.getByText(number).click();
    await steps(admin, "assign", async () => {
      await admin.page.getByRole("dialog").locator("input").first().click();
      await admin.page.getByRole("option", { name: /Qi Xiu/ }).click();
    });
    await admin.sees(admin.text("workorder.turn.assignee", { name: "齐修 Qi Xiu" }));

    const technician = await comes("afterSalesMember", "en");
    await technician.goes("/myWorkOrder");
    await technician.page.getByText(number).click();
    await steps(technician, "start");
    await technician.sees(technician.text("workorder.finish.title"));
    const camera = technician.page.getByLabel(technician.t("workorder.files.camera"), { exact: true });
    for (const shade of [20, 160])
      await camera
        .locator("visible=false")
        .first()
        .setInputFiles({ name: `IMG_${shade}.jpg`, mimeType: "image/jpeg", buffer: await picture(shade) });
    await technician.sees(technician.page.getByRole("img", { name: /IMG_160/ }));
    await technician.page
      .getByLabel(technician.t("workorder.files.choose"), { exact: true })
      .locator("visible=false")
      .nth(1)
      .setInputFiles({ name: "receipt.jpg", mimeType: "image/jpeg", buffer: await picture(90) });
    await technician.sees(technician.page.getByRole("img", { name: /receipt/ }));
    await technician.field("workorder.finish.serialNumber").fill(device.serial_number);
    await technician.field("workorder.finish.description").fill("A new belt");
    await looks(technician, "workorder-finish", { alsoDark: true });
    await technician.button("workorder.finish.save").click();
    await technician.sees(technician.text("workorder.finish.saved"));
    await steps(technician, "submit");
    await technician.sees(technician.text("workorder.turn.admin"));

    await admin.sees(admin.button("workorder.action.pass"));
    await looks(admin, "workorder-review");
    await steps(admin, "pass");
    await admin.sees(admin.text("workorder.state.finished"));
    const [paper] = await Promise.all([
      admin.context.waitForEvent("response", (response) => response.url().includes("/workorder/papers/")),
      admin.button("workorder.detail.paper").click(),
    ]);
    expect([paper.status(), paper.headers()["content-type"]]).toEqual([200, "application/pdf"]);
    // The clinic sees it at once, without asking.
    await clinic.sees(clinic.text("workorder.state.finished"));
    await clinic.sees(clinic.page.getByRole("img", { name: /IMG_20/ }));
    await looks(clinic, "workorder-finished");
    expect([...clinic.complaints, ...admin.complaints, ...technician.complaints]).toEqual([]);
  },
);
