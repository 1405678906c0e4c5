import { expect, it } from "vitest";
import { cardActivationUrl } from "@arcada/contract/capacity/card-activation-url";
import { checkPage } from "./support/page-checks.ts";
import { setupDemoProduct, switchVariant } from "./support/demo-product.ts";
import { present } from "@arcada/testing/require-present";

const { product, signInAs: comes } = setupDemoProduct("capacity");

it(
  "the operator issues two cards, a clinic scans one on a phone, and neither counts twice; the operator sees it happen",
  { timeout: 180_000 },
  async () => {
    const operator = await comes("operator", "zh");
    await operator.goTo("/cards");
    await operator.button("cards.issue.open").click();
    await operator.field("cards.issue.count").fill("2");
    await operator.field("cards.issue.gigabytes").fill("40");
    await operator.button("cards.issue.submit").click();
    await operator.waitFor(operator.text("cards.issued.once"));
    await checkPage(operator, "cards-issued");
    const rows = operator.page.getByRole("dialog").locator("tbody tr");
    const cardIn = async (at: number) => {
      const [number, secret] = await rows.nth(at).locator("td").allInnerTexts();
      return { number: number, secret: secret };
    };
    const [scanned, typed] = [await cardIn(0), await cardIn(1)];
    const paper = operator.page.waitForEvent("download");
    await operator.button("cards.issued.pdf").click();
    expect((await paper).suggestedFilename()).toMatch(/^cards-.*\.pdf$/);
    await operator.button("cards.issued.close").click();
    await operator.waitFor(operator.page.getByText(scanned.number));

    const manager = await comes("clinicAdmin", "en");
    await manager.goTo("/myCapacity/page");
    const bar = manager.page
      .getByRole("main")
      .getByText(/of [\d.]+\sGB/)
      .first();
    const before = Number(present(/of ([\d.]+)\sGB/.exec(await bar.innerText()))[1]);
    const holds = (more: number) => manager.page.getByRole("main").getByText(`of ${before + more}`);
    // Another page of the same telephone, as its camera opens it.
    await manager.page.goto("about:blank");
    await manager.page.goto(
      cardActivationUrl(product.address, {
        number: withoutHyphens(scanned.number),
        secret: withoutHyphens(scanned.secret),
      }),
    );
    await manager.button("myCapacity.activate.submit").click();
    await manager.waitFor(holds(40));
    expect(manager.page.url()).toBe(`${product.address}/myCapacity/page`);
    const activate = async ({ number, secret }: typeof typed) => {
      await manager.button("myCapacity.activate.open").click();
      await manager.field("myCapacity.activate.number").fill(number);
      await manager.field("myCapacity.activate.secret").fill(secret.toLowerCase());
      await manager.button("myCapacity.activate.submit").click();
    };
    await activate(typed);
    await manager.waitFor(holds(80));
    await checkPage(manager, "my-capacity", { alsoDark: true });
    await activate(scanned);
    await manager.waitFor(manager.page.getByRole("dialog").getByText(manager.t("refusals.capacityCardUsed")));
    await manager.page.keyboard.press("Escape");
    await manager.waitFor(holds(80));

    // On the page that has been open since.
    await operator.waitFor(operator.text("capacity.state.in_effect"));
    await operator.page.getByText(operator.t("cards.tab.payments"), { exact: true }).click();
    await operator.waitFor(operator.text("capacity.payment.waiting"));
    await switchVariant(manager);
    const plan = "large-year";
    await manager.page
      .getByRole("button", { name: `${manager.t("myCapacity.subscribe.open")}: ${manager.t(`capacity.plan.${plan}`)}` })
      .click();
    await manager.page
      .getByRole("dialog")
      .getByRole("button", { name: manager.t("myCapacity.subscribe.open"), exact: true })
      .click();
    await manager.waitFor(manager.text("myCapacity.subscribe.done"));
    await checkPage(manager, "my-capacity");
    await operator.waitFor(operator.text(`capacity.plan.${plan}`));
    await checkPage(operator, "payments");
    await switchVariant(operator);
    await operator.waitFor(operator.text(`capacity.plan.${plan}`));
    await checkPage(operator, "payments");
    // The browser itself notes the refusal.
    const consoleProblems = manager.consoleProblems.filter((one) => !one.includes("status of 409"));
    expect([...operator.consoleProblems, ...consoleProblems]).toEqual([]);
  },
);

const withoutHyphens = (text: string): string => text.replaceAll("-", "");
