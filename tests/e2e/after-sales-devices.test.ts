import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { upgradeCalls } from "@arcada/contract/upgrade/upgrade.calls";
import { demoAccounts } from "../../apps/server/src/domain/demo-accounts.ts";
import { demoClinics } from "../../demo/after-sales-clinics.ts";
import { demoDevices } from "../../demo/devices.ts";
import { demoPackage } from "../../demo/feedback-and-packages.ts";
import { checkPage } from "./support/page-checks.ts";
import type { BrowserUser } from "./support/browser-user.ts";
import { setupDemoProduct, switchVariant } from "./support/demo-product.ts";
import { present } from "@arcada/testing/require-present";

const { product, signInAs: comes } = setupDemoProduct("equipment");
const serial = "AU-26-00901";
/** The field of a dialog that shows a value once. The dialog itself may have the same name. */
const shownField = (person: BrowserUser, key: string) => person.page.getByRole("textbox", { name: person.t(key) });

it(
  "after-sales registers a device; its clinic binds it on a phone, locks, unlocks and unbinds it, and after-sales sees it happen",
  { timeout: 240_000 },
  async () => {
    const service = await comes("afterSalesAdmin", "zh");
    await service.goTo("/devices");
    await service.button("device.register.title").click();
    for (const [field, text] of Object.entries({ product: "Aurora CBCT", model: "A1", serialNumber: serial }))
      await service.field(`device.${field}`, service.page.getByRole("dialog")).fill(text);
    await service.button("device.register.submit").click();
    const code = await shownField(service, "device.activationCode").inputValue();
    expect(code).toMatch(/^(\w{4}-){3}\w{4}$/);
    await service.button("common.close").last().click();
    await checkPage(service, "devices");

    const manager = await comes("clinicAdmin", "en");
    await manager.goTo("/equipment");
    await manager.button("device.bind.submit").click();
    const dialog = manager.page.getByRole("dialog");
    await manager.field("device.serialNumber", dialog).fill(serial);
    await manager.field("device.activationCode", dialog).fill("0000-0000-0000-0000");
    await manager.field("device.name", dialog).fill("CBCT, room 3");
    await dialog.getByRole("button", { name: manager.t("device.bind.submit") }).click();
    await manager.waitFor(manager.page.getByText(manager.t("refusals.deviceCodeWrong")));
    await manager.field("device.activationCode", dialog).fill(code.toLowerCase());
    await dialog.getByRole("button", { name: manager.t("device.bind.submit") }).click();
    await manager.waitFor(manager.text("device.bind.howTitle"));
    const key = await shownField(manager, "device.bind.key").inputValue();
    await checkPage(manager, "device-key", { alsoDark: true });
    await manager.button("common.close").last().click();

    const says = async () => (await fetch(`${product.address}/v1/device/worklist`, { headers: bearer(key) })).status;
    expect(await says()).toBe(200);
    const card = manager.page.getByRole("listitem").filter({ hasText: serial });
    const acts = async (action: string, fill: (within: typeof dialog) => Promise<void> = () => Promise.resolve()) => {
      await card.getByRole("button", { name: `${manager.t(`device.action.${action}`)}: CBCT, room 3` }).click();
      await fill(dialog);
      await dialog.getByRole("button", { name: manager.t(`device.action.${action}`), exact: true }).click();
      await manager.waitFor(manager.text(`device.done.${action}`));
    };
    await acts("lock", (within) => manager.field("device.reason", within).fill("Lost on the way"));
    await manager.waitFor(card.getByText("Lost on the way"));
    // On the page that has been open since.
    await service.waitFor(service.page.getByText("Lost on the way"));
    await checkPage(manager, "equipment");
    await expect.poll(says).toBe(403);
    await acts("unlock");
    await expect.poll(says).toBe(200);
    await acts("unbind", (within) =>
      within.getByLabel(new RegExp(manager.t("device.serialAgain", { serial }))).fill(serial),
    );
    await manager.waitFor(card.getByText(manager.t("device.state.unbound")));
    await expect.poll(says).toBe(401);
    await switchVariant(manager);
    await manager.waitFor(
      manager.page.getByRole("row").filter({ hasText: serial }).getByText(manager.t("device.state.unbound")),
    );
    await checkPage(manager, "equipment");

    await service.page.getByText(serial).click();
    await service.waitFor(service.text("device.event.unbind"));
    await switchVariant(service);
    await service.waitFor(service.text("device.event.unbind"));
    await checkPage(service, "device-detail");
    await registerDevices(service);
    await forceUnbind(service);
    await joinClinic(service);
    await withdrawPackage(manager);
    // The browser itself notes the refusal of the wrong code.
    const consoleProblems = manager.consoleProblems.filter((one) => !/status of 4\d\d/.test(one));
    // The page of a record that was merged into another may get a 404 before it navigates away.
    const others = service.consoleProblems.filter(
      (one) => !(one.includes("status of 404") && one.includes(demoClinics.far.id)),
    );
    expect([...others, ...consoleProblems]).toEqual([]);
  },
);

