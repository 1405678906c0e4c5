import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import { launchBrowser } from "../browser.ts";
import { prescription } from "../planted.ts";
import { Product } from "../product.ts";
import { signsIn } from "./entering.ts";
import { looks } from "./looking.ts";
import { Person, narrow } from "./person.ts";
import { acceptsRelation, asksForRelation } from "./relating.ts";

const product = new Product();
let browser: Browser;
let clinic: House;
let lab: House;
/** In Chinese at a wide screen. */
let manager: Person;
/** In English on a telephone. */
let technician: Person;
let newcomer: Person | undefined;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  clinic = await house("clinic", "晨光口腔", "clinic@relations.test");
  lab = await house("lab", "Skilled Hands Dental", "lab@relations.test");
  manager = await Person.sitsDown(browser, product.address);
  technician = await Person.sitsDown(browser, product.address, "en");
  await technician.page.setViewportSize(narrow);
  await signsIn(manager, clinic.email);
  await signsIn(technician, lab.email);
});
beforeEach(({ onTestFailed }) =>
  onTestFailed(async () => {
    await manager.shot("failed-relations-clinic");
    await technician.shot("failed-relations-lab");
    await newcomer?.shot("failed-relations-newcomer");
  }),
);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

interface House {
  email: string;
  name: string;
  number: string;
  iid: string;
  session: { token: string };
}
async function house(type: "clinic" | "lab", name: string, email: string): Promise<House> {
  const token = await product.register(email, type === "clinic" ? "clinicManager" : "labManager");
  const { id: iid, number } = await product.gets(institutionCalls.create, { name, type, country: "CN" }, { token });
  const session = await product.gets(institutionCalls.switch, { iid }, { token });
  return { email, name, number, iid, session };
}
async function sendsOrder(): Promise<string> {
  const patient = await product.gets(
    patientCalls.create,
    { name: "赵敏", sex: "female", birthDate: "1992-03-04", evenIfDuplicate: true },
    clinic.session,
  );
  const order = await product.gets(
    orderCalls.save,
    { ...prescription(patient.id, lab.iid), send: true },
    clinic.session,
  );
  return order.id;
}
/** Returns the text of the newest email to an address with these words in its subject. */
async function letterTo(email: string, words: string): Promise<string> {
  const folder = path.join(product.folder, "outbox");
  for (let wait = 0; wait < 300; wait++) {
    const whole = readdirSync(folder).filter((name) => !name.endsWith(".part"));
    for (const name of whole.toSorted().toReversed()) {
      const letter = JSON.parse(readFileSync(path.join(folder, name), "utf8")) as {
        to: string;
        subject?: string;
        text: string;
      };
      if (letter.to.includes(email) && letter.subject?.includes(words)) return letter.text;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no letter to ${email} with ${words}`);
}
const confirms = (person: Person, action: string) =>
  person.page
    .getByRole("dialog")
    .getByRole("button", { name: person.t(`relation.action.${action}`), exact: true })
    .click();

describe("two organisations", () => {
  it("find each other, and each sees at once what the other does", async () => {
    await manager.goes("/relationWeb/page");
    await manager.sees(manager.text("relation.empty"));
    await asksForRelation(technician, clinic.number);
    await acceptsRelation(manager, lab.name);
    await technician.sees(technician.text("relation.state.established"));
    expect(await letterTo(clinic.email, lab.name)).toContain("/relationWeb/page");
    expect(await letterTo(lab.email, clinic.name)).toContain("/relationWeb/page");
    const drawer = technician.page.getByRole("dialog", { name: clinic.name });
    await technician.goes(/\/relationWeb\/page\?partner=[\w-]+/.exec(await letterTo(lab.email, clinic.name))![0]);
    await technician.sees(drawer.getByText(technician.t("relation.event.accept")));
    await technician.page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
  });

  it("see their open orders in the list and in the picture, which is reached by keyboard", async () => {
    await sendsOrder();
    await technician.sees(technician.text("relation.toAct", { count: 1 }));
    await manager.page.getByText(manager.t("relation.viewPicture"), { exact: true }).click();
    const card = manager.page.getByRole("button", { name: new RegExp(lab.name) });
    await manager.sees(card);
    await expect.poll(() => card.innerText()).toContain(manager.t("relation.openOrders", { count: 1 }));
    await looks(manager, "relations-picture");
    await card.focus();
    await manager.page.keyboard.press("Enter");
    await manager.sees(manager.text("relation.history"));
    await manager.page.getByRole("switch").click();
    await manager.sees(manager.text("common.saved"));
    await looks(manager, "relations-drawer");
    await manager.page.keyboard.press("Escape");
    await technician.page.getByText(technician.t("relation.viewPicture"), { exact: true }).click();
    await technician.sees(technician.page.getByRole("button", { name: new RegExp(clinic.name) }));
    await looks(technician, "relations-picture");
    await technician.page.getByText(technician.t("relation.viewList"), { exact: true }).click();
    await manager.page.getByText(manager.t("relation.viewList"), { exact: true }).click();
    await looks(technician, "relations-list");
    await looks(manager, "relations-list");
  });

  it("part with a reason, come back, and part for good when the last order has ended", async () => {
    await technician.button("relation.action.exit").click();
    await technician.page.getByRole("dialog").getByRole("textbox").fill("We move to another city");
    await looks(technician, "relations-exit");
    await confirms(technician, "exit");
    await manager.sees(manager.text("relation.leftByThem"));
    expect(await manager.button("relation.action.resume").count()).toBe(0);
    await technician.button("relation.action.resume").click();
    await manager.sees(manager.text("relation.state.established"));
    await technician.button("relation.action.exit").click();
    await confirms(technician, "exit");
    await manager.sees(manager.text("relation.leftByThem"));
    const { list } = await product.gets(orderCalls.list, { page: 1, pageSize: 5 }, lab.session);
    const [order] = list;
    await product.gets(
      orderCalls.step,
      { id: order!.id, version: order!.version, action: "refuse", reason: "We close" },
      lab.session,
    );
    await manager.sees(manager.text("relation.state.ended"));
    await technician.sees(technician.text("relation.state.ended"));
    expect(await letterTo(clinic.email, "has ended")).toContain(lab.name);
  });

  it("find together again without a manager's answer where one reviews automatically", async () => {
    await product.gets(institutionCalls.update, { autoAcceptRelations: true }, lab.session);
    await manager.button("relation.action.askAgain").click();
    await manager.sees(manager.text("relation.state.established"));
    await technician.sees(technician.text("relation.state.established"));
    await manager.page.getByText(lab.name, { exact: true }).first().click();
    await manager.sees(manager.text("relation.event.autoAccept"));
    await manager.sees(manager.text("relation.event.settle"));
    await looks(manager, "relations-history");
    await manager.page.keyboard.press("Escape");
  });
});

it("somebody who is not here yet is invited by e-mail, and finds the request when their organisation stands", async () => {
  const email = "new-lab@relations.test";
  await manager.button("relation.invite").click();
  await manager.field("relation.email").fill("not an address");
  await manager.button("relation.inviteSend").click();
  await manager.sees(manager.text("common.field.emailShape"));
  await manager.field("relation.email").fill(email);
  await looks(manager, "relations-invite");
  await manager.button("relation.inviteSend").click();
  await manager.sees(manager.text("relation.invitations"));
  await looks(manager, "relations-invited");
  expect(await letterTo(email, clinic.name)).toContain("/register");
  const fresh = await house("lab", "新艺义齿", email);
  newcomer = await Person.sitsDown(browser, product.address);
  await signsIn(newcomer, fresh.email);
  await newcomer.goes("/relationWeb/page");
  await acceptsRelation(newcomer, clinic.name);
  await manager.sees(manager.page.getByText(fresh.name, { exact: true }));
  await expect.poll(() => manager.text("relation.invitations").count()).toBe(0);
  expect(await product.gets(relationCalls.invitations, {}, clinic.session)).toEqual([]);
});

it("nobody's console complained", () => expect([...manager.complaints, ...technician.complaints]).toEqual([]));
