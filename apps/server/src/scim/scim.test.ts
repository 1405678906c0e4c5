import { describe, expect, it } from "vitest";
import { ScimClient } from "@arcada/testing/clients/scim-client";
import { createNewcomer, findInvitationSecret, newEmailAddress } from "@arcada/testing/fixtures/members";
import { refusalOf } from "@arcada/testing/refusal-of";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestUser } from "@arcada/testing/setup/test-server";
import { roles } from "@arcada/contract/kernel/roles";

const coreUser = "urn:ietf:params:scim:schemas:core:2.0:User";
const membership = "urn:arcada:params:scim:schemas:extension:2.0:Membership";
const stateOf = (body: Record<string, unknown>) => (body[membership] as { state: string }).state;
const [manager, member] = [roles.clinicAdmin.authorityId, roles.clinicMember.authorityId];
const start = async () => {
  const { clinic, dentist, lab, server } = await setup();
  return { clinic, dentist, lab, server, scim: await ScimClient.of(clinic) };
};
const members = async (clinic: TestUser) => (await clinic.call("member.list", { pageSize: 999 })).list;
const roleOf = async (clinic: TestUser, email: string) =>
  (await members(clinic)).find((one) => one.email === email)?.authorityId ?? null;
const entraUser = (email: string) => ({
  schemas: [coreUser, "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
  externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
  userName: email,
  active: true,
  emails: [{ primary: true, type: "work", value: email }],
  meta: { resourceType: "User" },
  name: { formatted: "Ada Byron", familyName: "Byron", givenName: "Ada" },
  roles: [],
});
const oktaUser = (email: string) => ({
  schemas: [coreUser],
  userName: email,
  name: { givenName: "Grace", familyName: "Hopper" },
  emails: [{ primary: true, value: email, type: "work" }],
  displayName: "Grace Hopper",
  locale: "en-US",
  externalId: "00ujl29u0le5T6Aj10h7",
  groups: [],
  password: "1mz050nq",
  active: true,
});

describe("a person whom Microsoft Entra provisions", () => {
  it("is looked for, created with an account of their own, and becomes a member at once", async () => {
    const { clinic, scim } = await start();
    const email = newEmailAddress();
    expect((await scim.find("Users", `userName eq "${email}"`)).body).toMatchObject({ totalResults: 0, Resources: [] });
    const made = await scim.send("POST", "/Users", entraUser(email));
    expect(made.status).toBe(201);
    expect(made.headers.get("content-type")).toContain("application/scim+json");
    expect(made.headers.get("etag")).toBe('W/"1"');
    expect(made.headers.get("location")).toBe((made.body.meta as { location: string }).location);
    expect(made.body).toMatchObject({ userName: email, active: true, name: { givenName: "Ada" } });
    expect(JSON.stringify(made.body)).not.toContain("enterprise");
    expect(await members(clinic)).toContainEqual(
      expect.objectContaining({ email, name: "Ada Byron", authorityId: member }),
    );
    for (const filter of [`userName eq "${email.toUpperCase()}"`, `externalId eq "${entraUser(email).externalId}"`])
      expect((await scim.find("Users", filter)).body.Resources).toMatchObject([{ id: made.body.id }]);
  });

  it("loses the membership and every session in it at once when active becomes the word False", async () => {
    const { clinic, scim, server } = await start();
    const user = await server.createUser("clinicMember", { id: clinic.iid });
    const id = await scim.createUser(`${user.uid}@example.test`);
    expect((await user.ask("patient.list", {})).code).toBe(200);
    const changed = await scim.patch(`/Users/${id}`, { op: "Replace", path: "active", value: "False" });
    expect([changed.status, changed.body.active, stateOf(changed.body)]).toEqual([200, false, "none"]);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(refusalOf(await user.ask("patient.list", {}))).toBe("signedOutElsewhere");
    expect(await roleOf(clinic, `${user.uid}@example.test`)).toBeNull();
    const trail = await clinic.call("trail.list", {});
    expect(trail.list.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["member.kickOut", "scim.changeUser", "scim.createUser"]),
    );
    const back = await scim.patch(`/Users/${id}`, { op: "Replace", path: "active", value: "True" });
    expect(stateOf(back.body)).toBe("member");
  });

  it("keeps the version of a synchronisation that changes nothing", async () => {
    const { scim } = await start();
    const id = await scim.createUser(newEmailAddress(), { displayName: "Ada" });
    const same = await scim.patch(`/Users/${id}`, { op: "replace", value: { displayName: "Ada" } });
    expect(same.headers.get("etag")).toBe('W/"1"');
    const other = await scim.patch(`/Users/${id}`, { op: "replace", value: { displayName: "Ada B." } });
    expect(other.headers.get("etag")).toBe('W/"2"');
  });
});

