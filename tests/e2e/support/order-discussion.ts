import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { checkPage } from "./page-checks.ts";
import { createShadePhoto } from "./order-files.ts";
import type { BrowserUser } from "./browser-user.ts";
import { expectImageChange, waitUntilDrawn } from "./screen-pixels.ts";

/** Sends an image with a message from the lab: the dentist sees it, and the lab sees that it was read. */
export async function exchangeMessagesWithImage(dentist: BrowserUser, lab: BrowserUser): Promise<void> {
  const shade = { name: "shade.jpg", mimeType: "image/jpeg", buffer: await createShadePhoto() };
  await lab.page.locator("input[type=file]").first().setInputFiles(shade);
  await lab.waitFor(lab.page.getByRole("main").getByText("shade.jpg"));
  await lab.field("order.detail.messageHint").fill("Which shade at the neck?");
  await expect.poll(() => lab.button("order.detail.messageSend").isEnabled()).toBe(true);
  await lab.page.keyboard.press("Enter");
  const image = dentist.page.getByRole("button", {
    name: dentist.t("orderDetail.message.open", { name: "shade.jpg" }),
  });
  await image.waitFor();
  await lab.waitFor(
    lab.page.getByText(new RegExp(lab.t("orderDetail.message.read", { who: "dentist", time: "" }).trim())),
  );
  await image.click();
  await dentist.waitFor(dentist.page.getByRole("dialog").getByRole("img", { name: "shade.jpg" }));
  await dentist.page.keyboard.press("Escape");
  await dentist.field("order.detail.messageHint").fill("A3，颈部稍深。");
  await dentist.page.keyboard.press("Enter");
  await lab.waitFor(lab.page.getByText("A3，颈部稍深。"));
  await checkPage(dentist, "sides-talk");
}

/**
 * Comments by keyboard alone: selects the comment tool, places it in the middle and types the text. The other side
 * answers and resolves it.
 */
export async function commentOnScan(dentist: BrowserUser, lab: BrowserUser): Promise<void> {
  const viewports = [dentist, lab].map((person) => modelViewport(person));
  for (const person of [dentist, lab]) await person.button("order.detail.modelsShow").last().click();
  for (const viewport of viewports) await waitUntilDrawn(viewport);
  await dentist.button("viewer.model.original").first().waitFor();
  await viewports[0].focus();
  await dentist.page.keyboard.press("n");
  const words = dentist.page.getByRole("textbox", { name: dentist.t("viewer.model.pins.words"), exact: true });
  // The surface answers once its tree has grown; in the middle there may be the gap between the jaws, until they are turned.
  await expect
    .poll(async () => {
      await viewports[0].press("Enter");
      if (await words.isVisible()) return true;
      await viewports[0].press("ArrowUp");
      return false;
    })
    .toBe(true);
  await words.fill("肩台到此处为止");
  await dentist.page.keyboard.press("Control+Enter");
  await lab.page.getByRole("tab", { name: lab.t("viewer.model.tab.pins"), exact: true }).click();
  const entry = lab.page.getByRole("button", { name: /^1\s*肩台到此处为止/ });
  await entry.waitFor();
  await viewports[1].press("6");
  await expectImageChange(viewports[1], () => entry.click());
  await lab.button("viewer.model.pins.answerTo", { number: 1 }).click();
  await lab.page
    .getByRole("textbox", { name: lab.t("viewer.model.pins.answerTo", { number: 1 }) })
    .fill("0.5 mm lower");
  await lab.button("viewer.model.pins.keep").click();
  await dentist.waitFor(dentist.page.getByText("0.5 mm lower"));
  await checkPage(lab, "sides-pins");
  await dentist.button("viewer.model.pins.settleNumber", { number: 1 }).click();
  await lab.waitFor(lab.page.getByText(lab.t("viewer.model.pins.showSettled", { count: 1 })));
  for (const person of [dentist, lab]) await person.button("order.detail.modelsHide").click();
}

const modelViewport = (person: BrowserUser): Locator =>
  person.page.getByRole("group", { name: person.t("viewer.kind.models"), exact: true });
