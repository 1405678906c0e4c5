import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Member } from "@arcada/contract/member/member.calls";
import type { MemberAction } from "@arcada/contract/member/member.cycle";
import { newAddress, newcomer } from "../../../../tests/members.ts";
import { SmtpPeer } from "../../../../tests/smtp-peer.ts";
import type { Received } from "../../../../tests/smtp-peer.ts";
import { server, world } from "../../../../tests/world.ts";
import type { Person, TestServer } from "../../../../tests/world.ts";
import { textOf } from "../platform/text/texts.ts";
import { lapseInvitations } from "./member.jobs.ts";

const peer = new SmtpPeer();
let here: TestServer;
beforeAll(async () => {
  await peer.comes();
  here = await server({ SMTP_URL: peer.url, PUBLIC_URL: "https://arcada.test" });
});
afterAll(() => peer.goes());

const speaks = (language: string, ...people: Person[]) =>
  here.running.database.asSystem((db) =>
    sql`update users set language = ${language} where id = any(${people.map(({ uid }) => uid)}::uuid[])`.execute(db),
  );
const addressOf = ({ uid }: Person): string => `${uid}@example.test`;
const step = (who: Person, { id, version }: Pick<Member, "id" | "version">, action: MemberAction, more: object = {}) =>
  who.gets("member.update", { id, version, action, ...more });
const of = async (who: Person, person: Person): Promise<Member> => {
  const { list } = await who.gets("member.list", { pageSize: 999 });
  return list.find(({ userId }) => userId === person.uid)!;
};
/** Returns the newest e-mail to somebody that has the subject of the given text. */
const letter = (to: string, language: "zh" | "en", name: string, values: Record<string, string>): Promise<Received> =>
  vi.waitFor(
    () => {
      const subject = textOf(language, "letter", `${name}.subject`, values);
      const found = peer.received.findLast((one) => one.recipient === to && one.subject === subject);
      if (!found) throw new Error(`no "${subject}" came to ${to}`);
      return found;
    },
    { timeout: 10_000, interval: 50 },
  );

describe.each(["zh", "en"] as const)("letters in %s, as a mail server receives them", (language) => {
  it("say in words and in HTML what became of an invitation", async () => {
    const { clinic } = await world();
    const guest = await newcomer(here);
    await speaks(language, clinic, guest);
    const { name: institution } = await clinic.gets("institution.detail", {});
    const made = await clinic.gets("member.invite", { email: guest.email, authorityId: 233 });
    const invited = await letter(guest.email, language, "memberInvited", { inviter: clinic.name, institution });
    isWhole(invited, language);
    expect(invited.text).toContain(textOf(language, "common", "role.clinicMember"));
    const [link] = /https:\/\/arcada\.test\/invitation#[\w-]{43}/.exec(invited.text ?? "") ?? [];
    expect(invited.html).toContain(`href="${link}"`);
    await step(guest, made, "decline");
    // Nobody entered a name: the managers know only the address.
    const said = { person: guest.email, institution };
    isWhole(await letter(addressOf(clinic), language, "invitationDeclined", said), language);

    const stranger = newAddress();
    const second = await clinic.gets("member.invite", { email: stranger, authorityId: 222, name: "Dr. <b>Wu</b>" });
    const strange = await letter(stranger, language, "memberInvited", { inviter: clinic.name, institution });
    isWhole(strange, language);
    await here.running.database.asSystem((db) =>
      sql`update admission set expires_at = now() - interval '1 second' where id = ${second.id}`.execute(db),
    );
    await lapseInvitations(here.running.database);
    const expired = await letter(addressOf(clinic), language, "invitationExpired", {
      person: "Dr. <b>Wu</b>",
      institution,
    });
    isWhole(expired, language);
    expect(expired.html).not.toContain("<b>Wu</b>");
  });

  it("say what became of an application and of a membership", async () => {
    const { clinic, dentist } = await world();
    const guest = await newcomer(here);
    await speaks(language, clinic, guest, dentist);
    const { name: institution } = await clinic.gets("institution.detail", {});
    const applied = await guest.gets("member.apply", { iid: clinic.iid!, remark: "I start in May" });
    const asked = await letter(addressOf(clinic), language, "memberApplied", { person: guest.name, institution });
    isWhole(asked, language);
    expect(asked.text).toContain("I start in May");
    await step(clinic, applied, "reject");
    isWhole(await letter(guest.email, language, "applicationRejected", { institution }), language);

    await here.running.database.asSystem((db) =>
      sql`update admission set ended_at = now() - interval '25 hours' where id = ${applied.id}`.execute(db),
    );
    await step(clinic, await guest.gets("member.apply", { iid: clinic.iid! }), "agree", { authorityId: 233 });
    const agreed = await letter(guest.email, language, "applicationAgreed", { institution });
    isWhole(agreed, language);
    expect(agreed.text).toContain(textOf(language, "common", "role.clinicMember"));
    await step(clinic, await of(clinic, guest), "changeRole", { authorityId: 222 });
    const changed = await letter(guest.email, language, "roleChanged", { institution });
    isWhole(changed, language);
    expect(changed.text).toContain(textOf(language, "common", "role.clinicAdmin"));
    await step(clinic, await of(clinic, guest), "kickOut");
    isWhole(await letter(guest.email, language, "memberRemoved", { institution }), language);
    await step(dentist, await of(dentist, dentist), "exit");
    isWhole(await letter(addressOf(clinic), language, "memberLeft", { person: dentist.name, institution }), language);
  });
});

/** Both forms say the same in the reader's language, contain a link, and have no unfilled placeholder. */
function isWhole({ text = "", html = "", subject = "" }: Received, language: "zh" | "en"): void {
  const foot = textOf(language, "letter", "foot");
  expect(text).toContain(foot);
  expect(html).toContain(foot);
  expect(html).toContain(`lang="${language === "zh" ? "zh-CN" : "en"}"`);
  expect(text).toContain("https://arcada.test/");
  expect(html).toContain('href="https://arcada.test/');
  expect([subject, text, html].join(" ")).not.toMatch(/\{\{|undefined|letter\./);
}