describe("a person whom Okta provisions", () => {
  it("is created, replaced by PUT and deactivated by a value without a path", async () => {
    const { clinic, scim } = await start();
    const email = newEmailAddress();
    const made = await scim.send("POST", "/Users", oktaUser(email));
    expect(made.status).toBe(201);
    expect(JSON.stringify(made.body)).not.toContain("1mz050nq");
    const put = await scim.send("PUT", `/Users/${made.body.id}`, {
      ...oktaUser(email),
      id: made.body.id,
      name: { givenName: "Grace", familyName: "Murray" },
    });
    expect(put.body).toMatchObject({ id: made.body.id, name: { familyName: "Murray" } });
    const off = await scim.patch(`/Users/${made.body.id}`, { op: "replace", value: { active: false } });
    expect([off.status, off.body.active]).toEqual([200, false]);
    expect(await roleOf(clinic, email)).toBeNull();
  });
});

describe("an account that exists", () => {
  it("is never taken over: its owner is invited, and becomes a member by accepting", async () => {
    const { clinic, scim, server } = await start();
    const guest = await createNewcomer(server);
    const made = await scim.send("POST", "/Users", oktaUser(guest.email));
    expect([made.status, made.body.active, stateOf(made.body)]).toEqual([201, true, "invited"]);
    expect(await roleOf(clinic, guest.email)).toBeNull();
    const before = await guest.call("account.getUserInfo", {});
    expect(before.nickName).toBe(guest.name);
    const code = await findInvitationSecret(server, guest.email);
    const [invitation] = (await guest.call("member.mine", {})).list;
    await guest.call("member.update", { id: invitation.id, version: invitation.version, action: "accept", code });
    expect(stateOf((await scim.send("GET", `/Users/${made.body.id}`)).body)).toBe("member");
    await scim.send("DELETE", `/Users/${made.body.id}`);
    expect(await roleOf(clinic, guest.email)).toBeNull();
    expect((await guest.call("account.getUserInfo", {})).email).toBe(guest.email);
  });

  it("is linked if its owner is a member already, and invited again after leaving by choice", async () => {
    const { clinic, scim, server } = await start();
    const colleague = await server.createUser("clinicMember", { id: clinic.iid });
    const email = `${colleague.uid}@example.test`;
    const id = await scim.createUser(email);
    expect(stateOf((await scim.send("GET", `/Users/${id}`)).body)).toBe("member");
    const [own] = (await colleague.call("member.mine", {})).list;
    await colleague.call("member.update", {
      id: own.id,
      version: own.version,
      action: "exit",
      colleagueId: clinic.uid,
    });
    await scim.patch(`/Users/${id}`, { op: "replace", path: "active", value: false });
    const back = await scim.patch(`/Users/${id}`, { op: "replace", path: "active", value: true });
    expect(stateOf(back.body)).toBe("invited");
  });

  it("gets no second invitation from a change of the name, and none while it is inactive", async () => {
    const { clinic, scim, server } = await start();
    const guest = await createNewcomer(server);
    const id = await scim.createUser(guest.email, { active: false });
    expect((await clinic.call("member.list", { part: "invitations" })).list).toEqual([]);
    await scim.patch(`/Users/${id}`, { op: "replace", path: "displayName", value: "Somebody" });
    expect((await clinic.call("member.list", { part: "invitations" })).list).toEqual([]);
    await scim.patch(`/Users/${id}`, { op: "replace", path: "active", value: true });
    expect((await clinic.call("member.list", { part: "invitations" })).list).toHaveLength(1);
    await scim.send("DELETE", `/Users/${id}`);
    expect((await clinic.call("member.list", { part: "invitations" })).list).toEqual([]);
  });
});

