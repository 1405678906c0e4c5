import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { roles } from "@arcada/contract/kernel/roles";
import { memberCalls } from "@arcada/contract/member/member.calls";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { Product } from "@arcada/testing/setup/product-process";
import { signIn } from "./support/account-steps.ts";
import { checkPage } from "./support/page-checks.ts";
import { BrowserUser, narrow, wide } from "./support/browser-user.ts";

const product = new Product();
const [managerEmail, guestEmail, applicantEmail, knownEmail] = [
  "manager@members.test",
  "guest@members.test",
  "applicant@members.test",
  "known@members.test",
];
const clinicName = "晨光口腔";
let browser: Browser;
let number: string;
let manager: BrowserUser;
let guest: BrowserUser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  const token = await product.register(managerEmail, "clinicManager");
  const made = await product.call(
    institutionCalls.create,
    { name: clinicName, type: "clinic", country: "CN" },
    { token },
  );
  number = made.number;
  await product.register(applicantEmail, "clinicManager");
  await product.register(knownEmail, "clinicManager");
});
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

it("a manager invites by email; the recipient is inside after at most four clicks, by keyboard alone, and appears live in the list", async () => {
  manager = await BrowserUser.open(browser, product.address, "zh");
  await signIn(manager, managerEmail);
  await manager.goTo("/member/page");
  await manager.button("member.invite").first().click();
  await manager.field("member.email", manager.page.getByRole("dialog")).fill(guestEmail);
  await manager.field("member.inviteName", manager.page.getByRole("dialog")).fill("王明");
  await manager.takeScreenshot("members-invite-zh-1440");
  await manager.button("member.sendInvitation").click();
  await manager.waitFor(manager.text("member.invited", { email: guestEmail }));
  await tab(manager, "invitations").click();
  await manager.waitFor(manager.page.getByText(guestEmail, { exact: true }));
  await checkPage(manager, "members-invitations");

  guest = await BrowserUser.open(browser, product.address, "en");
  await guest.page.setViewportSize(narrow);
  // A key that presses a button or a box is a click for the page.
  await guest.page.addInitScript(() =>
    addEventListener(
      "click",
      () => sessionStorage.setItem("clicks", `${sessionStorage.getItem("clicks") ?? ""}|`),
      true,
    ),
  );
  await guest.page.goto(await findInvitationLink(guestEmail));
  await guest.waitFor(
    guest.page.getByRole("heading", { name: guest.t("member.invitation.title", { institution: clinicName }) }),
  );
  expect(guest.page.url(), "no secret stays in the address").toBe(`${product.address}/invitation`);
  await checkPage(guest, "members-invitation");
  await typeInto(guest, guest.field("account.newPassword"), goodPassword);
  await pressOn(guest, guest.page.locator("input[name=agree]"), " ");
  await pressOn(guest, guest.button("member.invitation.join", { institution: clinicName }));
  await guest.page.waitForURL("**/today");
  expect(await guest.page.getByRole("dialog").count(), "nothing is asked again").toBe(0);
  const clicks = await guest.page.evaluate(() => sessionStorage.getItem("clicks") ?? "");
  expect(1 + clicks.length, "the link of the email, the agreement, and in").toBeLessThanOrEqual(4);
  await tab(manager, "members").click();
  await manager.waitFor(manager.page.getByText(guestEmail, { exact: true }));
});

it("a person with an account signs in and joins in one step", async () => {
  const second = await product.register("second@members.test", "labManager");
  const { id: iid } = await product.call(
    institutionCalls.create,
    { name: "匠心义齿", type: "lab", country: "CN" },
    { token: second },
  );
  const { token } = await product.call(institutionCalls.switch, { iid }, { token: second });
  const { authorityId } = roles.factoryMember;
  await product.call(memberCalls.invite, { email: knownEmail, authorityId }, { token });
  const person = await BrowserUser.open(browser, product.address, "zh");
  await person.page.goto(await findInvitationLink(knownEmail));
  await person.field("account.password").fill(goodPassword);
  await checkPage(person, "members-invitation-known");
  await person.button("member.invitation.signInAndJoin").click();
  await person.page.waitForURL("**/today");
  await person.close();
});

