import { expect, it } from "vitest";
import { setupDemoProduct } from "./support/demo-product.ts";
import { checkPage } from "./support/page-checks.ts";

const { signInAs } = setupDemoProduct("quota");

it.each(["zh", "en"] as const)("an operator changes the quota of a laboratory (%s)", async (language) => {
  const operator = await signInAs("operator", language);
  await operator.goTo("/organisations");
  await operator.page.getByText("匠心义齿 Artisan Dental Lab").first().click();
  await operator.button("operator.organisations.quota.change").click();
  const dialog = operator.page.getByRole("dialog").last();
  await operator.field("operator.organisations.quota.gigabytes", dialog).fill("250");
  expect(await operator.field("operator.organisations.quota.analyses", dialog).count()).toBe(0);
  await checkPage(operator, "quota-dialog");
  await dialog.getByRole("button", { name: operator.t("common.save") }).click();
  await operator.waitFor(operator.text("operator.organisations.quota.changed"));
  await operator.waitFor(operator.page.getByText(/250/));
  await checkPage(operator, "quota-changed");
});
