import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { orderStateKey } from "@arcada/contract/order/order.lifecycle";
import type { OrderAction, OrderState } from "@arcada/contract/order/order.lifecycle";
import { chooseFiles } from "../viewer/imaging-steps.ts";
import { getBox } from "./screen-pixels.ts";
import type { BrowserUser } from "./browser-user.ts";

/** Two crowns and a bridge on the chart, scans and CT along with them, and off to the lab. Answers with the order's number. */
export async function sendOrder(
  person: BrowserUser,
  patientPage: string,
  lab: string,
  dueDate: string,
): Promise<string> {
  const { page } = person;
  await person.goTo(patientPage);
  await person.link("patient.newOrder").click();
  await page.waitForURL((url) => url.pathname === "/sendPage/page");
  await person.button("order.form.send").click();
  await person.waitFor(person.text("order.missing.items"));
  await person.takeScreenshots("order-missing");
  await tooth(person, 11).click();
  await tooth(person, 21).click();
  const crowns = page.getByRole("region", { name: new RegExp(`^${person.t("order.kind.crown")}`) });
  await chooseOption(person, crowns, "order.item.material", person.t("order.material.zirconia"));
  await chooseOption(person, crowns, "order.item.shade", "A2");
  await dragAcrossTeeth(person, 35, 37);
  await person.waitFor(page.getByRole("region", { name: new RegExp(`^${person.t("order.kind.bridge")}`) }));
  for (const kind of ["design", "machining"]) {
    const box = page.getByRole("checkbox", { name: person.t(`order.workKind.${kind}`), exact: true });
    if (!(await box.isChecked())) await box.check();
  }
  // A fresh scan has been chosen already.
  for (const kind of ["model", "ct"])
    await chooseStudy(page.getByRole("checkbox", { name: new RegExp(`^${person.t(`order.studyKind.${kind}`)}, `) }));
  await chooseOption(person, page, "order.form.target", lab);
  await person.field("order.form.dueDate").fill(dueDate);
  await person.field("order.form.instructions").fill("咬合稍放低，前牙颜色请参考照片。");
  await person.waitFor(person.text("order.form.complete"));
  await person.takeScreenshots("order-form", { alsoIn: ["en"] });
  await person.button("order.form.send").click();
  await page.waitForURL((url) => url.pathname === "/orderDetail/page");
  await expectOrderState(person, "pending");
  const number = await readOrderNumber(person);
  // The form has become the order: one tag for both.
  const tabs = page.getByRole("navigation", { name: person.t("shell.tags") }).getByText(number);
  await expect.poll(() => tabs.count()).toBe(1);
  return number;
}

async function chooseStudy(studies: Locator): Promise<void> {
  const cards = await studies.all();
  const chosen = await Promise.all(cards.map((card) => card.isChecked()));
  if (!chosen.includes(true)) await studies.first().click();
}

async function readOrderNumber(person: BrowserUser): Promise<string> {
  const head = await person.page.getByRole("main").locator("header").first().innerText();
  const [number] = /\d{6}-\d+/.exec(head) ?? [];
  if (!number) throw new Error(`no order number in ${head}`);
  return number;
}

/** Checks the state that the page shows. */
export const expectOrderState = (person: BrowserUser, state: OrderState, step = "preparing"): Promise<void> =>
  person.waitFor(person.page.getByText(person.t(`order.${orderStateKey({ state, step })}`), { exact: true }));

/** Performs an action by its button; `fills` completes its dialog, where it has one. */
export async function takeOrderAction(
  person: BrowserUser,
  action: OrderAction,
  fillDialog: (dialog: Locator) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  await person.page
    .getByRole("main")
    .getByRole("button", { name: person.t(`order.action.${action}`), exact: true })
    .click();
  const dialog = person.page.getByRole("dialog");
  await dialog.waitFor();
  await fillDialog(dialog);
  await person.takeScreenshots(`order-${action}`);
  await dialog.getByRole("button", { name: person.t(`order.action.${action}`), exact: true }).click();
  await dialog.waitFor({ state: "hidden" });
}

export const acceptOrder = (person: BrowserUser): Promise<void> => takeOrderAction(person, "accept");

export const submitDesign = (person: BrowserUser, file: string): Promise<void> =>
  takeOrderAction(person, "submitDesign", async (dialog) => {
    await chooseFiles(person, [file], dialog);
    await dialog
      .getByText(/crown-11\.stl/)
      .first()
      .waitFor();
    await expect
      .poll(() => dialog.getByRole("button", { name: person.t("order.action.submitDesign"), exact: true }).isEnabled())
      .toBe(true);
    await person.field("order.ask.text", dialog).fill("请确认邻接与咬合。");
  });

export const dispatchOrder = (person: BrowserUser): Promise<void> =>
  takeOrderAction(person, "dispatch", async (dialog) => {
    await person.field("order.ask.carrier", dialog).fill("顺丰");
    await person.field("order.ask.trackingNumber", dialog).fill("SF1024000088");
  });

/** Returns the timeline since the order reached the other side, line by line, without the times. */
export async function readTimeline(person: BrowserUser): Promise<string[]> {
  const heading = person.page.getByRole("heading", { name: person.t("order.detail.timeline"), exact: true });
  const lines = (await heading.locator("xpath=ancestor::section[1]").innerText())
    .split("\n")
    .map((line) => line.trim());
  const entries = lines.filter((line) => line !== "" && !/^\d{4}-\d{2}-\d{2}/.test(line));
  return entries.slice(1, entries.indexOf(person.t("order.event.handOver")) + 1);
}

const tooth = (person: BrowserUser, number: number): Locator => person.page.locator(`[data-tooth="${number}"]`);
async function dragAcrossTeeth(person: BrowserUser, from: number, to: number): Promise<void> {
  const middle = async (number: number) => {
    const { x, y, width, height } = await getBox(tooth(person, number));
    return [x + width / 2, y + height / 2] as const;
  };
  await tooth(person, from).scrollIntoViewIfNeeded();
  const [start, end] = [await middle(from), await middle(to)];
  await person.page.mouse.move(...start);
  await person.page.mouse.down();
  await person.page.mouse.move(...end, { steps: 8 });
  await person.page.mouse.up();
}

async function chooseOption(
  person: BrowserUser,
  within: Locator | BrowserUser["page"],
  label: string,
  option: string,
): Promise<void> {
  await person.field(label, within).and(person.page.locator("input")).first().click();
  await person.page.getByRole("option", { name: option, exact: true }).first().click();
}
