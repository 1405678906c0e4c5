import { beforeAll, expect, it } from "vitest";
import { demoAccounts } from "../../apps/server/src/domain/demo-accounts.ts";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { addDays } from "@arcada/contract/kernel/time-zone";
import { orderCalls } from "@arcada/contract/order/order.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import { orderTodayCalls } from "@arcada/contract/order/order-today.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import { present } from "@arcada/testing/require-present";
import { setupDemoProduct } from "./support/demo-product.ts";
import { createOrderHistory } from "./support/order-history.ts";
import { checkPage } from "./support/page-checks.ts";
import type { BrowserUser } from "./support/browser-user.ts";

const { product, signInAs } = setupDemoProduct("today");
const designer = present(demoAccounts.accounts.find(({ role }) => role === "factoryMember")).name;
const labManager = present(demoAccounts.accounts.find(({ role }) => role === "factoryAdmin")).name;
/** Two orders that wait for acceptance, and three in the design stage: one is late, one due today, one at the clinic. */
const orders: Order[] = [];

beforeAll(async () => {
  const signIn = async (account: string) => ({
    token: (await product.call(signInCalls.login, { account, password: demoAccounts.password })).token,
  });
  const [clinic, lab] = [await signIn("lin@clinic.example"), await signIn("zhou@lab.example")];
  const relations = await product.call(relationCalls.list, {}, clinic);
  const targetIid = present(relations.find(({ state }) => state === "established")).other.id;
  const { day } = await product.call(orderTodayCalls.today, {}, lab);
  for (const [name, due] of [
    ["Amelia Hart", 5],
    ["陈思远", 9],
    ["王雨桐", -2],
    ["Liam O’Connor", 0],
    ["李大伟", 3],
  ] as const) {
    const patient = await product.call(patientCalls.create, { name, sex: "female", birthDate: "1985-06-07" }, clinic);
    const input = {
      patientId: patient.id,
      targetIid,
      caseType: "restoration" as const,
      items: [{ teeth: [16], kind: "crown" as const, material: "zirconia" as const, shade: "A2" as const }],
      workKinds: ["design" as const, "machining" as const],
      noDigitalFiles: true,
      dueDate: addDays(day, due),
      send: true,
    };
    const { id } = await product.call(orderCalls.save, input, clinic);
    orders.push(await product.call(orderCalls.detail, { id }, lab));
  }
  for (const [at, { id, version, dueDate }] of orders.entries())
    if (at > 1)
      orders[at] = present(
        await product.call(orderCalls.step, { id, version, action: "accept", promisedDate: present(dueDate) }, lab),
      );
  const { id, version } = present(orders[4]);
  await product.call(orderCalls.step, { id, version, action: "requestInfo", text: "Which shade?" }, lab);
}, 60_000);

it("a laboratory starts with its day, assigns an order by one click and moves it on the board", async () => {
  const manager = await signInAs("factoryAdmin", "zh");
  await manager.page.waitForURL("**/today");
  const late = group(manager, "order.task.design").getByRole("listitem").filter({ hasText: "王雨桐" });
  await manager.waitFor(late.getByText(manager.t("order.due.late", { count: 2 })));
  await checkPage(manager, "today-lab", { alsoDark: true });

  const worker = await signInAs("factoryMember", "en");
  await worker.page.waitForURL("**/today");
  await worker.waitFor(group(worker, "order.task.accept"));
  expect(await worker.page.getByText("王雨桐").count()).toBe(0);
  // One click: the button of the person.
  await late.getByRole("button", { name: manager.t("today.assign.to", { name: designer, count: 0 }) }).click();
  await manager.waitFor(late.getByRole("button", { name: manager.t("today.assign.now", { name: designer }) }).first());
  await worker.waitFor(group(worker, "order.task.design").getByText("王雨桐"));
  await checkPage(worker, "today-designer");
  expect(worker.consoleProblems).toEqual([]);
  await worker.close();

  await manager.text("today.board").click();
  await manager.waitFor(column(manager, "accept").getByText("Amelia Hart"));
  await checkPage(manager, "today-board", { alsoDark: true });
  await column(manager, "accept").getByText("Amelia Hart").dragTo(column(manager, "design"));
  await manager.page
    .getByRole("dialog")
    .getByRole("button", { name: manager.t("order.action.accept") })
    .click();
  await manager.waitFor(column(manager, "design").getByText("Amelia Hart"));
  // The same by keyboard: the menu of a card has the moves that the life cycle opens.
  const waiting = present(orders[1]);
  await manager.button("today.move.label", { number: waiting.number }).press("Enter");
  await manager.page.getByRole("menuitem").first().press("Enter");
  await manager.page
    .getByRole("dialog")
    .getByRole("button", { name: manager.t("order.action.accept") })
    .click();
  await manager.waitFor(column(manager, "design").getByText("陈思远"));
  expect(await column(manager, "accept").getByRole("listitem").count()).toBe(0);
  // The load counts what was accepted; its bar leads to as many orders.
  await manager.text("today.list").click();
  await manager.page.getByRole("link", { name: new RegExp(`^${labManager}`) }).click();
  await manager.waitFor(manager.text("order.list.count", { count: 4 }));
  expect(manager.consoleProblems).toEqual([]);
  await manager.close();
});

