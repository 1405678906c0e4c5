import { beforeAll, describe, expect, it } from "vitest";
import { institutionRules } from "@arcada/contract/institution/institution.calls";
import { refusals } from "@arcada/contract/kernel/refusals";
import {
  getTestServer,
  setup,
  type TestServer,
  type TestSetup,
  type AnyTestUser,
} from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

let env: TestServer;
let caseEnv: TestSetup;
beforeAll(async () => {
  env = await getTestServer();
  caseEnv = await setup();
});

describe("organisations founded by one person", () => {
  const found = async (person: AnyTestUser, name: string) =>
    refusalOf(await person.ask("institution.create", { type: "clinic", name, country: "CN" }));

  it("are limited per day", async () => {
    const person = await env.createUser("newUser");
    for (let place = 0; place < institutionRules.maxFoundedPerDay; place++)
      expect(await found(person, `Clinic ${place}`)).toBe("accepted");
    expect(await found(person, "One more")).toBe("institutionTooMany");
  });

  it("are limited in total", async () => {
    const person = await env.createUser("newUser");
    for (let place = 0; place < institutionRules.maxFoundedInTotal; place++) {
      expect(await found(person, `Old ${place}`)).toBe("accepted");
      await env.running.database.asSystem((db) =>
        db.updateTable("institution").set({ created_at: "2020-01-01" }).where("created_by", "=", person.uid).execute(),
      );
    }
    expect(await found(person, "One more")).toBe("institutionTooMany");
  });
});

describe("an organisation", () => {
  it("requires two-step sign-in of its members only if its manager uses it", async () => {
    const { clinic } = caseEnv;
    const refused = await clinic.ask("institution.update", { requireFactor: true, contactWay: "1" });
    expect(refused).toMatchObject({ code: refusals.factorOwnFirst.code, data: { requireFactor: "factorOwnFirst" } });
    expect(await clinic.call("institution.detail", {})).toMatchObject({ requireFactor: false, contactWay: null });
  });

  it("keeps its country and type in every update", async () => {
    const changed = await caseEnv.clinic.call("institution.update", {
      name: "Another name",
      autoAcceptRelations: true,
      ...({ country: "DE", type: "lab", number: "1" } as object),
    });
    expect(changed).toMatchObject({ name: "Another name", country: "CN", type: "clinic", autoAcceptRelations: true });
    expect(changed.number).not.toBe("1");
  });

  it("returns the founder's new token again when the founding request is repeated", async () => {
    const founder = await env.createUser("newUser");
    const key = { "idempotency-key": crypto.randomUUID(), token: founder.token };
    const input = { name: "Twice founded", type: "clinic", country: "CN" } as const;
    const first = await founder.ask("institution.create", input, key);
    const again = await founder.ask("institution.create", input, key);
    expect(again.data).toEqual(first.data);
    const token = again.headers.get("new-token") ?? "";
    expect(token).not.toBe(first.headers.get("new-token"));
    expect((await env.ask("institution.detail", {}, { token })).data.id).toBe(first.data.id);
    expect((await env.ask("institution.mine", {}, { token })).data.total).toBe(1);
  });

  it("is found by number and by a literal part of its name, with at most twenty results", async () => {
    for (let place = 0; place < 22; place++) await env.createInstitution("lab", { name: `100%_Lab ${place}` });
    expect(await caseEnv.clinic.call("institution.search", { text: "100%_lab" })).toHaveLength(20);
    expect(await caseEnv.clinic.call("institution.search", { text: "100x_lab" })).toEqual([]);
    const [found] = await caseEnv.clinic.call("institution.search", { text: "100%_Lab 21" });
    expect((await caseEnv.clinic.call("institution.search", { text: found.number })).map((one) => one.name)).toEqual([
      "100%_Lab 21",
    ]);
  });

  it("refuses a position outside the earth's coordinates", async () => {
    const asked = await caseEnv.clinic.ask("institution.update", { longitude: 181, latitude: 12 });
    expect(refusalOf(asked)).toBe("badInput");
    expect(Object.keys(asked.data as object)).toEqual(["longitude"]);
  });
});
