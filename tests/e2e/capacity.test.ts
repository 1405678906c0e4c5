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
keepsFailures("capacity", () => browser);

const accountOf = (role: string): string => demoAccounts.accounts.find((one) => one.role === role)!.account;

it(
  "the operator issues two cards, a clinic activates one on a phone, and not twice",
  { timeout: 120_000 },
  async () => {
    const operator = await Person.sitsDown(browser, product.address, "zh", { viewport: wide });
    await signsIn(operator, accountOf("operator"), demoAccounts.password);
    await operator.goes("/cards");
    await operator.button("cards.issue.open").click();
    await operator.field("cards.issue.count").fill("2");
    await operator.field("cards.issue.gigabytes").fill("40");
    await operator.button("cards.issue.submit").click();
    await operator.sees(operator.text("cards.issued.once"));
    await looks(operator, "cards-issued");
    const [number, secret] = await operator.page
      .getByRole("dialog")
      .locator("tbody tr")
      .first()
      .locator("td")
      .allInnerTexts();
    const paper = operator.page.waitForEvent("download");
    await operator.button("cards.issued.pdf").click();
    expect((await paper).suggestedFilename()).toMatch(/^cards-.*\.pdf$/);
    await operator.button("cards.issued.close").click();
    await operator.sees(operator.page.getByText(number!));

    const manager = await Person.sitsDown(browser, product.address, "en", { viewport: narrow });
    await signsIn(manager, accountOf("clinicAdmin"), demoAccounts.password);
    await manager.goes("/myCapacity/page");
    const bar = manager.page
      .getByRole("main")
      .getByText(/of [\d.]+ GB/)
      .first();
    const before = Number(/of ([\d.]+) GB/.exec(await bar.innerText())![1]);
    const activate = async () => {
      await manager.button("myCapacity.activate.open").click();
      await manager.field("myCapacity.activate.number").fill(number!);
      await manager.field("myCapacity.activate.secret").fill(secret!.toLowerCase());
      await manager.button("myCapacity.activate.submit").click();
    };
    await activate();
    await manager.sees(manager.page.getByRole("main").getByText(`of ${before + 40}`));
    await looks(manager, "my-capacity", { alsoDark: true });
    await activate();
    await manager.sees(manager.page.getByRole("alert").getByText(manager.t("refusals.capacityCardUsed")));
    await manager.page.keyboard.press("Escape");
    await manager.sees(manager.page.getByRole("main").getByText(`of ${before + 40}`));

    await operator.page.reload();
    await operator.sees(operator.text("capacity.state.in_effect"));
    await looks(operator, "cards");
    // The browser itself notes the refusal.
    const complaints = manager.complaints.filter((one) => !one.includes("status of 409"));
    expect([...operator.complaints, ...complaints]).toEqual([]);
  },
);
