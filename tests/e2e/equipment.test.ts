import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoAccounts } from "../../apps/server/src/kernel/demo.ts";
import { launchBrowser } from "../browser.ts";
import { Product } from "../product.ts";
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
keepsFailures("equipment", () => browser);

const accountOf = (role: string): string => demoAccounts.accounts.find((one) => one.role === role)!.account;
const serial = "AU-26-00901";
/** What a dialog shows once; its own name may be the same. */
const shown = (person: Person, key: string) => person.page.getByRole("textbox", { name: person.t(key) });

it(
  "after-sales registers a device; its clinic binds it on a phone, locks, unlocks and unbinds it",
  { timeout: 120_000 },
  async () => {
    const service = await Person.sitsDown(browser, product.address, "zh", { viewport: wide });
    await signsIn(service, accountOf("afterSalesAdmin"), demoAccounts.password);
    await service.goes("/devices");
    await service.button("device.register.title").click();
    for (const [field, text] of Object.entries({ product: "Aurora CBCT", model: "A1", serialNumber: serial }))
      await service.field(`device.${field}`, service.page.getByRole("dialog")).fill(text);
    await service.button("device.register.submit").click();
    const code = await shown(service, "device.activationCode").inputValue();
    expect(code).toMatch(/^(\w{4}-){3}\w{4}$/);
    await service.button("common.close").last().click();
    await looks(service, "devices");

    const manager = await Person.sitsDown(browser, product.address, "en", { viewport: narrow });
    await signsIn(manager, accountOf("clinicAdmin"), demoAccounts.password);
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
    await looks(manager, "equipment");
    await expect.poll(says).toBe(403);
    await acts("unlock");
    await expect.poll(says).toBe(200);
    await acts("unbind", (within) =>
      within.getByLabel(new RegExp(manager.t("device.serialAgain", { serial }))).fill(serial),
    );
    await manager.sees(card.getByText(manager.t("device.state.unbound")));
    await expect.poll(says).toBe(401);

    await service.page.getByText(serial).click();
    await service.sees(service.text("device.event.unbind"));
    await looks(service, "device-detail");
    // The browser itself notes the refusal of the wrong code.
    const complaints = manager.complaints.filter((one) => !/status of 4\d\d/.test(one));
    expect([...service.complaints, ...complaints]).toEqual([]);
  },
);

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
