import { describe, expect, it } from "vitest";
import { scimRules } from "@arcada/contract/scim/scim.rules";
import { ScimClient } from "@arcada/testing/clients/scim-client";
import { newEmailAddress } from "@arcada/testing/fixtures/members";
import { refusalOf } from "@arcada/testing/refusal-of";
import { setup } from "@arcada/testing/setup/test-server";

const start = async () => ScimClient.of((await setup()).clinic);
const unknownId = "00000000-0000-4000-8000-000000000000";

describe("the key of provisioning", () => {
  it("opens SCIM and nothing else, and no other credential opens SCIM", async () => {
    const { clinic, server } = await setup();
    const scim = await ScimClient.of(clinic);
    expect((await scim.send("GET", "/Users")).status).toBe(200);
    const bearer = { authorization: `Bearer ${scim.token}` };
    expect(refusalOf(await server.ask("patient.list", {}, bearer))).toBe("keyScopeMissing");
    expect(refusalOf(await server.ask("member.list", {}, bearer))).toBe("keyNotHere");
    const other = await clinic.call("interface.makeKey", { name: "x", scopes: ["orders.read"], days: 30 });
    for (const authorization of [`Bearer ${other.secret}`, `Bearer ${clinic.token}`, "Bearer arcada_made-up", ""])
      expect([401, 403]).toContain((await scim.send("GET", "/Users", undefined, { authorization })).status);
    expect([401, 403]).toContain((await scim.send("GET", "/Users", undefined, { token: clinic.token })).status);
  });

  it("is renewed without a gap, and ends with its revocation under both secrets", async () => {
    const { clinic } = await setup();
    const { key, secret } = await clinic.call("interface.makeKey", {
      name: "x",
      scopes: ["members.provision"],
      days: 30,
    });
    const scim = await ScimClient.of(clinic);
    const renewed = await clinic.call("interface.rotateKey", { id: key.id });
    expect(renewed.key).toMatchObject({ id: key.id, state: "active", oldSecretUntil: expect.any(String) });
    expect(renewed.secret).not.toBe(secret);
    const statuses = async () => {
      const list: number[] = [];
      for (const one of [secret, renewed.secret]) {
        scim.token = one;
        list.push((await scim.send("GET", "/Users")).status);
      }
      return list;
    };
    expect(await statuses()).toEqual([200, 200]);
    await clinic.call("interface.revokeKey", { id: key.id });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await statuses()).toEqual([401, 401]);
    expect(refusalOf(await clinic.ask("interface.rotateKey", { id: key.id }))).toBe("keyEnded");
  });
});

describe("two organisations", () => {
  it("never see or change each other's people and groups", async () => {
    const [own, other] = [await start(), await start()];
    const email = newEmailAddress();
    const user = await own.createUser(email);
    const group = await own.createGroup("Group", [user]);
    for (const path of [`/Users/${user}`, `/Groups/${group}`]) {
      const unknown = await other.send("GET", path.replace(/[^/]+$/, unknownId));
      for (const answer of [
        await other.send("GET", path),
        await other.send("PUT", path, { userName: email, displayName: "x" }),
        await other.patch(path, { op: "replace", value: { displayName: "x" } }),
        await other.send("DELETE", path),
      ])
        expect([answer.status, answer.body]).toEqual([404, unknown.body]);
    }
    for (const [kind, filter] of [
      ["Users", `userName eq "${email}"`],
      ["Users", `id eq "${user}"`],
      ["Groups", 'displayName eq "Group"'],
      ["Groups", `members eq "${user}"`],
    ] as const) {
      expect((await other.find(kind, filter)).body.totalResults).toBe(0);
      expect((await own.find(kind, filter)).body.totalResults).toBe(1);
    }
    const stolen = await other.send("POST", "/Groups", { displayName: "Mine", members: [{ value: user }] });
    const unknown = await other.send("POST", "/Groups", { displayName: "Mine", members: [{ value: unknownId }] });
    expect([stolen.status, stolen.body]).toEqual([400, unknown.body]);
    // The same person at both: the second organisation invites, whatever it says of the person.
    const elsewhere = await other.send("POST", "/Users", { userName: email, displayName: "Other name" });
    expect(elsewhere.status).toBe(201);
    expect(JSON.stringify(elsewhere.body)).toContain('"invited"');
    expect((await own.send("GET", `/Users/${user}`)).body.userName).toBe(email);
  });
});

