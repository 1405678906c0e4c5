import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { prescription } from "@arcada/testing/fixtures/patient-with-orders";
import { Product } from "@arcada/testing/setup/product-process";
import { signIn } from "./support/account-steps.ts";
import { checkPage } from "./support/page-checks.ts";
import { BrowserUser, narrow } from "./support/browser-user.ts";
import { acceptRelation, requestRelation } from "./support/relation-steps.ts";
import { present } from "@arcada/testing/require-present";

const product = new Product();
let browser: Browser;
let clinic: Institution;
let lab: Institution;
/** In Chinese at a wide screen. */
let manager: BrowserUser;
/** In English on a telephone. */
let technician: BrowserUser;
let newcomer: BrowserUser | undefined;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  clinic = await createInstitution("clinic", "晨光口腔", "clinic@relations.test");
  lab = await createInstitution("lab", "Skilled Hands Dental", "lab@relations.test");
  manager = await BrowserUser.open(browser, product.address);
  technician = await BrowserUser.open(browser, product.address, "en");
  await technician.page.setViewportSize(narrow);
  await signIn(manager, clinic.email);
  await signIn(technician, lab.email);
});
beforeEach(({ onTestFailed }) =>
  onTestFailed(async () => {
    await manager.takeScreenshot("failed-relations-clinic");
    await technician.takeScreenshot("failed-relations-lab");
    await newcomer?.takeScreenshot("failed-relations-newcomer");
  }),
);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

