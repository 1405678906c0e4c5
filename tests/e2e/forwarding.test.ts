import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { orderCalls } from "@arcada/contract/order/order.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import type { OrderAction } from "@arcada/contract/order/order.cycle";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import { launchBrowser } from "../browser.ts";
import { prescription } from "../planted.ts";
import { Product } from "../product.ts";
import { signsIn } from "./entering.ts";
import { keepsFailures, looks } from "./looking.ts";
import { scanOf } from "./order-material.ts";
import { does, stands } from "./ordering.ts";
import { Person, narrow } from "./person.ts";

interface House {
  name: string;
  email: string;
  iid: string;
  session: { token: string };
}
const product = new Product();
let browser: Browser;
let clinic: House;
let lab: House;
let plant: House;
/** The first lab's manager, in Chinese at a wide screen. */
let manager: Person;
/** The second lab's, in English on a telephone. */
let maker: Person;

beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  clinic = await house("clinic", "晨光口腔", "clinic@forwarding.test");
  lab = await house("lab", "匠心义齿", "lab@forwarding.test");
  plant = await house("lab", "Skilled Hands Milling", "plant@forwarding.test");
  const agreed = await relate(clinic, lab);
  await relate(lab, plant);
  await product.gets(relationCalls.setTerms, { ...agreed, mayForward: true }, clinic.session);
  manager = await Person.sitsDown(browser, product.address);
  maker = await Person.sitsDown(browser, product.address, "en");
  await maker.page.setViewportSize(narrow);
  await signsIn(manager, lab.email);
  await signsIn(maker, plant.email);
});
keepsFailures("forwarding", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

async function house(type: "clinic" | "lab", name: string, email: string): Promise<House> {
  const token = await product.register(email, type === "clinic" ? "clinicManager" : "labManager");
  const { id: iid } = await product.gets(institutionCalls.create, { name, type, country: "CN" }, { token });
  return { name, email, iid, session: await product.gets(institutionCalls.switch, { iid }, { token }) };
}
async function relate(one: House, other: House): Promise<{ id: string; version: number }> {
  const asked = await product.gets(relationCalls.step, { action: "request", iid: other.iid }, one.session);
  const { id, version } = await product.gets(
    relationCalls.step,
    { action: "accept", id: asked.id, version: asked.version },
    other.session,
  );
  return { id, version };
}
const steps = async (who: House, { id }: { id: string }, action: OrderAction): Promise<Order> => {
  const { version } = await product.gets(orderCalls.detail, { id }, who.session);
  return (await product.gets(orderCalls.step, { id, version, action }, who.session))!;
};
async function accepted(): Promise<Order> {
  const patient = await product.gets(
    patientCalls.create,
    { name: "赵敏", sex: "female", birthDate: "1992-03-04", evenIfDuplicate: true },
    clinic.session,
  );
  const uploads = await Promise.all(
    (["upper", "lower"] as const).map(async (jaw) => ({
      upload: await product.upload(clinic.session.token, `${jaw}.stl`, scanOf(jaw)),
      role: `${jaw}Scan` as const,
    })),
  );
  const rx = {
    ...prescription(patient.id, lab.iid),
    workKinds: ["machining" as const],
    noDigitalFiles: false,
    uploads,
  };
  const { id } = await product.gets(orderCalls.save, { ...rx, send: true }, clinic.session);
  // It is handed over when its files have been looked at.
  const state = async () => (await product.gets(orderCalls.detail, { id }, clinic.session)).state;
  await expect.poll(state, { timeout: 60_000 }).toBe("pending");
  return steps(lab, { id }, "accept");
}
const opens = (person: Person, { id }: { id: string }) => person.goes(`/orderDetail/page?id=${id}`);
const main = (person: Person): Locator => person.page.getByRole("main");
const presses = (person: Person, where: Locator, key: string) =>
  where.getByRole("button", { name: person.t(key), exact: true }).click();

describe("an order that one lab has another make", () => {
  it("goes on by a draft of the lab's own, ships straight to the clinic, and ends for all three at once", async () => {
    const order = await accepted();
    await opens(manager, order);
    await presses(manager, main(manager), "order.action.prepareForward");
    const dialog = manager.page.getByRole("dialog");
    await manager.field("forward.lab", dialog).and(manager.page.locator("input")).first().click();
    await manager.page.getByRole("option", { name: plant.name, exact: true }).click();
    await dialog.getByRole("radio", { name: manager.t("forward.toSender", { name: clinic.name }) }).check();
    await looks(manager, "forwarding-dialog", { alsoDark: true });
    await presses(manager, dialog, "forward.prepare");
    await manager.sees(main(manager).getByText(manager.t("forward.parent")));
    await presses(manager, main(manager), "order.action.edit");
    await manager.field("order.form.instructions", dialog).fill("请按确认的设计切削。");
    await manager.field("order.form.dueDate", dialog).fill("2030-01-09");
    await presses(manager, dialog, "common.save");
    await dialog.waitFor({ state: "hidden" });
    // A lab's draft has no form of its own: the list leads back to its page.
    const draft = new URL(manager.page.url()).searchParams.get("id");
    await manager.goes("/orderList?state=draft");
    await main(manager).locator(`a[href*="${draft}"]`).first().click();
    await manager.page.waitForURL((url) => url.pathname === "/orderDetail/page");
    await does(manager, "submit");
    await stands(manager, "pending");

    await maker.goes("/orderList");
    const row = maker.page.getByText(lab.name).first();
    await maker.sees(row);
    const { list } = await product.gets(orderCalls.list, {}, plant.session);
    await opens(maker, list[0]!);
    await does(maker, "accept");
    await looks(maker, "forwarding-plant");
    await maker.sees(main(maker).getByText(maker.t("order.role.upperScan")));
    expect(await main(maker).innerText()).not.toContain("赵敏");
    expect(await main(maker).innerText()).not.toContain(clinic.name);
    await does(maker, "dispatch", async (shipping) => {
      await maker.field("order.ask.carrier", shipping).fill("SF");
      await maker.field("order.ask.trackingNumber", shipping).fill("SF2048");
    });

    await opens(manager, order);
    await stands(manager, "awaiting_receipt");
    await manager.sees(main(manager).getByText("SF2048").first());
    await looks(manager, "forwarding-parent");
    await steps(clinic, order, "confirmReceipt");
    for (const person of [manager, maker]) await stands(person, "completed");
  });

  it("is kept after all when the lab drops the draft, and a wish of the clinic is shown as it is and as it would be", async () => {
    const order = await accepted();
    const { prescription: rx, version } = await product.gets(orderCalls.detail, { id: order.id }, clinic.session);
    const wish = {
      ...rx,
      instructions: "近中邻接请放松。",
      items: rx.items.map((item) => ({ ...item, teeth: [11, 12] })),
    };
    await product.gets(
      orderCalls.step,
      { id: order.id, version, action: "proposeChange", prescription: wish, reason: "患者要求加做一颗" },
      clinic.session,
    );
    await opens(manager, order);
    await manager.sees(main(manager).getByText(manager.t("forward.proposal")));
    await does(manager, "decideChange", async (dialog) => {
      await dialog.getByRole("radio", { name: manager.t("forward.approve") }).check();
      await manager.field("order.ask.promisedDate", dialog).fill("2030-02-01");
      await looks(manager, "forwarding-proposal", { alsoDark: true });
    });
    await manager.sees(main(manager).getByText("近中邻接请放松。").first());
    await presses(manager, main(manager), "order.action.prepareForward");
    const dialog = manager.page.getByRole("dialog");
    await manager.field("forward.lab", dialog).and(manager.page.locator("input")).first().click();
    await manager.page.getByRole("option", { name: plant.name, exact: true }).click();
    await presses(manager, dialog, "forward.prepare");
    await manager.sees(main(manager).getByText(manager.t("forward.parent")));
    await opens(manager, order);
    await stands(manager, "awaiting_sending");
    await does(manager, "dropForward");
    await stands(manager, "awaiting_dispatch");
  });

  it("is changed and made again by the clinic in the form's own sections", async () => {
    const order = await accepted();
    await maker.leaves();
    const dentist = await Person.sitsDown(browser, product.address, "en");
    await dentist.page.setViewportSize(narrow);
    await signsIn(dentist, clinic.email);
    await opens(dentist, order);
    await presses(dentist, main(dentist), "order.action.proposeChange");
    const dialog = dentist.page.getByRole("dialog");
    await dentist.field("order.form.instructions", dialog).fill("Loosen the mesial contact.");
    await dentist.field("order.ask.reason", dialog).fill("Tight in the last work");
    await looks(dentist, "forwarding-propose");
    await presses(dentist, dialog, "order.action.proposeChange");
    await dentist.sees(main(dentist).getByText(dentist.t("forward.proposal")));
    await looks(dentist, "forwarding-proposed");
    const asked = await product.gets(orderCalls.detail, { id: order.id }, lab.session);
    const said = { id: order.id, version: asked.version, action: "decideChange" as const };
    await product.gets(orderCalls.step, { ...said, approve: false, reason: "already milled" }, lab.session);
    const ready = await product.gets(orderCalls.detail, { id: order.id }, lab.session);
    const way = { id: order.id, version: ready.version, action: "dispatch" as const, handDelivery: true };
    await product.gets(orderCalls.step, way, lab.session);
    await steps(clinic, order, "confirmReceipt");
    await stands(dentist, "completed");
    await presses(dentist, main(dentist), "forward.remake");
    await dialog.getByRole("radio", { name: dentist.t("forward.class.material") }).check();
    await dialog.getByRole("radio", { name: dentist.t("forward.bears.shared") }).check();
    await looks(dentist, "forwarding-remake");
    await presses(dentist, dialog, "forward.remakeStart");
    await dentist.page.waitForURL((url) => url.pathname === "/sendPage/page");
    await opens(dentist, order);
    await dentist.sees(main(dentist).getByText(/^Remade \(material; cost shared\)/));
    for (const person of [manager, dentist]) expect(person.complaints).toEqual([]);
  });
});
