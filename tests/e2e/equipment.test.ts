import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { accountCalls } from "@arcada/contract/account/account.calls";
import { upgradeCalls } from "@arcada/contract/upgrade/upgrade.calls";
import { demoAccounts } from "../../apps/server/src/domain/demo-accounts.ts";
import { demoClinics } from "../../demo/clinics.ts";
import { demoDevices } from "../../demo/devices.ts";
import { demoPackage } from "../../demo/upgrades.ts";
import { looks } from "./looking.ts";
import type { Person } from "./person.ts";
import { stage, turns } from "./stage.ts";

const { product, comes } = stage("equipment");
const serial = "AU-26-00901";
/** The field of a dialog that shows a value once. The dialog itself may have the same name. */
const shown = (person: Person, key: string) => person.page.getByRole("textbox", { name: person.t(key) });

it(
  "after-sales registers a device; its clinic binds it on a phone, locks, unlocks and unbinds it, and after-sales sees it happen",
  { timeout: 240_000 },
  async () => {
    const service = await comes("afterSalesAdmin", "zh");
    await service.goes("/devices");
    await service.button("device.register.title").click();
    for (const [field, text] of Object.entries({ product: "Aurora CBCT", model: "A1", serialNumber: serial }))
      await service.field(`device.${field}`, service.page.getByRole("dialog")).fill(text);
    await service.button("device.register.submit").click();
    const code = await shown(service, "device.activationCode").inputValue();
    expect(code).toMatch(/^(\w{4}-){3}\w{4}$/);
    await service.button("common.close").last().click();
    await looks(service, "devices");

    const manager = await comes("clinicAdmin", "en");
    await manager.goes("/equipment");
    await manager.button("device.bind.submit").click();
    const dialog = manager.page.getByRole("dialog");
    await manager.field("device.serialNumber", dialog).fill(serial);
    await manager.field("device.activationCode", dialog).fill("0000-0000-0000-0000");
    await manager.field("device.name", dialog).fill("CBCT, room 3");
    await dialog.getByRole("button", { name: manager.t("device.bind.submit") }).click();
    await manager.sees(manager.page.getByText(manager.t("refusals.deviceCodeWrong")));
    await manager.field("device.activationCode", dialog).fill(code.toLowerCase());
    await dialog.getByRole("button", { name: manager.t("device.bind.submit") }).click();
    await manager.sees(manager.text("device.bind.howTitle"));
    const key = await shown(manager, "device.bind.key").inputValue();
    await looks(manager, "device-key", { alsoDark: true });
    await manager.button("common.close").last().click();

    const says = async () => (await fetch(`${product.address}/v1/device/worklist`, { headers: bearer(key) })).status;
    expect(await says()).toBe(200);
    const card = manager.page.getByRole("listitem").filter({ hasText: serial });
    const acts = async (action: string, fill: (within: typeof dialog) => Promise<void> = () => Promise.resolve()) => {
      await card.getByRole("button", { name: `${manager.t(`device.action.${action}`)}: CBCT, room 3` }).click();
      await fill(dialog);
      await dialog.getByRole("button", { name: manager.t(`device.action.${action}`), exact: true }).click();
      await manager.sees(manager.text(`device.done.${action}`));
    };
    await acts("lock", (within) => manager.field("device.reason", within).fill("Lost on the way"));
    await manager.sees(card.getByText("Lost on the way"));
    // On the page that has been open since.
    await service.sees(service.page.getByText("Lost on the way"));
    await looks(manager, "equipment");
    await expect.poll(says).toBe(403);
    await acts("unlock");
    await expect.poll(says).toBe(200);
    await acts("unbind", (within) =>
      within.getByLabel(new RegExp(manager.t("device.serialAgain", { serial }))).fill(serial),
    );
    await manager.sees(card.getByText(manager.t("device.state.unbound")));
    await expect.poll(says).toBe(401);
    await turns(manager);
    await manager.sees(
      manager.page.getByRole("row").filter({ hasText: serial }).getByText(manager.t("device.state.unbound")),
    );
    await looks(manager, "equipment");

    await service.page.getByText(serial).click();
    await service.sees(service.text("device.event.unbind"));
    await turns(service);
    await service.sees(service.text("device.event.unbind"));
    await looks(service, "device-detail");
    await registersMany(service);
    await forces(service);
    await joins(service);
    await withdraws(manager);
    // The browser itself notes the refusal of the wrong code.
    const complaints = manager.complaints.filter((one) => !/status of 4\d\d/.test(one));
    // The page of a record that was merged into another may get a 404 before it navigates away.
    const others = service.complaints.filter(
      (one) => !(one.includes("status of 404") && one.includes(demoClinics.far.id)),
    );
    expect([...others, ...complaints]).toEqual([]);
  },
);

