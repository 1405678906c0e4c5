import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Member } from "@arcada/contract/member/member.calls";
import type { MemberAction } from "@arcada/contract/member/member.lifecycle";
import { newEmailAddress, createNewcomer } from "@arcada/testing/fixtures/members";
import { SmtpPeer, type ReceivedEmail } from "@arcada/testing/peers/smtp-peer";
import { getTestServer, setup, type TestUser, type TestServer } from "@arcada/testing/setup/test-server";
import type { Email } from "../platform/mail/email-queue.ts";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { translate } from "../platform/text/texts.ts";
import { expireInvitations } from "./expire-invitations.ts";
import { present } from "@arcada/testing/require-present";

const peer = new SmtpPeer();
let env: TestServer;
beforeAll(async () => {
  await peer.start();
  env = await getTestServer({ SMTP_URL: peer.url, PUBLIC_URL: "https://arcada.test" });
});
afterAll(() => peer.stop());

const setLanguage = (language: string, ...people: AnyTestUser[]) =>
  env.running.database.asSystem((db) =>
    sql`update users set language = ${language} where id = any(${people.map(({ uid }) => uid)}::uuid[])`.execute(db),
  );
const addressOf = ({ uid }: TestUser): string => `${uid}@example.test`;
const step = (
  who: AnyTestUser,
  { id, version }: Pick<Member, "id" | "version">,
  action: MemberAction,
  more: object = {},
) => who.call("member.update", { id, version, action, ...more });
const of = async (who: TestUser, person: AnyTestUser): Promise<Member> => {
  const { list } = await who.call("member.list", { pageSize: 999 });
  return present(list.find(({ userId }) => userId === person.uid));
};
/** Returns the newest email to a user that has the subject of the given text. */
const emailText = (
  to: string,
  language: "zh" | "en",
  name: Email["name"],
  values: Record<string, string>,
): Promise<ReceivedEmail> =>
  vi.waitFor(
    () => {
      const subject = translate(language, "letter", `${name}.subject`, values);
      const found = peer.received.findLast((one) => one.recipient === to && one.subject === subject);
      if (!found) throw new Error(`no "${subject}" came to ${to}`);
      return found;
    },
    { timeout: 10_000, interval: 50 },
  );

describe.each(["zh", "en"] as const)("emails in %s, as a mail server receives them", (language) => {
  it("state in text and in HTML what happened to an invitation", async () => {
    const { clinic } = await setup();
    const guest = await createNewcomer(env);
    await setLanguage(language, clinic, guest);
    const { name: institution } = await clinic.call("institution.detail", {});
    const made = await clinic.call("member.invite", { email: guest.email, authorityId: 233 });
    const invited = await emailText(guest.email, language, "memberInvited", { inviter: clinic.name, institution });
    isComplete(invited, language);
    expect(invited.text).toContain(translate(language, "common", "role.clinicMember"));
    const [link] = /https:\/\/arcada\.test\/invitation#[\w-]{43}/.exec(invited.text ?? "") ?? [];
    expect(invited.html).toContain(`href="${link}"`);
    await step(guest, made, "decline");
    // Nobody entered a name: the managers know only the address.
    const said = { person: guest.email, institution };
    isComplete(await emailText(addressOf(clinic), language, "invitationDeclined", said), language);

    const stranger = newEmailAddress();
    const second = await clinic.call("member.invite", { email: stranger, authorityId: 222, name: "Dr. <b>Wu</b>" });
    const strange = await emailText(stranger, language, "memberInvited", { inviter: clinic.name, institution });
    isComplete(strange, language);
    await env.running.database.asSystem((db) =>
      sql`update admission set expires_at = now() - interval '1 second' where id = ${second.id}`.execute(db),
    );
    await expireInvitations(env.running.database);
    const expired = await emailText(addressOf(clinic), language, "invitationExpired", {
      person: "Dr. <b>Wu</b>",
      institution,
    });
    isComplete(expired, language);
    expect(expired.html).not.toContain("<b>Wu</b>");
  });

  it("state what happened to an application and to a membership", async () => {
    const { clinic, dentist } = await setup();
    const guest = await createNewcomer(env);
    await setLanguage(language, clinic, guest, dentist);
    const { name: institution } = await clinic.call("institution.detail", {});
    const applied = await guest.call("member.apply", { iid: clinic.iid, remark: "I start in May" });
    const asked = await emailText(addressOf(clinic), language, "memberApplied", { person: guest.name, institution });
    isComplete(asked, language);
    expect(asked.text).toContain("I start in May");
    await step(clinic, applied, "reject");
    isComplete(await emailText(guest.email, language, "applicationRejected", { institution }), language);

    await env.running.database.asSystem((db) =>
      sql`update admission set ended_at = now() - interval '25 hours' where id = ${applied.id}`.execute(db),
    );
    await step(clinic, await guest.call("member.apply", { iid: clinic.iid }), "agree", { authorityId: 233 });
    const agreed = await emailText(guest.email, language, "applicationAgreed", { institution });
    isComplete(agreed, language);
    expect(agreed.text).toContain(translate(language, "common", "role.clinicMember"));
    await step(clinic, await of(clinic, guest), "changeRole", { authorityId: 222 });
    const changed = await emailText(guest.email, language, "roleChanged", { institution });
    isComplete(changed, language);
    expect(changed.text).toContain(translate(language, "common", "role.clinicAdmin"));
    await step(clinic, await of(clinic, guest), "kickOut");
    isComplete(await emailText(guest.email, language, "memberRemoved", { institution }), language);
    await step(dentist, await of(dentist, dentist), "exit");
    isComplete(
      await emailText(addressOf(clinic), language, "memberLeft", { person: dentist.name, institution }),
      language,
    );
  });
});

/** Both forms say the same in the reader's language, contain a link, and have no unfilled placeholder. */
function isComplete({ text = "", html = "", subject = "" }: ReceivedEmail, language: "zh" | "en"): void {
  const foot = translate(language, "letter", "foot");
  expect(text).toContain(foot);
  expect(html).toContain(foot);
  expect(html).toContain(`lang="${language === "zh" ? "zh-CN" : "en"}"`);
  expect(text).toContain("https://arcada.test/");
  expect(html).toContain('href="https://arcada.test/');
  expect([subject, text, html].join(" ")).not.toMatch(/\{\{|undefined|letter\./);
}
