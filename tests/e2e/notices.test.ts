import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { memberCalls } from "@arcada/contract/member/member.calls";
import { noticeGroupCalls } from "@arcada/contract/notice/notice-group.calls";
import { orderCalls } from "@arcada/contract/order/order.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { crownOrderInput } from "@arcada/testing/fixtures/orders";
import { Product } from "@arcada/testing/setup/product-process";
import { signIn } from "./support/account-steps.ts";
import { findAxeViolations, findLastingFaults } from "./support/page-checks.ts";
import { BrowserUser, narrow } from "./support/browser-user.ts";
import { watchConsole } from "./support/console-watch.ts";

const product = new Product();
const [labEmail, clinicEmail] = ["lab@notices.test", "clinic@notices.test"];
const patient = "通知患者甲";
let browser: Browser;
let labInstitution: { id: string; number: string };
let clinicToken = "";
let labToken = "";
let patientId = "";
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  [clinicToken] = await createInstitution(clinicEmail, "clinicManager", "晨光口腔");
  [labToken, labInstitution] = await createInstitution(labEmail, "labManager", "匠心义齿");
  const asked = await product.call(
    relationCalls.step,
    { iid: labInstitution.id, action: "request" },
    { token: clinicToken },
  );
  await product.call(relationCalls.step, { id: asked.id, action: "accept" }, { token: labToken });
  const made = { name: patient, sex: "female", birthDate: "1990-02-03" } as const;
  patientId = (await product.call(patientCalls.create, made, { token: clinicToken })).id;
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