interface Institution {
  email: string;
  name: string;
  number: string;
  iid: string;
  session: { token: string };
}
async function createInstitution(type: "clinic" | "lab", name: string, email: string): Promise<Institution> {
  const token = await product.register(email, type === "clinic" ? "clinicManager" : "labManager");
  const { id: iid, number } = await product.call(institutionCalls.create, { name, type, country: "CN" }, { token });
  const session = await product.call(institutionCalls.switch, { iid }, { token });
  return { email, name, number, iid, session };
}
async function sendOrder(): Promise<string> {
  const patient = await product.call(
    patientCalls.create,
    { name: "赵敏", sex: "female", birthDate: "1992-03-04", evenIfDuplicate: true },
    clinic.session,
  );
  const order = await product.call(
    orderCalls.save,
    { ...prescription(patient.id, lab.iid), send: true },
    clinic.session,
  );
  return order.id;
}
/** Returns the text of the newest email to an address with these words in its subject. */
async function findEmailTo(email: string, words: string): Promise<string> {
  for (let wait = 0; wait < 300; wait++) {
    const found = product.listMessages().find(({ to, subject }) => to.includes(email) && subject.includes(words));
    if (found) return found.text;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no letter to ${email} with ${words}`);
}
const confirmAction = (person: BrowserUser, action: string) =>
  person.page
    .getByRole("dialog")
    .getByRole("button", { name: person.t(`relation.action.${action}`), exact: true })
    .click();

describe("two organisations", () => {
  it("find each other, and each sees at once what the other does", async () => {
    await manager.goTo("/relationWeb/page");
    await manager.waitFor(manager.text("relation.empty"));
    await requestRelation(technician, clinic.number);
    await acceptRelation(manager, lab.name);
    await technician.waitFor(technician.text("relation.state.established"));
    expect(await findEmailTo(clinic.email, lab.name)).toContain("/relationWeb/page");
    expect(await findEmailTo(lab.email, clinic.name)).toContain("/relationWeb/page");
    const drawer = technician.page.getByRole("dialog", { name: clinic.name });
    await technician.goTo(
      present(/\/relationWeb\/page\?partner=[\w-]+/.exec(await findEmailTo(lab.email, clinic.name)))[0],
    );
    await technician.waitFor(drawer.getByText(technician.t("relation.event.accept")));
    await technician.page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
  });

  it("see their open orders in the list and on the map, which is reachable by keyboard", async () => {
    await sendOrder();
    await technician.waitFor(technician.text("relation.toAct", { count: 1 }));
    await manager.page.getByText(manager.t("relation.viewPicture"), { exact: true }).click();
    const card = manager.page.getByRole("button", { name: new RegExp(lab.name) });
    await manager.waitFor(card);
    await expect.poll(() => card.innerText()).toContain(manager.t("relation.openOrders", { count: 1 }));
    await checkPage(manager, "relations-picture");
    await card.focus();
    await manager.page.keyboard.press("Enter");
    await manager.waitFor(manager.text("relation.history"));
    await manager.page.getByRole("switch").click();
    await manager.waitFor(manager.text("common.saved"));
    await checkPage(manager, "relations-drawer");
    await manager.page.keyboard.press("Escape");
    await technician.page.getByText(technician.t("relation.viewPicture"), { exact: true }).click();
    await technician.waitFor(technician.page.getByRole("button", { name: new RegExp(clinic.name) }));
    await checkPage(technician, "relations-picture");
    await technician.page.getByText(technician.t("relation.viewList"), { exact: true }).click();
    await manager.page.getByText(manager.t("relation.viewList"), { exact: true }).click();
    await checkPage(technician, "relations-list");
    await checkPage(manager, "relations-list");
  });

  it("part with a reason, come back, and part for good when the last order has ended", async () => {
    await technician.button("relation.action.exit").click();
    await technician.page.getByRole("dialog").getByRole("textbox").fill("We move to another city");
    await checkPage(technician, "relations-exit");
    await confirmAction(technician, "exit");
    await manager.waitFor(manager.text("relation.leftByThem"));
    expect(await manager.button("relation.action.resume").count()).toBe(0);
    await technician.button("relation.action.resume").click();
    await manager.waitFor(manager.text("relation.state.established"));
    await technician.button("relation.action.exit").click();
    await confirmAction(technician, "exit");
    await manager.waitFor(manager.text("relation.leftByThem"));
    const { list } = await product.call(orderCalls.list, { page: 1, pageSize: 5 }, lab.session);
    const [order] = list;
    await product.call(
      orderCalls.step,
      { id: order.id, version: order.version, action: "refuse", reason: "We close" },
      lab.session,
    );
    await manager.waitFor(manager.text("relation.state.ended"));
    await technician.waitFor(technician.text("relation.state.ended"));
    expect(await findEmailTo(clinic.email, "has ended")).toContain(lab.name);
  });

  it("reconnect without a manager's answer if one of them accepts automatically", async () => {
    await product.call(institutionCalls.update, { autoAcceptRelations: true }, lab.session);
    await manager.button("relation.action.askAgain").click();
    await manager.waitFor(manager.text("relation.state.established"));
    await technician.waitFor(technician.text("relation.state.established"));
    await manager.page.getByText(lab.name, { exact: true }).first().click();
    await manager.waitFor(manager.text("relation.event.autoAccept"));
    await manager.waitFor(manager.text("relation.event.settle"));
    await checkPage(manager, "relations-history");
    await manager.page.keyboard.press("Escape");
  });
});

it("a user who is not registered is invited by email, and finds the request once their organisation exists", async () => {
  const email = "new-lab@relations.test";
  await manager.button("relation.invite").click();
  await manager.field("relation.email").fill("not an address");
  await manager.button("relation.inviteSend").click();
  await manager.waitFor(manager.text("common.field.emailShape"));
  await manager.field("relation.email").fill(email);
  await checkPage(manager, "relations-invite");
  await manager.button("relation.inviteSend").click();
  await manager.waitFor(manager.text("relation.invitations"));
  await checkPage(manager, "relations-invited");
  expect(await findEmailTo(email, clinic.name)).toContain("/register");
  const fresh = await createInstitution("lab", "新艺义齿", email);
  newcomer = await BrowserUser.open(browser, product.address);
  await signIn(newcomer, fresh.email);
  await newcomer.goTo("/relationWeb/page");
  await acceptRelation(newcomer, clinic.name);
  await manager.waitFor(manager.page.getByText(fresh.name, { exact: true }));
  await expect.poll(() => manager.text("relation.invitations").count()).toBe(0);
  expect(await product.call(relationCalls.invitations, {}, clinic.session)).toEqual([]);
});

it("no page causes console errors", () =>
  expect([...manager.consoleProblems, ...technician.consoleProblems]).toEqual([]));
