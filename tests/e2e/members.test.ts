import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { launchBrowser } from "../browser.ts";
import { goodPassword } from "../human.ts";
import { Product } from "../product.ts";
import { signsIn } from "./entering.ts";
import { looks } from "./looking.ts";
import { Person, narrow, wide } from "./person.ts";

const product = new Product();
const [managerMail, guestMail, applicantMail] = [
  "manager@members.test",
  "guest@members.test",
  "applicant@members.test",
];
const clinicName = "晨光口腔";
let browser: Browser;
let number: string;
let manager: Person;
let guest: Person;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  const token = await product.register(managerMail, "clinicManager");
  const made = await product.gets(
    institutionCalls.create,
    { name: clinicName, type: "clinic", country: "CN" },
    { token },
  );
  number = made.number;
  await product.register(applicantMail, "clinicManager");
});
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

it("a manager invites by e-mail, and the letter leads whoever registers by keyboard alone into the organisation, live in the manager's list", async () => {
  manager = await Person.sitsDown(browser, product.address, "zh");
  await signsIn(manager, managerMail);
  await manager.goes("/member/page");
  await manager.button("member.invite").first().click();
  await manager.field("member.email", manager.page.getByRole("dialog")).fill(guestMail);
  await manager.field("member.inviteName", manager.page.getByRole("dialog")).fill("王明");
  await manager.shot("members-invite-zh-1440");
  await manager.button("member.sendInvitation").click();
  await manager.sees(manager.text("member.invited", { email: guestMail }));
  await tab(manager, "invitations").click();
  await manager.sees(manager.page.getByText(guestMail, { exact: true }));
  await looks(manager, "members-invitations");

  guest = await Person.sitsDown(browser, product.address, "en");
  await guest.page.setViewportSize(narrow);
  await guest.page.goto(await linkFor(guestMail));
  await guest.sees(
    guest.page.getByRole("heading", { name: guest.t("member.invitation.title", { institution: clinicName }) }),
  );
  expect(guest.page.url(), "no secret stays in the address").toBe(`${product.address}/invitation`);
  await looks(guest, "members-invitation");
  await presses(guest, guest.button("member.invitation.register"));
  await registersByKeyboard(guest);
  await guest.page.waitForURL("**/invitation");
  await presses(guest, guest.button("member.action.accept"));
  await guest.sees(guest.button("member.workThere"));
  await looks(guest, "members-joined");
  await tab(manager, "members").click();
  await manager.sees(manager.page.getByText(guestMail, { exact: true }));
  await presses(guest, guest.button("member.workThere"));
  await guest.page.waitForURL("**/patientList");
});

it("an applicant finds the organisation by its number, and is agreed to with a role", async () => {
  const applicant = await Person.sitsDown(browser, product.address, "en");
  await applicant.page.setViewportSize(narrow);
  await signsIn(applicant, applicantMail);
  await applicant.goes("/profile/index");
  await applicant.button("member.apply").click();
  const dialog = applicant.page.getByRole("dialog");
  await dialog.getByRole("searchbox").fill(number);
  await applicant.sees(dialog.getByText(clinicName));
  await applicant.shot("members-apply-en-390");
  await dialog.getByRole("button", { name: `${applicant.t("member.action.apply")}: ${clinicName}` }).click();
  await applicant.sees(applicant.text("member.applied", { institution: clinicName }));
  await applicant.sees(applicant.text("member.mineState.application.not_reviewed"));
  await looks(applicant, "members-mine");

  await manager.button("member.seeApplications").click();
  await manager.page.getByRole("button", { name: new RegExp(`^${manager.t("member.action.agree")}:`) }).click();
  await manager.shot("members-agree-zh-1440");
  await dialogOf(manager)
    .getByRole("button", { name: manager.t("member.action.agree"), exact: true })
    .click();
  await manager.sees(manager.text("member.done.agree"));
  await applicant.sees(applicant.text("member.mineState.member.normal"));
  await applicant.leaves();
});

