import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Relation } from "@arcada/contract/relation/relation.calls";
import { sendOrder, takeStep } from "@arcada/testing/fixtures/orders";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestUser, TestServer, TestSetup } from "@arcada/testing/setup/test-server";
import { endLeftRelations } from "./relation.end.ts";
import { refusalOf } from "@arcada/testing/refusal-of";

const withNone = (): Promise<TestSetup> => setup({ related: false });
const request = ({ clinic, lab }: TestSetup): Promise<Relation> =>
  clinic.call("relation.step", { action: "request", iid: lab.iid });
/** The newest record between the two, as this person sees it. */
const seen = async (who: TestUser): Promise<Relation> => (await who.call("relation.list", {}))[0];
const does = async (who: TestUser, action: Relation["actions"][number], reason?: string) => {
  const { id, version } = await seen(who);
  return who.ask("relation.step", { id, version, action, ...(reason && { reason }) });
};
/** Moves all times of the relationship into the past by a number of days. */
const later = (server: TestServer, days: number) =>
  server.running.database.asSystem((db) =>
    sql`update relation set left_at = left_at - ${days} * interval '1 day', decided_at = decided_at - ${days} * interval '1 day',
      resent_at = resent_at - ${days} * interval '1 day', requested_at = requested_at - ${days} * interval '1 day'`.execute(
      db,
    ),
  );
const unread = async (who: TestUser): Promise<string[]> =>
  (await who.call("notice.query", {})).info["3"].list.filter((one) => !one.seen).map((one) => one.params["action"]);

describe("a request (R1 to R5, R10)", () => {
  it("is accepted by the other side only, and shows each side its open actions", async () => {
    const env = await withNone();
    const asked = await request(env);
    expect(asked).toMatchObject({ state: "requested", mine: true, actions: ["cancel", "resend"] });
    expect((await seen(env.lab)).actions).toEqual(["accept", "reject"]);
    expect((await seen(env.designer)).actions).toEqual([]);
    expect(refusalOf(await does(env.clinic, "accept"))).toBe("relationActionNotAllowed");
    expect((await seen(env.lab)).state).toBe("requested");
    expect(await unread(env.lab)).toEqual(["request"]);
    expect((await does(env.lab, "accept")).data).toMatchObject({ state: "established", actions: ["exit"] });
    expect(await unread(env.clinic)).toEqual(["accept"]);
    expect(refusalOf(await does(env.lab, "accept"))).toBe("relationActionNotAllowed");
  });

  it("is decided automatically if the other side reviews automatically, and both sides are notified", async () => {
    const env = await withNone();
    await env.server.running.database.asSystem((db) =>
      sql`update institution set auto_accept_relations = true where id = ${env.lab.iid}`.execute(db),
    );
    const colleague = await env.server.createUser("clinicAdmin", { id: env.clinic.iid });
    expect(await request(env)).toMatchObject({ state: "established" });
    expect([await unread(env.lab), await unread(colleague)]).toEqual([["autoAccept"], ["autoAccept"]]);
    const history = await env.lab.call("relation.history", { iid: env.clinic.iid });
    expect(history.map(({ action, side }) => [action, side])).toEqual([
      ["autoAccept", "system"],
      ["request", "theirs"],
    ]);
  });

  it("shows the reason of a rejection, and can be sent again after a day", async () => {
    const env = await withNone();
    await request(env);
    await does(env.lab, "reject", "满负荷");
    expect(await seen(env.clinic)).toMatchObject({ state: "rejected", reason: "满负荷", actions: ["hide"] });
    expect(refusalOf(await does(env.clinic, "askAgain"))).toBe("relationAskedLately");
    // The side that rejected the request may send one itself at once.
    expect((await seen(env.lab)).actions).toEqual(["hide", "askAgain"]);
    await later(env.server, 1);
    const again = (await does(env.clinic, "askAgain")).data;
    expect(again).toMatchObject({ state: "requested", mine: true });
    expect((await env.clinic.call("relation.list", {})).map(({ state, actions }) => [state, actions])).toEqual([
      ["requested", ["cancel", "resend"]],
      ["rejected", ["hide"]],
    ]);
  });

  it("can be resent once a day at most", async () => {
    const env = await withNone();
    await request(env);
    expect((await does(env.clinic, "resend")).code).toBe(200);
    expect(await seen(env.clinic)).toMatchObject({ state: "requested", actions: ["cancel"], version: 1 });
    expect(refusalOf(await does(env.clinic, "resend"))).toBe("relationResentLately");
    expect((await seen(env.clinic)).version).toBe(1);
    await later(env.server, 1);
    expect((await does(env.clinic, "resend")).code).toBe(200);
  });

  it("is refused to oneself, between two clinics and beside an active one, and changes nothing", async () => {
    const env = await withNone();
    const other = await withNone();
    const ask = (who: TestUser, iid: string) => who.ask("relation.step", { action: "request", iid });
    expect(refusalOf(await ask(env.clinic, env.clinic.iid))).toBe("relationSelf");
    expect(refusalOf(await ask(env.clinic, other.clinic.iid))).toBe("relationNeedsTwoSides");
    expect((await ask(env.lab, other.lab.iid)).code).toBe(200);
    await request(env);
    expect(refusalOf(await ask(env.lab, env.clinic.iid))).toBe("relationExists");
    expect(await env.clinic.call("relation.list", {})).toHaveLength(1);
  });
});

