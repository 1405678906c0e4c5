import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { stateText } from "@arcada/contract/order/order.cycle";
import type { OrderAction, OrderState } from "@arcada/contract/order/order.cycle";
import { choosesFiles } from "./imaging.ts";
import { boxOf } from "./pixels.ts";
import type { Person } from "./person.ts";

/** Two crowns and a bridge on the chart, scans and CT along with them, and off to the lab. Answers with the order's number. */
export async function sendsOrder(person: Person, patientPage: string, lab: string, dueDate: string): Promise<string> {
  const { page } = person;
  await person.goes(patientPage);
  await person.link("patient.newOrder").click();
  await page.waitForURL((url) => url.pathname === "/sendPage/page");
  await person.button("order.form.send").click();
  await person.sees(person.text("order.missing.items"));
  await person.shoots("order-missing");
  await tooth(person, 11).click();
  await tooth(person, 21).click();
  const crowns = page.getByRole("region", { name: new RegExp(`^${person.t("order.kind.crown")}`) });
  await chooses(person, crowns, "order.item.material", person.t("order.material.zirconia"));
  await chooses(person, crowns, "order.item.shade", "A2");
  await spans(person, 35, 37);
  await person.sees(page.getByRole("region", { name: new RegExp(`^${person.t("order.kind.bridge")}`) }));
  for (const kind of ["design", "machining"]) {
    const box = page.getByRole("checkbox", { name: person.t(`order.workKind.${kind}`), exact: true });
    if (!(await box.isChecked())) await box.check();
  }
  for (const kind of ["model", "ct"])
    await page
      .getByRole("checkbox", { name: new RegExp(`^${person.t(`order.studyKind.${kind}`)}, `) })
      .first()
      .click();
  await chooses(person, page, "order.form.target", lab);
  await person.field("order.form.dueDate").fill(dueDate);
  await person.field("order.form.instructions").fill("咬合稍放低，前牙颜色请参考照片。");
  await person.sees(person.text("order.form.complete"));
  await person.shoots("order-form", { alsoIn: ["en"] });
  await person.button("order.form.send").click();
  await page.waitForURL((url) => url.pathname === "/orderDetail/page");
  await stands(person, "pending");
  const number = await orderNumberOn(person);
  // The form has become the order: one tag for both.
  const tags = page.getByRole("navigation", { name: person.t("shell.tags") }).getByText(number);
  await expect.poll(() => tags.count()).toBe(1);
  return number;
}

async function orderNumberOn(person: Person): Promise<string> {
  const heading = await person.page.getByRole("heading", { level: 1 }).innerText();
  const [before = "", after = ""] = person.t("order.detail.title", { number: "\u0000" }).split("\u0000");
  return heading.replace(before, "").replace(after, "").trim();
}

/** Checks the state that the page shows. */
export const stands = (person: Person, state: OrderState, step = "preparing"): Promise<void> =>
  person.sees(person.page.getByText(person.t(`order.${stateText({ state, step })}`), { exact: true }));

/** Takes an action by its button; `fills` is done in its dialog, where it asks for something. */
export async function does(
  person: Person,
  action: OrderAction,
  fills: (dialog: Locator) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  await person.page
    .getByRole("main")
    .getByRole("button", { name: person.t(`order.action.${action}`), exact: true })
    .click();
  const dialog = person.page.getByRole("dialog");
  await dialog.waitFor();
  await fills(dialog);
  await person.shoots(`order-${action}`);
  await dialog.getByRole("button", { name: person.t(`order.action.${action}`), exact: true }).click();
  await dialog.waitFor({ state: "hidden" });
}

export const accepts = (person: Person): Promise<void> => does(person, "accept");

export const submitsDesign = (person: Person, file: string): Promise<void> =>
  does(person, "submitDesign", async (dialog) => {
    await choosesFiles(person, [file], dialog);
    await dialog
      .getByText(/crown-11\.stl/)
      .first()
      .waitFor();
    await expect
      .poll(() => dialog.getByRole("button", { name: person.t("order.action.submitDesign"), exact: true }).isEnabled())
      .toBe(true);
    await person.field("order.ask.text", dialog).fill("请确认邻接与咬合。");
  });

export const dispatches = (person: Person): Promise<void> =>
  does(person, "dispatch", async (dialog) => {
    await person.field("order.ask.carrier", dialog).fill("顺丰");
    await person.field("order.ask.trackingNumber", dialog).fill("SF1024000088");
  });

/** Returns the timeline since the order reached the other side, line by line, without the times. */
export async function timelineOf(person: Person): Promise<string[]> {
  const heading = person.page.getByRole("heading", { name: person.t("order.detail.timeline"), exact: true });
  const lines = (await heading.locator("xpath=ancestor::section[1]").innerText())
    .split("\n")
    .map((line) => line.trim());
  const said = lines.filter((line) => line !== "" && !/^\d{4}-\d{2}-\d{2}/.test(line));
  return said.slice(1, said.indexOf(person.t("order.event.handOver")) + 1);
}

const tooth = (person: Person, number: number): Locator => person.page.locator(`[data-tooth="${number}"]`);
async function spans(person: Person, from: number, to: number): Promise<void> {
  const middle = async (number: number) => {
    const { x, y, width, height } = await boxOf(tooth(person, number));
    return [x + width / 2, y + height / 2] as const;
  };
  await tooth(person, from).scrollIntoViewIfNeeded();
  const [start, end] = [await middle(from), await middle(to)];
  await person.page.mouse.move(...start);
  await person.page.mouse.down();
  await person.page.mouse.move(...end, { steps: 8 });
  await person.page.mouse.up();
}

async function chooses(person: Person, within: Locator | Person["page"], label: string, option: string): Promise<void> {
  await person.field(label, within).and(person.page.locator("input")).first().click();
  await person.page.getByRole("option", { name: option, exact: true }).first().click();
}