it("an applicant finds the organisation by its number, and is agreed to with a role", async () => {
  const applicant = await BrowserUser.open(browser, product.address, "en");
  await applicant.page.setViewportSize(narrow);
  await signIn(applicant, applicantEmail);
  await applicant.waitFor(applicant.button("account.start.create"));
  await checkPage(applicant, "start-page");
  await applicant.button("account.start.join").click();
  const dialog = applicant.page.getByRole("dialog");
  await dialog.getByRole("searchbox").fill(number);
  await applicant.waitFor(dialog.getByText(clinicName));
  await applicant.takeScreenshot("members-apply-en-390");
  await dialog.getByRole("button", { name: `${applicant.t("member.action.apply")}: ${clinicName}` }).click();
  await applicant.waitFor(applicant.text("member.applied", { institution: clinicName }));
  await applicant.waitFor(applicant.text("member.mineState.application.not_reviewed"));
  await checkPage(applicant, "members-mine");

  await manager.button("member.seeApplications").click();
  await manager.page.getByRole("button", { name: new RegExp(`^${manager.t("member.action.agree")}:`) }).click();
  await manager.takeScreenshot("members-agree-zh-1440");
  await dialogOf(manager)
    .getByRole("button", { name: manager.t("member.action.agree"), exact: true })
    .click();
  await manager.waitFor(manager.text("member.done.agree"));
  await applicant.waitFor(applicant.text("member.mineState.member.normal"));
  await applicant.close();
});

it("a changed role takes effect at once, and a member who is removed is notified on the open page", async () => {
  await tab(manager, "members").click();
  await takeAction(manager, "changeRole", "王明");
  await manager.waitFor(manager.text("member.done.changeRole"));
  await guest.page.setViewportSize(wide);
  await guest.waitFor(guest.link("shell.screen.institution"));
  await checkPage(manager, "members-list");
  await takeAction(manager, "kickOut", "王明");
  await manager.waitFor(manager.text("member.done.kickOut"));
  await guest.waitFor(guest.text("shell.signInAgainTitle"));
  await guest.takeScreenshot("members-kicked-out-en-1440");
  await tab(manager, "history").click();
  await manager.waitFor(manager.text("member.state.deleted"));
  await checkPage(manager, "members-history");
  expect(manager.consoleProblems).toEqual([]);
  // The browser itself notes the answer 401 that ended the session.
  expect(guest.consoleProblems.filter((one) => !one.includes("401"))).toEqual([]);
  const emails = listEmailsTo(guestEmail);
  expect(emails.some(({ subject }) => subject.includes(clinicName))).toBe(true);
});

const tab = (person: BrowserUser, part: string): Locator =>
  person.page.getByRole("tab", { name: new RegExp(`^${person.t(`member.part.${part}`)}`) });
const dialogOf = (person: BrowserUser): Locator => person.page.getByRole("dialog").last();
async function takeAction(person: BrowserUser, action: string, name: string): Promise<void> {
  const words = person.t(`member.action.${action}`);
  await person.page.getByRole("button", { name: `${words}: ${name}`, exact: true }).click();
  await person.takeScreenshot(`members-${action}-${person.language}-1440`);
  await dialogOf(person).getByRole("button", { name: words, exact: true }).click();
}

/** Moves to a control by the Tab key, like a user without a mouse, then presses Enter. */
async function tabTo(person: BrowserUser, target: Locator): Promise<void> {
  await target.waitFor();
  for (let steps = 0; steps < 60; steps++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await person.page.keyboard.press("Tab");
  }
  throw new Error(`the keyboard does not reach ${target.toString()}`);
}
async function pressOn(person: BrowserUser, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(person, target);
  await person.page.keyboard.press(key);
}
async function typeInto(person: BrowserUser, target: Locator, text: string): Promise<void> {
  await tabTo(person, target);
  await person.page.keyboard.type(text);
}

const listEmailsTo = (address: string) => product.listMessages().filter(({ to }) => to === address);
async function findInvitationLink(address: string): Promise<string> {
  for (let tries = 0; tries < 300; tries++) {
    const found = listEmailsTo(address)
      .map(({ text }) => /\/invitation#[\w-]{43}/.exec(text)?.[0])
      .find(Boolean);
    if (found) return product.address + found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no letter came to ${address}`);
}