describe("a SCIM request", () => {
  it("pages from 1, limits the page and counts everything", async () => {
    const scim = await start();
    const ids: string[] = [];
    for (let nth = 0; nth < 3; nth++) ids.push(await scim.createUser(newEmailAddress()));
    const page = async (query: string) => {
      const { body } = await scim.send("GET", `/Users?${query}`);
      return [body.totalResults, body.startIndex, body.itemsPerPage, body.Resources.map(({ id }) => id)];
    };
    expect(await page("startIndex=1&count=2")).toEqual([3, 1, 2, ids.slice(0, 2)]);
    expect(await page("startIndex=3&count=2")).toEqual([3, 3, 1, ids.slice(2)]);
    expect(await page("startIndex=0&count=999999")).toEqual([3, 1, 3, ids]);
    expect(await page("count=0")).toEqual([3, 1, 0, []]);
    expect(await page("startIndex=10")).toEqual([3, 10, 0, []]);
    expect((await scim.send("GET", "/Users?count=many")).status).toBe(400);
  });

  it("gets the attributes that it asks for", async () => {
    const scim = await start();
    const id = await scim.createUser(newEmailAddress(), {
      displayName: "Ada",
      name: { givenName: "A", familyName: "B" },
    });
    const group = await scim.createGroup("Group", [id]);
    const only = await scim.send("GET", `/Users/${id}?attributes=name.familyName,displayName`);
    expect(Object.keys(only.body).toSorted()).toEqual(["displayName", "id", "name", "schemas"]);
    expect(only.body.name).toEqual({ familyName: "B" });
    const without = await scim.send("GET", `/Groups/${group}?excludedAttributes=members`);
    expect(without.body).not.toHaveProperty("members");
    expect((await scim.send("GET", `/Groups/${group}`)).body.members).toMatchObject([{ value: id }]);
  });

  it("changes only the version that it names, and saves the reading of a known one", async () => {
    const scim = await start();
    const id = await scim.createUser(newEmailAddress());
    const change = (name: string, tag: string) =>
      scim.send(
        "PATCH",
        `/Users/${id}`,
        { Operations: [{ op: "replace", value: { displayName: name } }] },
        { "if-match": tag },
      );
    expect((await change("A", 'W/"1"')).status).toBe(200);
    const late = await change("B", 'W/"1"');
    expect([late.status, late.body.status]).toEqual([412, "412"]);
    expect((await change("C", "*")).status).toBe(200);
    const known = await scim.send("GET", `/Users/${id}`, undefined, { "if-none-match": 'W/"3"' });
    expect([known.status, known.headers.get("etag")]).toEqual([304, 'W/"3"']);
  });

  it("refuses a name that is taken, an address that is none, and everything malformed, each with its word", async () => {
    const scim = await start();
    const email = newEmailAddress();
    await scim.createUser(email);
    const refused = async (body: unknown, headers?: Record<string, string>) => {
      const answer = await scim.send("POST", "/Users", body, headers);
      return [answer.status, answer.body.scimType];
    };
    expect(await refused({ userName: email.toUpperCase() })).toEqual([409, "uniqueness"]);
    expect(await refused({ userName: "ada" })).toEqual([400, "invalidValue"]);
    expect(await refused({ userName: "ada", emails: [{ value: "ada" }] })).toEqual([400, "invalidValue"]);
    expect(await refused({ emails: [{ value: email }] })).toEqual([400, "invalidValue"]);
    expect(await refused({ userName: `a\u0000@x.test` })).toEqual([400, "invalidValue"]);
    expect(await refused({ userName: newEmailAddress(), active: "perhaps" })).toEqual([400, "invalidValue"]);
    expect(await refused("{")).toEqual([400, "invalidSyntax"]);
    expect(await refused('{"userName":"a@x.test","__proto__":{"active":false}}')).toEqual([400, "invalidSyntax"]);
    expect((await refused("x", { "content-type": "text/plain" }))[0]).toBe(415);
    expect((await scim.find("Users", 'title eq "x"')).body.scimType).toBe("invalidFilter");
    expect((await scim.find("Users", '__proto__ eq "x"')).body.scimType).toBe("invalidFilter");
  });

  it("survives huge filters, deep and large bodies, and odd ids", async () => {
    const scim = await start();
    const id = await scim.createUser(newEmailAddress());
    expect((await scim.find("Users", `userName eq "${"x".repeat(5000)}"`)).status).toBe(400);
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    expect((await scim.send("POST", "/Users", `{"userName":"${newEmailAddress()}","x":${deep}}`)).status).toBe(201);
    expect((await scim.send("PUT", `/Users/${id}`, deep)).status).toBe(400);
    expect((await scim.send("POST", "/Users", `"${"x".repeat(scimRules.bodyBytes)}"`)).status).toBe(413);
    const members = Array.from({ length: scimRules.maxGroupMembers + 1 }, () => ({ value: id }));
    expect((await scim.send("POST", "/Groups", { displayName: "Many", members })).status).toBe(400);
    for (const odd of ["x", "%00", "..%2f..", "'", `${id}'`, "a".repeat(2000)])
      expect([400, 404, 414], odd).toContain((await scim.send("GET", `/Users/${odd}`)).status);
    expect((await scim.send("GET", "/Bulk")).status).toBe(404);
    expect((await scim.send("GET", "/Users")).status).toBe(200);
  });
});

describe("the descriptions of the service", () => {
  it("state what it supports, without a key", async () => {
    const scim = await start();
    scim.token = "none";
    const read = (path: string) => scim.send("GET", path);
    expect((await read("/ServiceProviderConfig")).body).toMatchObject({
      patch: { supported: true },
      etag: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: scimRules.maxPageSize },
    });
    expect((await read("/ResourceTypes")).body.Resources.map(({ id }) => id)).toEqual(["User", "Group"]);
    const { body } = await read("/Schemas/urn:ietf:params:scim:schemas:core:2.0:User");
    expect((body.attributes as { name: string }[]).map(({ name }) => name)).toContain("userName");
    expect((await read("/Schemas?filter=id")).status).toBe(403);
    expect((await read("/Schemas/none")).status).toBe(404);
  });
});