describe("the end of a relationship (R6 to R9)", () => {
  it("can be undone by the side that left, within 14 days", async () => {
    const env = await setup();
    await does(env.clinic, "exit", "换技工所");
    expect(await seen(env.clinic)).toMatchObject({ state: "closing", leftByUs: true, actions: ["resume"] });
    expect(await seen(env.lab)).toMatchObject({ leftByUs: false, resumeUntil: null, reason: "换技工所", actions: [] });
    expect(refusalOf(await does(env.lab, "resume"))).toBe("relationActionNotAllowed");
    await later(env.server, 13);
    expect((await does(env.clinic, "resume")).data).toMatchObject({ state: "established", leftByUs: null });
    await does(env.clinic, "exit");
    await later(env.server, 14);
    expect(await seen(env.clinic)).toMatchObject({ state: "closing", resumeUntil: null, actions: [] });
    expect(refusalOf(await does(env.clinic, "resume"))).toBe("relationActionNotAllowed");
  });

  it("follows the last of two open orders, and both sides are notified", async () => {
    const env = await setup();
    const [one, two] = [await sendOrder(env), await sendOrder(env)];
    await does(env.lab, "exit");
    await takeStep(env.lab, one, "refuse", { reason: "no capacity" });
    expect((await seen(env.clinic)).state).toBe("closing");
    await takeStep(env.dentist, two, "cancel", { reason: "changed plans" });
    expect(await seen(env.clinic)).toMatchObject({ state: "ended", actions: ["hide", "askAgain"] });
    expect((await seen(env.lab)).endedAt).not.toBeNull();
    expect(await unread(env.lab)).toEqual(["settle"]);
    expect(await unread(env.clinic)).toEqual(["settle", "exit"]);
    const history = await env.clinic.call("relation.history", { iid: env.lab.iid });
    expect(history.map(({ action, side, who }) => [action, side, who])).toEqual([
      ["settle", "system", null],
      ["exit", "theirs", null],
    ]);
  });

  it("happens once when the last two orders end at the same time", async () => {
    const env = await setup();
    const orders = await Promise.all(Array.from({ length: 6 }, () => sendOrder(env)));
    await does(env.clinic, "exit");
    await Promise.all(orders.map((order) => takeStep(env.lab, order, "refuse", { reason: "closing" })));
    expect((await seen(env.clinic)).state).toBe("ended");
    expect((await unread(env.clinic)).filter((action) => action === "settle")).toHaveLength(1);
  });

  it("waits for 14 days if no order was open, and happens once when two processes check", async () => {
    const env = await setup();
    await does(env.clinic, "exit");
    const { database } = env.server.running;
    await endLeftRelations(database);
    expect((await seen(env.clinic)).state).toBe("closing");
    await later(env.server, 15);
    await Promise.all([endLeftRelations(database), endLeftRelations(database)]);
    expect((await seen(env.clinic)).state).toBe("ended");
    expect((await unread(env.lab)).filter((action) => action === "settle")).toHaveLength(1);
  });

  it("can be hidden by one side only, and either side can send a new request", async () => {
    const env = await setup();
    const order = await sendOrder(env);
    await does(env.clinic, "exit");
    await takeStep(env.lab, order, "refuse", { reason: "closing" });
    await does(env.clinic, "hide");
    expect(await env.clinic.call("relation.list", {})).toEqual([]);
    expect(await seen(env.lab)).toMatchObject({ state: "ended", actions: ["hide", "askAgain"] });
    expect(await env.clinic.call("relation.history", { iid: env.lab.iid })).toHaveLength(2);
    expect((await does(env.lab, "askAgain")).data).toMatchObject({ state: "requested", mine: true });
    expect(await seen(env.clinic)).toMatchObject({ state: "requested", actions: ["accept", "reject"] });
  });
});

describe("the network", () => {
  it("counts the open orders with each partner by whose turn it is", async () => {
    const env = await setup();
    await sendOrder(env);
    const asked = await sendOrder(env);
    await takeStep(env.lab, asked, "requestInfo", { text: "Which shade?" });
    const done = await sendOrder(env);
    await takeStep(env.lab, done, "refuse", { reason: "no capacity" });
    const [ofClinic, ofLab] = [
      await env.clinic.call("relation.network", {}),
      await env.lab.call("relation.network", {}),
    ];
    expect(ofClinic).toMatchObject({
      own: { id: env.clinic.iid },
      partners: [{ id: env.lab.iid, type: "lab" }],
      edges: [{ from: env.clinic.iid, to: env.lab.iid, state: "established", open: 2, ours: 1, theirs: 1 }],
    });
    expect(ofLab.edges).toMatchObject([{ open: 2, ours: 1, theirs: 1 }]);
    expect((await (await setup()).clinic.call("relation.network", {})).partners).toHaveLength(1);
  });
});

describe("the terms of a relationship", () => {
  it("are set by the side that sends orders, and are visible to both sides and to nobody else", async () => {
    const env = await setup();
    const { id, version, terms } = await seen(env.clinic);
    expect(terms).toEqual({ ours: { mayForward: false }, theirs: null });
    const set = (who: TestUser, seenVersion = version) =>
      who.ask("relation.setTerms", { id, version: seenVersion, mayForward: true });
    expect(refusalOf(await set(env.lab))).toBe("relationActionNotAllowed");
    expect(refusalOf(await set((await setup()).clinic))).toBe("notFound");
    expect(refusalOf(await set(env.dentist))).toBe("notAllowed");
    expect(refusalOf(await set(env.clinic, version + 1))).toBe("relationChanged");
    expect((await seen(env.lab)).terms.theirs).toEqual({ mayForward: false });
    expect((await set(env.clinic)).code).toBe(200);
    expect((await seen(env.lab)).terms).toEqual({ ours: null, theirs: { mayForward: true } });
  });
});
