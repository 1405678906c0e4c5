import { expect, it } from "vitest";
import { demoDevices } from "../../demo/devices.ts";
import { picture } from "../workorders.ts";
import { looks } from "./looking.ts";
import type { Person } from "./person.ts";
import { stage, turns } from "./stage.ts";

const { comes } = stage("workorder");

/** Presses a step's button, and then the one of its dialog. */
const steps = async (person: Person, action: string): Promise<void> => {
  await person.button(`workorder.action.${action}`).click();
  await person.page
    .getByRole("dialog")
    .getByRole("button", { name: person.t(`workorder.action.${action}`), exact: true })
    .click();
};
const device = demoDevices[0]!;

it(
  "a clinic reports a fault on a phone, a technician mends and photographs it, and the work is accepted",
  { timeout: 240_000 },
  async () => {
    const clinic = await comes("clinicAdmin", "en");
    await clinic.goes(`/workOrder/page?new=1&device=${device.id}`);
    await clinic.field("workorder.field.description").fill("The arm does not turn");
    await clinic.field("workorder.field.contact").fill("Lin Xiao");
    await clinic.page.reload();
    // The typed input survives the reload.
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
    // The demonstration's own, that nobody has yet, with it: both at once.
    const chosen = admin.page.getByRole("checkbox", { disabled: false });
    await expect.poll(() => chosen.count()).toBe(2);
    for (const box of await chosen.all()) await box.check();
    await admin.button("workorder.list.assign", { count: 2 }).click();
    const dialog = admin.page.getByRole("dialog");
    await admin.field("workorder.field.assignee", dialog).click();
    await admin.page.getByRole("option", { name: /Qi Xiu/ }).click();
    await dialog.getByRole("button", { name: admin.t("workorder.action.assign"), exact: true }).click();
    await admin.sees(admin.text("workorder.list.assigned"));
    await admin.page.getByText(number).click();
    await admin.sees(admin.text("workorder.turn.assignee", { name: "齐修 Qi Xiu" }));

    const technician = await comes("afterSalesMember", "en");
    await technician.goes("/myWorkOrder");
    await technician.sees(technician.page.getByRole("link").filter({ hasText: number }).getByText("unread"));
    await looks(technician, "workorder-list");
    await technician.page.getByText(number).click();
    await steps(technician, "start");
    await technician.sees(technician.text("workorder.finish.title"));
    const camera = technician.page.getByLabel(technician.t("workorder.files.camera"), { exact: true });
    const takes = async (shade: number) =>
      camera
        .locator("visible=false")
        .first()
        .setInputFiles({ name: `IMG_${shade}.jpg`, mimeType: "image/jpeg", buffer: await picture(shade) });
    await takes(20);
    await technician.sees(technician.page.getByRole("img", { name: /IMG_20/ }));
    // In the basement, where the device is, there is no network; on the stairs there is.
    await technician.context.setOffline(true);
    await takes(160);
    await technician.sees(technician.button("workorder.files.goOn"));
    await technician.context.setOffline(false);
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
    await turns(admin);
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
    await turns(clinic);
    await clinic.sees(clinic.text("workorder.state.finished"));
    await looks(clinic, "workorder-finished");
    await turns(technician);
    await technician.goes("/myReport");
    await technician.sees(technician.page.getByText(number));
    // The work order that was assigned together with it has not been opened.
    await technician.sees(technician.page.getByTitle(/未读工单$/));
    await looks(technician, "my-report");
    const complaints = technician.complaints.filter((one) => !one.includes("ERR_INTERNET_DISCONNECTED"));
    expect([...clinic.complaints, ...admin.complaints, ...complaints]).toEqual([]);
  },
);
