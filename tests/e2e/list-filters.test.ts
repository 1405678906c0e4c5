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