it("a changed role is the member's at once, and who is kicked out while looking at a page is told there", async () => {
  await tab(manager, "members").click();
  await acts(manager, "changeRole", "王明");
  await manager.sees(manager.text("member.done.changeRole"));
  await guest.page.setViewportSize(wide);
  await guest.sees(guest.link("shell.screen.institution"));
  await looks(manager, "members-list");
  await acts(manager, "kickOut", "王明");
  await manager.sees(manager.text("member.done.kickOut"));
  await guest.sees(guest.text("shell.signInAgainTitle"));
  await guest.shot("members-kicked-out-en-1440");
  await tab(manager, "history").click();
  await manager.sees(manager.text("member.state.deleted"));
  await looks(manager, "members-history");
  expect(manager.complaints).toEqual([]);
  // The browser itself notes the answer 401 that ended the session.
  expect(guest.complaints.filter((one) => !one.includes("401"))).toEqual([]);
  const letters = await lettersTo(guestMail);
  expect(letters.some(({ subject }) => subject.includes(clinicName))).toBe(true);
});

const tab = (person: Person, part: string): Locator =>
  person.page.getByRole("tab", { name: new RegExp(`^${person.t(`member.part.${part}`)}`) });
const dialogOf = (person: Person): Locator => person.page.getByRole("dialog").last();
async function acts(person: Person, action: string, name: string): Promise<void> {
  const words = person.t(`member.action.${action}`);
  await person.page.getByRole("button", { name: `${words}: ${name}`, exact: true }).click();
  await person.shot(`members-${action}-${person.language}-1440`);
  await dialogOf(person).getByRole("button", { name: words, exact: true }).click();
}

/** Moves to a control by the Tab key, like a user without a mouse, then presses Enter. */
async function reaches(person: Person, target: Locator): Promise<void> {
  await target.waitFor();
  for (let steps = 0; steps < 60; steps++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await person.page.keyboard.press("Tab");
  }
  throw new Error(`the keyboard does not reach ${target.toString()}`);
}
async function presses(person: Person, target: Locator, key = "Enter"): Promise<void> {
  await reaches(person, target);
  await person.page.keyboard.press(key);
}
async function types(person: Person, target: Locator, text: string): Promise<void> {
  await reaches(person, target);
  await person.page.keyboard.type(text);
}

async function registersByKeyboard(person: Person): Promise<void> {
  await presses(person, person.button("account.cookiesAccept"));
  expect(await person.field("account.account").inputValue()).toBe(guestMail);
  await presses(person, person.button("account.getCode"));
  await person.sees(person.text("account.codeSent"));
  await types(person, person.field("account.code"), product.codeFor(guestMail));
  await presses(person, person.button("common.next"));
  await presses(person, person.page.getByRole("radio").first(), " ");
  await types(person, person.field("account.nickName"), "王明");
  await types(person, person.field("account.newPassword"), goodPassword);
  await types(person, person.field("account.confirmPassword"), goodPassword);
  await presses(person, person.page.locator("input[name=agree]"), " ");
  await presses(person, person.page.locator("input[name=agreeSms]"), " ");
  await presses(person, person.button("account.register"));
}

interface Letter {
  to: string;
  subject: string;
  text: string;
}
const lettersTo = async (address: string): Promise<Letter[]> => {
  const folder = path.join(product.folder, "outbox");
  const letters = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(path.join(folder, name), "utf8")) as Letter);
  return letters.filter(({ to }) => to === address);
};
async function linkFor(address: string): Promise<string> {
  for (let tries = 0; tries < 300; tries++) {
    const found = (await lettersTo(address)).map(({ text }) => /\/invitation#[\w-]{43}/.exec(text)?.[0]).find(Boolean);
    if (found) return product.address + found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no letter came to ${address}`);
}
