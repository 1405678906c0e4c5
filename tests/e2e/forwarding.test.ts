import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { orderCalls } from "@arcada/contract/order/order.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { prescription } from "@arcada/testing/fixtures/patient-with-orders";
import { Product } from "@arcada/testing/setup/product-process";
import { signIn } from "./support/account-steps.ts";
import { captureFailures, checkPage } from "./support/page-checks.ts";
import { readScan } from "./support/order-files.ts";
import { takeOrderAction, expectOrderState } from "./support/order-steps.ts";
import { BrowserUser, isBrief, narrow } from "./support/browser-user.ts";
import { present } from "@arcada/testing/require-present";

interface Institution {
  name: string;
  email: string;
  iid: string;
  session: { token: string };
}
const product = new Product();
let browser: Browser;
let clinic: Institution;
let lab: Institution;
let secondLab: Institution;
/** The first lab's manager, in Chinese at a wide screen. */
let manager: BrowserUser;
/** The second lab's, in English on a telephone. */
let technician: BrowserUser;

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  clinic = await createInstitution("clinic", "晨光口腔", "clinic@forwarding.test");
  lab = await createInstitution("lab", "匠心义齿", "lab@forwarding.test");
  secondLab = await createInstitution("lab", "Skilled Hands Milling", "plant@forwarding.test");
  const agreed = await relateInstitutions(clinic, lab);
  await relateInstitutions(lab, secondLab);
  await product.call(relationCalls.setTerms, { ...agreed, mayForward: true }, clinic.session);
  manager = await BrowserUser.open(browser, product.address);
  technician = await BrowserUser.open(browser, product.address, "en");
  await technician.page.setViewportSize(narrow);
  await signIn(manager, lab.email);
  await signIn(technician, secondLab.email);
});
captureFailures("forwarding", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

async function createInstitution(type: "clinic" | "lab", name: string, email: string): Promise<Institution> {
  const token = await product.register(email, type === "clinic" ? "clinicManager" : "labManager");
  const { id: iid } = await product.call(institutionCalls.create, { name, type, country: "CN" }, { token });
  return { name, email, iid, session: await product.call(institutionCalls.switch, { iid }, { token }) };
}
async function relateInstitutions(one: Institution, other: Institution): Promise<{ id: string; version: number }> {
  const asked = await product.call(relationCalls.step, { action: "request", iid: other.iid }, one.session);
  const { id, version } = await product.call(
    relationCalls.step,
    { action: "accept", id: asked.id, version: asked.version },
    other.session,
  );
  return { id, version };
}
const takeStep = async (who: Institution, { id }: { id: string }, action: OrderAction): Promise<Order> => {
  const { version } = await product.call(orderCalls.detail, { id }, who.session);
  return present(await product.call(orderCalls.step, { id, version, action }, who.session));
};
async function createAcceptedOrder(): Promise<Order> {
  const patient = await product.call(
    patientCalls.create,
    { name: "赵敏", sex: "female", birthDate: "1992-03-04", evenIfDuplicate: true },
    clinic.session,
  );
  const uploads = await Promise.all(
    (["upper", "lower"] as const).map(async (jaw) => ({
      upload: await product.upload(clinic.session.token, `${jaw}.stl`, readScan(jaw)),
      role: `${jaw}Scan` as const,
    })),
  );
  const rx = {
    ...prescription(patient.id, lab.iid),
    workKinds: ["machining" as const],
    noDigitalFiles: false,
    uploads,
  };
  const { id } = await product.call(orderCalls.save, { ...rx, send: true }, clinic.session);
  // It is handed over when its files have been looked at.
  const state = async () => (await product.call(orderCalls.detail, { id }, clinic.session)).state;
  await expect.poll(state, { timeout: 60_000 }).toBe("pending");
  return takeStep(lab, { id }, "accept");
}
const openOrder = (person: BrowserUser, { id }: { id: string }) => person.goTo(`/orderDetail/page?id=${id}`);
const main = (person: BrowserUser): Locator => person.page.getByRole("main");
const press = (person: BrowserUser, where: Locator, key: string) =>
  where.getByRole("button", { name: person.t(key), exact: true }).click();

describe("an order that one lab forwards to another", () => {
  it("continues as a draft of the first lab, ships directly to the clinic, and completes for all three at once", async () => {
    const order = await createAcceptedOrder();
    await openOrder(manager, order);
    await press(manager, main(manager), "order.action.prepareForward");
    const dialog = manager.page.getByRole("dialog");
    await manager.field("forward.lab", dialog).and(manager.page.locator("input")).first().click();
    await manager.page.getByRole("option", { name: secondLab.name, exact: true }).click();
    await dialog.getByRole("radio", { name: manager.t("forward.toSender", { name: clinic.name }) }).check();
    await checkPage(manager, "forwarding-dialog", { alsoDark: true });
    await press(manager, dialog, "forward.prepare");
    await manager.waitFor(main(manager).getByText(manager.t("forward.parent")));
    await press(manager, main(manager), "order.action.edit");
    await manager.field("order.form.instructions", dialog).fill("请按确认的设计切削。");
    await manager.field("order.form.dueDate", dialog).fill("2030-01-09");
    await press(manager, dialog, "common.save");
    await dialog.waitFor({ state: "hidden" });
    // A lab's draft has no form; the list links to its page.
    const draft = new URL(manager.page.url()).searchParams.get("id");
    await manager.goTo("/orderList?state=draft");
    await main(manager).locator(`a[href*="${draft}"]`).first().click();
    await manager.page.waitForURL((url) => url.pathname === "/orderDetail/page");
    await takeOrderAction(manager, "submit");
    await expectOrderState(manager, "pending");

    await technician.goTo("/orderList");
    const row = technician.page.getByText(lab.name).first();
    await technician.waitFor(row);
    const { list } = await product.call(orderCalls.list, {}, secondLab.session);
    await openOrder(technician, list[0]);
    await takeOrderAction(technician, "accept");
    await checkPage(technician, "forwarding-plant");
    await technician.waitFor(main(technician).getByText(technician.t("order.role.upperScan")));
    expect(await main(technician).innerText()).not.toContain("赵敏");
    expect(await main(technician).innerText()).not.toContain(clinic.name);
    await takeOrderAction(technician, "dispatch", async (shipping) => {
      await technician.field("order.ask.carrier", shipping).fill("SF");
      await technician.field("order.ask.trackingNumber", shipping).fill("SF2048");
    });

    await openOrder(manager, order);
    await expectOrderState(manager, "awaiting_receipt");
    await manager.waitFor(main(manager).getByText("SF2048").first());
    await checkPage(manager, "forwarding-parent");
    await takeStep(clinic, order, "confirmReceipt");
    for (const person of [manager, technician]) await expectOrderState(person, "completed");
  });

  it.skipIf(isBrief)(
    "stays with the first lab if it drops the draft, and shows a change that the clinic requests beside the current state",
    async () => {
      const order = await createAcceptedOrder();
      const { prescription: rx, version } = await product.call(orderCalls.detail, { id: order.id }, clinic.session);
      const input = {
        ...rx,
        instructions: "近中邻接请放松。",
        items: rx.items.map((item) => ({ ...item, teeth: [11, 12] })),
      };
      await product.call(
        orderCalls.step,
        { id: order.id, version, action: "proposeChange", prescription: input, reason: "患者要求加做一颗" },
        clinic.session,
      );
      await openOrder(manager, order);
      await manager.waitFor(main(manager).getByText(manager.t("forward.proposal")));
      await takeOrderAction(manager, "decideChange", async (dialog) => {
        await dialog.getByRole("radio", { name: manager.t("forward.approve") }).check();
        await manager.field("order.ask.promisedDate", dialog).fill("2030-02-01");
        await checkPage(manager, "forwarding-proposal", { alsoDark: true });
      });
      await manager.waitFor(main(manager).getByText("近中邻接请放松。").first());
      await press(manager, main(manager), "order.action.prepareForward");
      const dialog = manager.page.getByRole("dialog");
      await manager.field("forward.lab", dialog).and(manager.page.locator("input")).first().click();
      await manager.page.getByRole("option", { name: secondLab.name, exact: true }).click();
      await press(manager, dialog, "forward.prepare");
      await manager.waitFor(main(manager).getByText(manager.t("forward.parent")));
      await openOrder(manager, order);
      await expectOrderState(manager, "awaiting_sending");
      await takeOrderAction(manager, "dropForward");
      await expectOrderState(manager, "awaiting_dispatch");
    },
  );

  it("is changed and remade by the clinic in the form's own sections", async () => {
    const order = await createAcceptedOrder();
    await technician.close();
    const dentist = await BrowserUser.open(browser, product.address, "en");
    await dentist.page.setViewportSize(narrow);
    await signIn(dentist, clinic.email);
    await openOrder(dentist, order);
    await press(dentist, main(dentist), "order.action.proposeChange");
    const dialog = dentist.page.getByRole("dialog");
    await dentist.field("order.form.instructions", dialog).fill("Loosen the mesial contact.");
    await dentist.field("order.ask.reason", dialog).fill("Tight in the last work");
    await checkPage(dentist, "forwarding-propose");
    await press(dentist, dialog, "order.action.proposeChange");
    await dentist.waitFor(main(dentist).getByText(dentist.t("forward.proposal")));
    await checkPage(dentist, "forwarding-proposed");
    const asked = await product.call(orderCalls.detail, { id: order.id }, lab.session);
    const said = { id: order.id, version: asked.version, action: "decideChange" as const };
    await product.call(orderCalls.step, { ...said, approve: false, reason: "already milled" }, lab.session);
    const ready = await product.call(orderCalls.detail, { id: order.id }, lab.session);
    const address = { id: order.id, version: ready.version, action: "dispatch" as const, handDelivery: true };
    await product.call(orderCalls.step, address, lab.session);
    await takeStep(clinic, order, "confirmReceipt");
    await expectOrderState(dentist, "completed");
    await press(dentist, main(dentist), "forward.remake");
    await dialog.getByRole("radio", { name: dentist.t("forward.class.material") }).check();
    await dialog.getByRole("radio", { name: dentist.t("forward.bears.shared") }).check();
    await checkPage(dentist, "forwarding-remake");
    await press(dentist, dialog, "forward.remakeStart");
    await dentist.page.waitForURL((url) => url.pathname === "/sendPage/page");
    await openOrder(dentist, order);
    await dentist.waitFor(main(dentist).getByText(/^Remade \(material; cost shared\)/));
    for (const person of [manager, dentist]) expect(person.consoleProblems).toEqual([]);
  });
});