/** Registers devices from a table: a faulty line is reported; after correction all get their codes in one file. */
async function registerDevices(service: BrowserUser): Promise<void> {
  await service.goTo("/devices");
  await service.button("device.many.title").click();
  const lines = service.field("device.many.lines", service.page.getByRole("dialog"));
  await lines.fill("serialNumber,product,model\nMANY-1,Aurora CBCT,A1\nmany-1,Aurora CBCT,A1");
  await service.button("device.register.submit").click();
  await service.waitFor(service.page.getByText(service.t("device.many.problem.twice", { value: "many-1" })));
  await checkPage(service, "devices-many");
  await lines.fill("MANY-1,Aurora CBCT,A1\nMANY-2,Aurora CBCT,A1");
  await service.button("device.register.submit").click();
  const codes = service.page.waitForEvent("download");
  await service.button("device.many.save").click();
  const file = readFileSync(await (await codes).path(), "utf8");
  expect(file.match(/"MANY-\d","Aurora CBCT","A1","(\w{4}-){3}\w{4}"/g)).toHaveLength(2);
  await service.button("common.close").last().click();
}

/** Unbinds a device that its clinic has locked, by a document of the clinic, which is stored. */
async function forceUnbind(service: BrowserUser): Promise<void> {
  const { id, serial_number } = demoDevices[1];
  await service.goTo(`/deviceDetail?id=${id}`);
  await service.page.getByRole("button", { name: new RegExp(`^${service.t("device.action.forceUnbind")}: `) }).click();
  const dialog = service.page.getByRole("dialog");
  await dialog.getByLabel(new RegExp(service.t("device.serialAgain", { serial: serial_number }))).fill(serial_number);
  const consent = { name: "consent.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7 agreed") };
  await dialog.locator("input[type=file]").setInputFiles(consent);
  await checkPage(service, "device-force");
  await dialog.getByRole("button", { name: service.t("device.action.forceUnbind"), exact: true }).click();
  await service.waitFor(service.text("device.event.forceUnbind"));
  await service.waitFor(service.page.getByRole("link", { name: "consent.pdf" }));
}

/**
 * A clinic that has registered since: its record and its devices are merged into its account's record, then separated
 * again.
 */
async function joinClinic(service: BrowserUser): Promise<void> {
  const { far, registered } = demoClinics;
  await service.goTo(`/clinicDetail?id=${far.id}`);
  await service.button("clinic.link").click();
  const dialog = service.page.getByRole("dialog");
  await service.field("clinic.linkNumber", dialog).fill(registered.number);
  await service.waitFor(dialog.getByText(registered.name));
  await checkPage(service, "clinic-link");
  await dialog.getByRole("button", { name: service.t("clinic.link"), exact: true }).click();
  await service.waitFor(service.page.getByRole("heading", { level: 1, name: registered.name }));
  await service.waitFor(service.page.getByText(demoDevices[3].serial_number));
  // Its place is called as the reader calls it.
  await service.waitFor(service.page.getByText(/Sichuan/));
  await switchVariant(service);
  await service.waitFor(service.page.getByText(/四川省/));
  await service.page.getByRole("button", { name: `${service.t("clinic.unlink")}: ${far.name}` }).click();
  await checkPage(service, "clinic-unlink");
  await dialog.getByRole("button", { name: service.t("clinic.unlink"), exact: true }).click();
  await service.waitFor(service.page.getByRole("heading", { level: 1, name: far.name }));
  await service.waitFor(service.page.getByText(demoDevices[3].serial_number));
}

/** A user who has a package open must see at once when it is withdrawn. */
async function withdrawPackage(manager: BrowserUser): Promise<void> {
  await manager.goTo(`/packageDetail?id=${demoPackage}`);
  await manager.waitFor(manager.button("common.download"));
  const operator = present(demoAccounts.accounts.find(({ role }) => role === "operator"));
  const { token } = await product.call(signInCalls.login, {
    account: operator.account,
    password: demoAccounts.password,
  });
  await product.call(upgradeCalls.withdraw, { id: demoPackage, reason: "The table is wrong" }, { token });
  await manager.waitFor(manager.text("common.state.notFoundTitle"));
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