/** Registers devices from a table: a faulty line is reported; after correction all get their codes in one file. */
async function registersMany(service: Person): Promise<void> {
  await service.goes("/devices");
  await service.button("device.many.title").click();
  const lines = service.field("device.many.lines", service.page.getByRole("dialog"));
  await lines.fill("serialNumber,product,model\nMANY-1,Aurora CBCT,A1\nmany-1,Aurora CBCT,A1");
  await service.button("device.register.submit").click();
  await service.sees(service.page.getByText(service.t("device.many.problem.twice", { value: "many-1" })));
  await looks(service, "devices-many");
  await lines.fill("MANY-1,Aurora CBCT,A1\nMANY-2,Aurora CBCT,A1");
  await service.button("device.register.submit").click();
  const codes = service.page.waitForEvent("download");
  await service.button("device.many.save").click();
  const file = readFileSync(await (await codes).path(), "utf8");
  expect(file.match(/"MANY-\d","Aurora CBCT","A1","(\w{4}-){3}\w{4}"/g)).toHaveLength(2);
  await service.button("common.close").last().click();
}

/** A device that its clinic has locked is unbound with the clinic's paper, which is kept. */
async function forces(service: Person): Promise<void> {
  const { id, serial_number } = demoDevices[1]!;
  await service.goes(`/deviceDetail?id=${id}`);
  await service.page.getByRole("button", { name: new RegExp(`^${service.t("device.action.forceUnbind")}: `) }).click();
  const dialog = service.page.getByRole("dialog");
  await dialog.getByLabel(new RegExp(service.t("device.serialAgain", { serial: serial_number }))).fill(serial_number);
  const consent = { name: "consent.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7 agreed") };
  await dialog.locator("input[type=file]").setInputFiles(consent);
  await looks(service, "device-force");
  await dialog.getByRole("button", { name: service.t("device.action.forceUnbind"), exact: true }).click();
  await service.sees(service.text("device.event.forceUnbind"));
  await service.sees(service.page.getByRole("link", { name: "consent.pdf" }));
}

/**
 * A clinic that has registered since: its record and its devices are merged into its account's record, then separated
 * again.
 */
async function joins(service: Person): Promise<void> {
  const { far, registered } = demoClinics;
  await service.goes(`/clinicDetail?id=${far.id}`);
  await service.button("clinic.link").click();
  const dialog = service.page.getByRole("dialog");
  await service.field("clinic.linkNumber", dialog).fill(registered.number);
  await service.sees(dialog.getByText(registered.name));
  await looks(service, "clinic-link");
  await dialog.getByRole("button", { name: service.t("clinic.link"), exact: true }).click();
  await service.sees(service.page.getByRole("heading", { level: 1, name: registered.name }));
  await service.sees(service.page.getByText(demoDevices[3]!.serial_number));
  // Its place is called as the reader calls it.
  await service.sees(service.page.getByText(/Sichuan/));
  await turns(service);
  await service.sees(service.page.getByText(/四川省/));
  await service.page.getByRole("button", { name: `${service.t("clinic.unlink")}: ${far.name}` }).click();
  await looks(service, "clinic-unlink");
  await dialog.getByRole("button", { name: service.t("clinic.unlink"), exact: true }).click();
  await service.sees(service.page.getByRole("heading", { level: 1, name: far.name }));
  await service.sees(service.page.getByText(demoDevices[3]!.serial_number));
}

/** A user who has a package open must see at once when it is withdrawn. */
async function withdraws(manager: Person): Promise<void> {
  await manager.goes(`/packageDetail?id=${demoPackage}`);
  await manager.sees(manager.button("common.download"));
  const operator = demoAccounts.accounts.find(({ role }) => role === "operator")!;
  const { token } = await product.gets(accountCalls.login, {
    account: operator.account,
    password: demoAccounts.password,
  });
  await product.gets(upgradeCalls.withdraw, { id: demoPackage, reason: "The table is wrong" }, { token });
  await manager.sees(manager.text("common.state.notFoundTitle"));
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
