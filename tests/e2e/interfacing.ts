import { expect } from "vitest";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { looks } from "./looking.ts";
import type { Person } from "./person.ts";

/** A manager lets a program in, which reads orders; names an endpoint, tries it and reads what became of it; and ends the key. */
export async function letsProgramsIn(manager: Person, password: string): Promise<void> {
  const { page } = manager;
  const dialog = page.getByRole("dialog");
  await manager.goes("/institution");
  await manager.link("institution.openInterfaceOpen").click();
  await manager.sees(manager.text("interface.keys.none"));
  await looks(manager, "open-interface-empty");

  await manager.button("interface.keys.new").click();
  await manager.sees(manager.field("interface.keys.name", dialog));
  await manager.button("interface.keys.make").click();
  await manager.sees(manager.text("common.field.chooseOne"));
  await manager.field("interface.keys.name", dialog).fill("Practice software");
  await dialog.getByLabel(manager.t("interface.scope.orders.read"), { exact: true }).check();
  await manager.field("interface.keys.password", dialog).fill(password);
  await looks(manager, "new-key");
  await manager.button("interface.keys.make").click();
  await manager.sees(manager.text("interface.keys.madeText"));
  await looks(manager, "key-made");
  const key = await manager.field("interface.keys.key", dialog).inputValue();
  const asks = () =>
    fetch(manager.address + orderCalls.counts.path, { headers: { authorization: `Bearer ${key}` } }).then(
      ({ status }) => status,
    );
  expect(await asks()).toBe(200);
  await dialog
    .getByRole("button", { name: manager.t("common.close"), exact: true })
    .last()
    .click();

  await manager.button("interface.hooks.new").click();
  await manager.field("interface.hooks.name", dialog).fill("ERP");
  await manager.field("interface.hooks.url", dialog).fill("https://127.0.0.1/hook");
  await manager.button("interface.hooks.make").click();
  await manager.sees(manager.text("common.field.webhookAddress"));
  await manager.field("interface.hooks.url", dialog).fill("https://hooks.invalid/arcada");
  await looks(manager, "new-webhook");
  await manager.button("interface.hooks.make").click();
  await manager.sees(manager.text("interface.hooks.secretText"));
  await dialog
    .getByRole("button", { name: manager.t("common.close"), exact: true })
    .last()
    .click();
  const act = (what: string, name: string) =>
    page.getByRole("button", { name: `${manager.t(what)}: ${name}`, exact: true }).click();
  await act("interface.hooks.try", "ERP");
  await act("interface.hooks.log", "ERP");
  await manager.sees(manager.text("interface.log.problem.address"));
  await looks(manager, "webhook-log");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await looks(manager, "open-interface", { alsoDark: true });

  await act("interface.keys.revoke", "Practice software");
  await manager.button("interface.keys.revoke").click();
  await manager.sees(manager.text("interface.keys.state.revoked"));
  await expect.poll(asks).toBe(401);
}
