import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Member } from "@arcada/contract/member/member.calls";
import { memberRules } from "@arcada/contract/member/member.lifecycle";
import {
  newEmailAddress,
  createNewcomer,
  findInvitationSecret,
  listAllowedActions,
} from "@arcada/testing/fixtures/members";
import { setup, type TestUser } from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { expireInvitations } from "./expire-invitations.ts";
import { refusalOf } from "@arcada/testing/refusal-of";

const invited = async (by: TestUser, email: string, authorityId = 233): Promise<Member> =>
  by.call("member.invite", { email, authorityId });
const update = (who: AnyTestUser, { id, version }: Pick<Member, "id" | "version">, action: string, more: object = {}) =>
  who.ask("member.update", { id, version, action, ...more });
const listed = async (who: TestUser, part: "members" | "invitations" | "applications" | "history") =>
  (await who.call("member.list", { part, pageSize: 999 })).list;
const mine = async (who: AnyTestUser) => (await who.call("member.mine", { pageSize: 999 })).list;

describe("an invitation", () => {
  it("M1, M2, M6: is sent by a manager, accepted by the owner of the address, and adds a member without changing their active institution", async () => {
    const { clinic, server } = await setup();
    const guest = await createNewcomer(server);
    const made = await invited(clinic, guest.email);
    expect(made).toMatchObject({
      kind: "invitation",
      status: 1,
      authorityId: 233,
      operator: clinic.name,
      actions: ["resend", "cancelInvitation"],
    });
    const [seen] = await mine(guest);
    expect(seen).toMatchObject({
      id: made.id,
      status: 1,
      actions: ["accept", "decline"],
      institution: { iid: clinic.iid },
    });
    const joined = await update(guest, made, "accept");
    expect(joined.data).toMatchObject({ kind: "member", status: 2, authorityId: 233, name: guest.name });
    expect((await guest.call("account.getUserInfo", {})).iid).toBe("0");
    expect((await guest.call("institution.mine", { status: 2 })).list).toMatchObject([{ iid: clinic.iid, status: 2 }]);
    expect(await listed(clinic, "members")).toContainEqual(
      expect.objectContaining({ userId: guest.uid, email: guest.email }),
    );
    expect((await guest.ask("institution.switch", { iid: clinic.iid })).code).toBe(200);
  });

  it("M1: is refused for a member, for an address with an open invitation, for a role of another kind of organisation, and from a non-manager", async () => {
    const { clinic, dentist, server } = await setup();
    const guest = await createNewcomer(server);
    await invited(clinic, guest.email);
    const refuse = async (who: TestUser, input: object) => refusalOf(await who.ask("member.invite", { ...input }));
    expect(await refuse(clinic, { email: guest.email.toUpperCase(), authorityId: 233 })).toBe("invitationOpen");
    expect(await refuse(clinic, { email: `${dentist.uid}@example.test`, authorityId: 233 })).toBe("memberExists");
    for (const authorityId of [666, 667, 700, 9527, 0])
      expect(await refuse(clinic, { email: newEmailAddress(), authorityId }), String(authorityId)).toBe(
        "memberRoleUnfit",
      );
    expect(await refuse(dentist, { email: newEmailAddress(), authorityId: 233 })).toBe("notAllowed");
    expect(await listed(clinic, "invitations")).toHaveLength(1);
  });

  it("M1: invalidates the earlier secret when it is sent again, and is limited in number", async () => {
    const { clinic, server } = await setup();
    const guest = await createNewcomer(server);
    const made = await invited(clinic, guest.email);
    const first = await findInvitationSecret(server, guest.email);
    const again = await update(clinic, made, "resend");
    expect(again.data).toMatchObject({ status: 1, version: made.version + 1 });
    const second = await findInvitationSecret(server, guest.email, first);
    expect(refusalOf(await server.ask("member.open", { code: first }))).toBe("invitationUnknown");
    expect((await server.ask("member.open", { code: second })).data).toMatchObject({
      id: made.id,
      status: 1,
      hasAccount: true,
    });
    await server.running.database.asSystem((db) =>
      sql`update admission set sent = ${memberRules.maxInvitationsPerDayAndAddress} where id = ${made.id}`.execute(db),
    );
    expect(refusalOf(await update(clinic, again.data, "resend"))).toBe("memberTooMany");
    expect(refusalOf(await update(guest, again.data, "accept", { code: first }))).toBe("invitationSpent");
    expect((await update(guest, again.data, "accept", { code: second })).code).toBe(200);
  });

  it("M2: is refused for another user who holds the email or knows the record's number", async () => {
    const { clinic, server } = await setup();
    const [guest, finder] = [await createNewcomer(server), await createNewcomer(server)];
    const made = await invited(clinic, guest.email);
    const secret = await findInvitationSecret(server, guest.email);
    expect((await server.ask("member.open", { code: secret })).data).toMatchObject({
      email: guest.email,
      inviter: clinic.name,
    });
    expect(refusalOf(await update(finder, made, "accept", { code: secret }))).toBe("invitationOtherAccount");
    expect(refusalOf(await update(finder, made, "accept"))).toBe("notFound");
    expect(refusalOf(await update(finder, made, "decline", { code: secret }))).toBe("invitationOtherAccount");
    expect(await mine(finder)).toEqual([]);
    expect(await listAllowedActions(clinic, made.id)).toContain("cancelInvitation");
  });

  it("M3, M14: notifies the inviter when it is declined, and can be sent again as a new record", async () => {
    const { clinic, server } = await setup();
    const guest = await createNewcomer(server);
    const made = await invited(clinic, guest.email);
    expect((await update(guest, made, "decline")).data).toMatchObject({ status: 3 });
    expect(refusalOf(await update(guest, { ...made, version: made.version + 1 }, "accept"))).toBe(
      "memberActionNotAllowed",
    );
    const { info } = await clinic.call("notice.query", {});
    expect(info["2"].list[0]).toMatchObject({ kind: "invitationDeclined" });
    const [old] = await listed(clinic, "history");
    const fresh = await update(clinic, old, "return");
    expect(fresh.data).toMatchObject({ kind: "invitation", status: 1, email: guest.email });
    expect(fresh.data.id).not.toBe(made.id);
    expect(await listed(clinic, "history")).toMatchObject([{ id: made.id, status: 3, actions: [] }]);
  });

  it("M4: is invalid immediately after it is cancelled, and its link says so", async () => {
    const { clinic, dentist, server } = await setup();
    const guest = await createNewcomer(server);
    const made = await invited(clinic, guest.email);
    const secret = await findInvitationSecret(server, guest.email);
    expect(refusalOf(await update(dentist, made, "cancelInvitation"))).toBe("notFound");
    expect((await update(clinic, made, "cancelInvitation")).data).toMatchObject({ status: 7 });
    expect((await server.ask("member.open", { code: secret })).data).toMatchObject({ status: 7 });
    expect(refusalOf(await update(guest, { ...made, version: 1 }, "accept", { code: secret }))).toBe(
      "memberActionNotAllowed",
    );
  });

  it("M5: expires after seven days, once with any number of workers, and is refused from the first second after", async () => {
    const { clinic, server } = await setup();
    const guest = await createNewcomer(server);
    const made = await invited(clinic, guest.email);
    const shift = (by: string) =>
      server.running.database.asSystem((db) =>
        sql`update admission set expires_at = now() + ${by}::interval where id = ${made.id}`.execute(db),
      );
    await shift("1 second");
    expect(await expireInvitations(server.running.database)).toBe(0);
    await shift("-1 second");
    expect(refusalOf(await update(guest, made, "accept"))).toBe("invitationSpent");
    const { database } = server.running;
    const lapsed = await Promise.all([1, 2, 3].map(() => expireInvitations(database)));
    expect(lapsed.reduce((sum, one) => sum + one, 0)).toBe(1);
    expect(await listed(clinic, "history")).toMatchObject([{ id: made.id, status: 8, actions: ["return"] }]);
    const { info } = await clinic.call("notice.query", {});
    expect(info["2"].list.filter(({ kind }) => kind === "invitationExpired")).toHaveLength(1);
  });
});