describe("a notice", () => {
  it("appears in both tabs of a lab at once; following it opens its page and marks it as read in both", async () => {
    const lab = await BrowserUser.open(browser, product.address);
    await signIn(lab, labEmail);
    const second = await lab.context.newPage();
    const consoleProblems = await watchConsole(second);
    await second.goto(`${product.address}/orderList`);
    // The request of the clinic has been accepted, so it no longer waits.
    for (const page of [lab.page, second]) await expectUnread(lab, page, 0);

    const order = await sendOrder();
    for (const page of [lab.page, second]) await expectUnread(lab, page, 1);
    const applicant = await product.register("applicant@notices.test", "labManager");
    await product.call(memberCalls.apply, { number: labInstitution.number }, { token: applicant });
    for (const page of [lab.page, second]) await expectUnread(lab, page, 2);

    const panel = await openBell(lab, 2);
    expect(await panel.getByRole("tab", { selected: true }).textContent()).toContain(lab.t("notice.filter.todo"));
    // The notice keeps the number only; the panel reads what the order is called.
    const line = new RegExp(`${patient} · .*${lab.t("notice.about.orderArrived")}.*${order.number}`);
    await panel.getByRole("button", { name: line }).waitFor();
    expect(await findLastingFaults(() => findAxeViolations(lab.page, "[role=dialog]"))).toEqual([]);
    await lab.takeScreenshots("notices", { alsoIn: [] });
    await panel.getByRole("tab", { name: new RegExp(lab.t("notice.filter.all")) }).click();
    await panel.getByRole("button", { name: new RegExp("匠心义齿") }).waitFor();
    await lab.takeScreenshot("notices-all-zh-1440");
    await panel.getByRole("button", { name: line }).click();
    await lab.page.waitForURL((url) => url.pathname === "/orderDetail/page" && url.search.includes(order.id));
    for (const page of [lab.page, second]) await expectUnread(lab, page, 1);
    expect([...lab.consoleProblems, ...consoleProblems]).toEqual([]);
    await lab.close();
  });

  it("is sent by email only if the switch is on, and a single switch leaves the preset in every tab", async () => {
    const lab = await BrowserUser.open(browser, product.address);
    await signIn(lab, labEmail);
    const panel = await openBell(lab, 1);
    await panel.getByRole("button", { name: lab.t("notice.settings.title") }).click();
    await lab.page.waitForURL((url) => url.pathname === "/profile/index");
    const second = await lab.context.newPage();
    await second.goto(`${product.address}/profile/index`);
    const preset = (page: Page, name: "waits" | "custom") =>
      page.getByRole("radio", { name: lab.t(`notice.preset.${name}`), exact: true });
    await expect.poll(() => preset(lab.page, "waits").isChecked()).toBe(true);
    expect(await findLastingFaults(() => findAxeViolations(lab.page, "#notices"))).toEqual([]);
    await lab.takeScreenshots("notice-presets", { alsoIn: ["en"] });
    for (const page of [lab.page, second])
      await page.getByRole("button", { name: lab.t("notice.settings.advanced") }).click();
    const name = `${lab.t("notice.settings.kind.orderArrived")}: ${lab.t("notice.settings.email")}`;
    const switchOn = (page: Page) => page.getByRole("switch", { name, exact: true });
    await switchOn(lab.page).scrollIntoViewIfNeeded();
    expect(await switchOn(lab.page).isChecked()).toBe(true);
    expect(await findLastingFaults(() => findAxeViolations(lab.page, "#notices"))).toEqual([]);
    await switchOn(lab.page).focus();
    await lab.page.keyboard.press("Space");
    await lab.button("common.save").click();
    for (const page of [lab.page, second]) await expect.poll(() => preset(page, "custom").isChecked()).toBe(true);
    await expect.poll(() => switchOn(second).isChecked()).toBe(false);
    const quiet = await sendOrder();
    await expectUnread(lab, second, 2);
    await switchOn(second).focus();
    await second.keyboard.press("Space");
    await second.getByRole("button", { name: lab.t("common.save"), exact: true }).click();
    await expect.poll(() => switchOn(lab.page).isChecked()).toBe(true);
    const told = await sendOrder();
    await expect
      .poll(() => listEmails().filter((text) => text.includes(told.number)).length, { timeout: 15_000 })
      .toBe(1);
    expect(listEmails().filter((text) => text.includes(quiet.number))).toEqual([]);
    expect(listEmails().join()).not.toContain(patient);
    expect(lab.consoleProblems).toEqual([]);
    await lab.close();
  });

  it("is read by keyboard on a phone, in English, and all are marked as read at once", async () => {
    const order = await sendOrder();
    const seen = await product.call(orderCalls.detail, { id: order.id }, { token: labToken });
    const clinic = await BrowserUser.open(browser, product.address, "en");
    await clinic.page.setViewportSize(narrow);
    await signIn(clinic, clinicEmail);
    await expectUnread(clinic, clinic.page, 1);
    const step = { id: seen.id, version: seen.version, action: "requestInfo", text: "Shade?" } as const;
    await product.call(orderCalls.step, step, { token: labToken });
    await expectUnread(clinic, clinic.page, 2);
    await bellButton(clinic, clinic.page, 2).focus();
    await clinic.page.keyboard.press("Enter");
    const panel = clinic.page.getByRole("dialog", { name: clinic.t("notice.title") });
    const line = panel.getByRole("button", {
      name: new RegExp(order.number),
    });
    await line.waitFor();
    expect(await clinic.findSidewaysScroll()).toEqual([]);
    expect(await findLastingFaults(() => findAxeViolations(clinic.page, "[role=dialog]"))).toEqual([]);
    await clinic.takeScreenshot("notices-en-390");
    await clinic.page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    await expect
      .poll(() => bellButton(clinic, clinic.page, 2).evaluate((bell) => bell === document.activeElement))
      .toBe(true);
    await clinic.page.keyboard.press("Enter");
    await line.focus();
    await clinic.page.keyboard.press("Enter");
    await clinic.page.waitForURL((url) => url.pathname === "/orderDetail/page");
    // The question stands in the conversation of the order.
    await clinic.waitFor(clinic.page.getByRole("log").getByText("Shade?"));
    await clinic.waitFor(clinic.page.getByRole("log").getByText(clinic.t("orderDetail.message.question")));
    await openBell(clinic, 1);
    await panel.getByRole("button", { name: clinic.t("notice.markRead"), exact: true }).click();
    await clinic.page.getByRole("button", { name: clinic.t("notice.title"), exact: true }).waitFor();
    expect(clinic.consoleProblems).toEqual([]);
    await clinic.close();
  });

  it("tells a person of a message that mentions them, chosen by keyboard", async () => {
    const order = await sendOrder();
    const lab = await BrowserUser.open(browser, product.address, "en");
    await signIn(lab, labEmail);
    await lab.goTo(`/orderDetail/page?id=${order.id}`);
    const field = lab.field("order.detail.messageHint");
    await field.pressSequentially("@");
    const people = lab.page.getByRole("listbox", { name: lab.t("orderDetail.message.people") });
    await people.getByRole("option").first().waitFor();
    expect(await findLastingFaults(() => findAxeViolations(lab.page, "main"))).toEqual([]);
    await lab.takeScreenshot("mention-en-1440");
    await lab.page.keyboard.press("Enter");
    await expect.poll(() => field.inputValue()).toMatch(/^@\S.* $/);
    await field.pressSequentially("please look");
    await lab.page.keyboard.press("Enter");
    await lab.waitFor(lab.page.getByRole("log").getByText("please look"));
    const { list } = await product.call(noticeGroupCalls.groups, { which: "todo" }, { token: clinicToken });
    const mention = list.find(({ orderId }) => orderId === order.id);
    expect(mention?.notice).toMatchObject({ kind: "orderMentioned" });
    expect(lab.consoleProblems).toEqual([]);
    await lab.close();
  });

  it("opens in its own organisation for a user who currently works in another", async () => {
    const order = await sendOrder();
    const other = { name: "第二技工所", type: "lab", country: "CN" } as const;
    const house = await product.call(institutionCalls.create, other, { token: labToken });
    await product.call(institutionCalls.switch, { iid: house.id }, { token: labToken });
    const lab = await BrowserUser.open(browser, product.address);
    await signIn(lab, labEmail);
    await lab.waitFor(lab.page.getByRole("banner").getByText("第二技工所"));
    const counted = new RegExp(lab.t("notice.open", { count: 9 }).replace("9", String.raw`\d+`));
    await lab.page.getByRole("button", { name: counted }).click();
    const panel = lab.page.getByRole("dialog", { name: lab.t("notice.title") });
    const line = new RegExp(order.number);
    await panel.getByRole("button", { name: line }).click();
    await lab.page.waitForURL((url) => url.pathname === "/orderDetail/page" && url.search.includes(order.id));
    await lab.waitFor(lab.page.getByRole("main").getByText(order.number));
    await lab.waitFor(lab.page.getByRole("banner").getByText("匠心义齿"));
    expect(lab.consoleProblems).toEqual([]);
    await lab.close();
  });
});