it("a clinic starts with its day, whose counters lead to as many orders, or with its list if a person wishes", async () => {
  const manager = await signInAs("clinicAdmin", "zh");
  await manager.page.waitForURL("**/today");
  await manager.waitFor(group(manager, "order.task.answer").getByText("李大伟"));
  await checkPage(manager, "today-clinic", { alsoDark: true });
  await manager.viewMenu().click();
  await manager.menuItem("shell.skin").click();
  await manager.page.getByRole("switch", { name: manager.t("shell.startToday") }).click();
  await manager.goTo("/");
  await manager.page.waitForURL("**/patientList");
  await manager.goTo("/today");
  await group(manager, "order.task.answer").getByText("李大伟").click();
  await manager.page.waitForURL("**/orderDetail/page*");
  expect(manager.consoleProblems).toEqual([]);
  await manager.close();
});

it("a manager goes from a bar of the dashboard to its orders, and reads the same figures in a table", async () => {
  await createOrderHistory(product, present(orders[2]).id, 60);
  const manager = await signInAs("factoryAdmin", "zh");
  await manager.goTo("/dashboard");
  const chart = manager.page.getByRole("group", { name: new RegExp(`^${manager.t("dashboard.late.title")}`) });
  await manager.waitFor(chart);
  await checkPage(manager, "dashboard", { alsoDark: true });
  // The bar below is that of the orders on time: each column has it before the late ones.
  const bar = chart.locator("a[aria-hidden]").first();
  await bar.click();
  await manager.page.waitForURL(/\/orderList\?.*completedFrom=/);
  const address = new URL(manager.page.url()).searchParams;
  expect([address.get("list"), address.get("delivered")]).toEqual(["received", "onTime"]);
  await manager.waitFor(manager.page.getByText(/^H-\d+$/));

  await manager.page.goBack();
  // By keyboard: a chart is one tab stop, and the arrow goes to the week before.
  const columns = chart.locator("[data-column]");
  await columns.last().focus();
  await manager.page.keyboard.press("ArrowLeft");
  expect(await columns.nth((await columns.count()) - 2).evaluate((one) => one === document.activeElement)).toBe(true);
  const table = manager.page.getByRole("radiogroup", { name: new RegExp(`^${manager.t("dashboard.late.title")}`) });
  await table.getByText(manager.t("dashboard.chart.table")).click();
  await manager.waitFor(manager.page.getByRole("table", { name: manager.t("dashboard.late.title") }).getByRole("link"));
  expect(manager.consoleProblems).toEqual([]);
  await manager.close();
});

const group = (person: BrowserUser, title: string) =>
  person.page
    .locator("section")
    .filter({ has: person.page.getByRole("heading", { name: new RegExp(`^${person.t(title)}`) }) });
const column = (person: BrowserUser, stage: string) =>
  person.page.getByRole("region", { name: person.t(`order.task.${stage}`), exact: true });