describe("an application", () => {
  it("M7, M8: reaches the managers, who choose the role when they accept", async () => {
    const { clinic, dentist, server } = await setup();
    const guest = await createNewcomer(server);
    const { number } = await clinic.call("institution.detail", {});
    const made = await guest.call("member.apply", { number, remark: "I start in May" });
    expect(made).toMatchObject({ kind: "application", status: 0, authorityId: 0, actions: ["cancelApplication"] });
    expect((await clinic.call("notice.query", {})).info["2"].list[0]).toMatchObject({
      kind: "memberApplied",
      link: "/member/page?part=applications",
    });
    expect(await listed(clinic, "applications")).toMatchObject([
      { id: made.id, remark: "I start in May", email: guest.email },
    ]);
    expect(await listed(dentist, "applications")).toEqual([]);
    expect(refusalOf(await update(dentist, made, "agree", { authorityId: 233 }))).toBe("notFound");
    expect(refusalOf(await update(clinic, made, "agree"))).toBe("badInput");
    expect(refusalOf(await update(clinic, made, "agree", { authorityId: 667 }))).toBe("memberRoleUnfit");
    expect((await update(clinic, made, "agree", { authorityId: 222 })).data).toMatchObject({
      status: 2,
      authorityId: 222,
    });
    expect((await guest.call("notice.query", {})).info["2"].list[0]).toMatchObject({ kind: "applicationAgreed" });
  });

  it("M7: is refused for an unknown organisation, for a member, and while one is open", async () => {
    const { clinic, dentist, server } = await setup();
    const guest = await createNewcomer(server);
    const { number } = await clinic.call("institution.detail", {});
    expect(refusalOf(await guest.ask("member.apply", { number: "1" }))).toBe("institutionUnknown");
    expect(refusalOf(await dentist.ask("member.apply", { number }))).toBe("memberExists");
    await guest.call("member.apply", { iid: clinic.iid });
    expect(refusalOf(await guest.ask("member.apply", { number }))).toBe("applicationOpen");
    expect(await listed(clinic, "applications")).toHaveLength(1);
  });

  it("M9, M14: can be sent again 24 hours after it is rejected", async () => {
    const { clinic, server } = await setup();
    const guest = await createNewcomer(server);
    const made = await guest.call("member.apply", { iid: clinic.iid });
    expect((await update(clinic, made, "reject")).data).toMatchObject({ status: 3 });
    expect(refusalOf(await guest.ask("member.apply", { iid: clinic.iid }))).toBe("applyAgainLater");
    const pass = (time: string) =>
      server.running.database.asSystem((db) =>
        sql`update admission set ended_at = now() - ${time}::interval where id = ${made.id}`.execute(db),
      );
    await pass("23:59:59");
    expect(refusalOf(await update(guest, { ...made, version: 1 }, "return"))).toBe("applyAgainLater");
    await pass("24:00:01");
    expect((await update(guest, { ...made, version: 1 }, "return")).data).toMatchObject({
      kind: "application",
      status: 0,
    });
  });

  it("M10: can be cancelled by the applicant only", async () => {
    const { clinic, server } = await setup();
    const guest = await createNewcomer(server);
    const made = await guest.call("member.apply", { iid: clinic.iid });
    expect(refusalOf(await update(clinic, made, "cancelApplication"))).toBe("memberActionNotAllowed");
    expect((await update(guest, made, "cancelApplication")).data).toMatchObject({ status: 7 });
    expect(refusalOf(await update(clinic, { ...made, version: 1 }, "agree", { authorityId: 233 }))).toBe(
      "memberActionNotAllowed",
    );
  });

  it("ends together with an invitation of the same person when one of them creates the membership", async () => {
    const { clinic, server } = await setup();
    const guest = await createNewcomer(server);
    const invitation = await invited(clinic, guest.email);
    const application = await guest.call("member.apply", { iid: clinic.iid });
    expect((await update(guest, invitation, "accept")).code).toBe(200);
    expect(refusalOf(await update(clinic, application, "agree", { authorityId: 222 }))).toBe("memberChanged");
    expect(await listed(clinic, "applications")).toEqual([]);
    expect((await listed(clinic, "members")).filter(({ userId }) => userId === guest.uid)).toMatchObject([
      { authorityId: 233 },
    ]);
  });
});