const bellButton = (person: BrowserUser, page: Page, unread: number) =>
  page.getByRole("button", {
    name: unread === 0 ? person.t("notice.title") : person.t("notice.open", { count: unread }),
    exact: true,
  });
const expectUnread = (person: BrowserUser, page: Page, unread: number): Promise<void> =>
  bellButton(person, page, unread).waitFor({ timeout: 15_000 });
async function openBell(person: BrowserUser, unread: number) {
  await bellButton(person, person.page, unread).click();
  const panel = person.page.getByRole("dialog", { name: person.t("notice.title") });
  await panel.getByRole("tablist").waitFor();
  return panel;
}

/** Creates a user with a new institution. Returns the user's token there and the institution. */
async function createInstitution(
  account: string,
  role: "clinicManager" | "labManager",
  name: string,
): Promise<[token: string, house: { id: string; number: string }]> {
  const token = await product.register(account, role);
  const type = role === "clinicManager" ? "clinic" : "lab";
  const house = await product.call(institutionCalls.create, { name, type, country: "CN" }, { token });
  const moved = await product.call(institutionCalls.switch, { iid: house.id }, { token });
  return [moved.token, house];
}
async function sendOrder(): Promise<Order> {
  const order = { ...crownOrderInput(patientId, labInstitution.id), send: true };
  return product.call(orderCalls.save, order, { token: clinicToken });
}
const listEmails = (): string[] => product.listMessages().map((message) => JSON.stringify(message));