describe("a group", () => {
  const giveRole = async (clinic: TestUser, name: string, authorityId: number | null) => {
    const group = (await clinic.call("scim.overview", {})).groups.find((one) => one.name === name);
    return clinic.ask("scim.setGroupRole", { id: group?.id, version: group?.version, authorityId });
  };

  it("gives the role that a manager chose for it, as Entra adds and removes people", async () => {
    const { clinic, scim } = await start();
    const email = newEmailAddress();
    const id = await scim.createUser(email);
    const group = await scim.createGroup("Arcada managers");
    expect((await giveRole(clinic, "Arcada managers", manager)).code).toBe(200);
    const add = { op: "Add", path: "members", value: [{ $ref: null, value: id }] };
    expect((await scim.patch(`/Groups/${group}`, add)).status).toBe(204);
    expect(await roleOf(clinic, email)).toBe(manager);
    const user = await scim.send("GET", `/Users/${id}`);
    expect(user.body.groups).toMatchObject([{ value: group, display: "Arcada managers" }]);
    await scim.patch(`/Groups/${group}`, { op: "Remove", path: "members", value: [{ $ref: null, value: id }] });
    expect(await roleOf(clinic, email)).toBe(member);
  });

  it("of assistants makes assistants of its people, of members already and of those who come later", async () => {
    const { clinic, scim } = await start();
    const [early, late] = [newEmailAddress(), newEmailAddress()];
    const id = await scim.createUser(early);
    const group = await scim.createGroup("Assistants", [id]);
    const { authorityId } = roles.clinicAssistant;
    expect((await giveRole(clinic, "Assistants", authorityId)).code).toBe(200);
    const second = await scim.createUser(late);
    await scim.patch(`/Groups/${group}`, { op: "Add", path: "members", value: [{ value: second }] });
    expect([await roleOf(clinic, early), await roleOf(clinic, late)]).toEqual([authorityId, authorityId]);
    await scim.patch(`/Groups/${group}`, { op: "Remove", path: "members", value: [{ value: id }] });
    expect(await roleOf(clinic, early)).toBe(member);
  });

  it("is changed as Okta does it: members replaced, removed by a filter, the name without a path", async () => {
    const { clinic, scim } = await start();
    const [a, b] = [newEmailAddress(), newEmailAddress()];
    const [first, second] = [await scim.createUser(a), await scim.createUser(b)];
    const group = await scim.createGroup("Group", [first]);
    await giveRole(clinic, "Group", manager);
    expect([await roleOf(clinic, a), await roleOf(clinic, b)]).toEqual([manager, member]);
    await scim.patch(`/Groups/${group}`, { op: "replace", path: "members", value: [{ value: second, display: b }] });
    expect([await roleOf(clinic, a), await roleOf(clinic, b)]).toEqual([member, manager]);
    await scim.patch(`/Groups/${group}`, { op: "remove", path: `members[value eq "${second}"]` });
    await scim.patch(`/Groups/${group}`, { op: "replace", value: { id: group, displayName: "Renamed" } });
    expect(await roleOf(clinic, b)).toBe(member);
    expect((await scim.find("Groups", 'displayName eq "renamed"')).body.Resources).toMatchObject([{ members: [] }]);
  });

  it("takes back only what it gave, also when its role or the group itself goes", async () => {
    const { clinic, scim, server } = await start();
    const byHand = await server.createUser("clinicAdmin", { id: clinic.iid });
    const [kept, raised] = [`${byHand.uid}@example.test`, newEmailAddress()];
    const ids = [await scim.createUser(kept), await scim.createUser(raised)];
    const group = await scim.createGroup("Everybody", ids);
    await giveRole(clinic, "Everybody", manager);
    expect([await roleOf(clinic, kept), await roleOf(clinic, raised)]).toEqual([manager, manager]);
    await giveRole(clinic, "Everybody", member);
    expect([await roleOf(clinic, kept), await roleOf(clinic, raised)]).toEqual([manager, member]);
    await giveRole(clinic, "Everybody", manager);
    await scim.send("DELETE", `/Groups/${group}`);
    expect([await roleOf(clinic, kept), await roleOf(clinic, raised)]).toEqual([manager, member]);
  });

  it("never gives a role of the platform or of another kind of organisation, and no member chooses it", async () => {
    const { clinic, dentist, lab, scim } = await start();
    await scim.createGroup("Group");
    for (const authorityId of [9527, 700, 701, 666, 667, 0])
      expect(refusalOf(await giveRole(clinic, "Group", authorityId))).toBe("memberRoleUnfit");
    const { groups } = await clinic.call("scim.overview", {});
    const wish = { id: groups[0].id, version: groups[0].version, authorityId: manager };
    expect(refusalOf(await dentist.ask("scim.setGroupRole", wish))).toBe("notAllowed");
    expect(refusalOf(await lab.ask("scim.setGroupRole", { ...wish, authorityId: 666 }))).toBe("notFound");
    expect(refusalOf(await clinic.ask("scim.setGroupRole", { ...wish, version: 9 }))).toBe("scimGroupChanged");
  });

  it("offers its role in an open invitation as well", async () => {
    const { clinic, scim, server } = await start();
    const guest = await createNewcomer(server);
    const id = await scim.createUser(guest.email);
    await scim.createGroup("Group", [id]);
    await giveRole(clinic, "Group", manager);
    const { list } = await clinic.call("member.list", { part: "invitations" });
    expect(list).toMatchObject([{ email: guest.email, authorityId: manager }]);
  });
});

describe("the last manager", () => {
  it("stays: neither deactivation nor a group nor removal takes the role", async () => {
    const { clinic, scim } = await start();
    const id = await scim.createUser(`${clinic.uid}@example.test`);
    for (const answer of [
      await scim.patch(`/Users/${id}`, { op: "Replace", path: "active", value: "False" }),
      await scim.send("DELETE", `/Users/${id}`),
    ])
      expect([answer.status, answer.body.schemas]).toEqual([409, ["urn:ietf:params:scim:api:messages:2.0:Error"]]);
    expect(await roleOf(clinic, `${clinic.uid}@example.test`)).toBe(manager);
    expect((await scim.send("GET", `/Users/${id}`)).body.active).toBe(true);
  });
});
