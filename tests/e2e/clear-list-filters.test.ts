import { expect, it } from "vitest";
import type { BrowserUser } from "./support/browser-user.ts";
import { setupDemoProduct } from "./support/demo-product.ts";

const { signInAs } = setupDemoProduct("list-filters");

it.each([
  {
    page: "/orderList",
    open: "order.list.filters",
    clear: "order.list.clearFilters",
    day: "order.list.by.createdFrom",
  },
  {
    page: "/patientList",
    open: "patient.filter.title",
    clear: "patient.none.clear",
    day: "patient.filter.createdFrom",
  },
])("clearing the filters of $page also clears a day that is only half typed", async ({ page, open, clear, day }) => {
  const user: BrowserUser = await signInAs("clinicAdmin", "zh");
  await user.goTo(page);
  await user.button(open).click();
  const field = user.page.getByLabel(user.t(day), { exact: true });
  await field.fill("2026-1");
  await user.button(clear).click();
  await expect.poll(() => field.inputValue()).toBe("");
  expect(new URL(user.page.url()).search).toBe("");
  await user.close();
});

it.each([
  {
    name: "showing all orders",
    reset: (user: BrowserUser) => user.page.getByRole("link", { name: user.t("order.empty.filterAction") }).click(),
  },
  {
    name: "applying a saved view",
    reset: async (user: BrowserUser) => {
      await user.button("order.list.view").click();
      await user.page.getByLabel(user.t("order.list.saveView")).fill("Everything");
      await user.button("common.save").click();
      await user.page.getByRole("button", { name: "Everything", exact: true }).click();
    },
  },
])("$name also clears a day that is only half typed", async ({ reset }) => {
  const user: BrowserUser = await signInAs("clinicAdmin", "zh");
  await user.goTo("/orderList?search=nothing-has-this-name");
  await user.button("order.list.filters").click();
  const field = user.page.getByLabel(user.t("order.list.by.createdFrom"), { exact: true });
  await field.fill("2026-1");
  await reset(user);
  await user.button("order.list.filters").and(user.page.locator("[aria-expanded=true]")).waitFor();
  await expect.poll(() => field.inputValue()).toBe("");
  await user.close();
});
