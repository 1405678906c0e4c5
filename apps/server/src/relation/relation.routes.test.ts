import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Relation } from "@arcada/contract/relation/relation.calls";
import { refusals } from "@arcada/contract/kernel/refusals";
import { sentOrder, steps } from "../../../../tests/orders.ts";
import { world } from "../../../../tests/world.ts";
import type { Person, TestServer, World } from "../../../../tests/world.ts";
import { settleLeft } from "./relation.settle.ts";

const withNone = (): Promise<World> => world({ related: false });
const request = ({ clinic, lab }: World): Promise<Relation> =>
  clinic.gets("relation.step", { action: "request", iid: lab.iid! });
/** The newest record between the two, as this person sees it. */
const seen = async (who: Person): Promise<Relation> => (await who.gets("relation.list", {}))[0]!;
const does = async (who: Person, action: Relation["actions"][number], reason?: string) => {
  const { id, version } = await seen(who);
  return who.asks("relation.step", { id, version, action, ...(reason && { reason }) });
};
/** Time goes by for what is written of the two. */
const later = (server: TestServer, days: number) =>
  server.running.database.asSystem((db) =>
    sql`update relation set left_at = left_at - ${days} * interval '1 day', decided_at = decided_at - ${days} * interval '1 day',
      resent_at = resent_at - ${days} * interval '1 day', requested_at = requested_at - ${days} * interval '1 day'`.execute(
      db,
    ),
  );
const unread = async (who: Person): Promise<string[]> =>
  (await who.gets("notice.query", {})).info["3"].list.filter((one) => !one.seen).map((one) => one.params["action"]!);

describe("a request (R1 to R5, R10)", () => {
  it("is accepted by the other side alone, and says to each what is open to them", async () => {
    const here = await withNone();
    const asked = await request(here);
    expect(asked).toMatchObject({ state: "requested", mine: true, actions: ["cancel", "resend"] });
    expect((await seen(here.lab)).actions).toEqual(["accept", "reject"]);
    expect((await seen(here.designer)).actions).toEqual([]);
    expect((await does(here.clinic, "accept")).code).toBe(refusals.relationActionNotAllowed.code);
    expect((await seen(here.lab)).state).toBe("requested");
    expect(await unread(here.lab)).toEqual(["request"]);
    expect((await does(here.lab, "accept")).data).toMatchObject({ state: "established", actions: ["exit"] });
    expect(await unread(here.clinic)).toEqual(["accept"]);
    expect((await does(here.lab, "accept")).code).toBe(refusals.relationActionNotAllowed.code);
  });

  it("is answered by itself where the other side reviews automatically, and both hear of it", async () => {
    const here = await withNone();
    await here.server.running.database.asSystem((db) =>
      sql`update institution set auto_accept_relations = true where id = ${here.lab.iid}`.execute(db),
    );
    const colleague = await here.server.person("clinicAdmin", { id: here.clinic.iid! });
    expect(await request(here)).toMatchObject({ state: "established" });
    expect([await unread(here.lab), await unread(colleague)]).toEqual([["autoAccept"], ["autoAccept"]]);
    const history = await here.lab.gets("relation.history", { iid: here.clinic.iid! });
    expect(history.map(({ action, side }) => [action, side])).toEqual([
      ["autoAccept", "system"],
      ["request", "theirs"],
    ]);
  });

  it("that is rejected tells why, and may be made again after a day", async () => {
    const here = await withNone();
    await request(here);
    await does(here.lab, "reject", "满负荷");
    expect(await seen(here.clinic)).toMatchObject({ state: "rejected", reason: "满负荷", actions: ["hide"] });
    expect((await does(here.clinic, "askAgain")).code).toBe(refusals.relationAskedLately.code);
    // The side that said no may think better of it at once.
    expect((await seen(here.lab)).actions).toEqual(["hide", "askAgain"]);
    await later(here.server, 1);
    const again = (await does(here.clinic, "askAgain")).data;
    expect(again).toMatchObject({ state: "requested", mine: true });
    expect((await here.clinic.gets("relation.list", {})).map(({ state, actions }) => [state, actions])).toEqual([
      ["requested", ["cancel", "resend"]],
      ["rejected", ["hide"]],
    ]);
  });

  it("is sent again once a day at most", async () => {
    const here = await withNone();
    await request(here);
    expect((await does(here.clinic, "resend")).code).toBe(200);
    expect(await seen(here.clinic)).toMatchObject({ state: "requested", actions: ["cancel"], version: 1 });
    expect((await does(here.clinic, "resend")).code).toBe(refusals.relationResentLately.code);
    expect((await seen(here.clinic)).version).toBe(1);
    await later(here.server, 1);
    expect((await does(here.clinic, "resend")).code).toBe(200);
  });

  it("is refused to oneself, between two clinics and beside a living one, and changes nothing", async () => {
    const here = await withNone();
    const other = await withNone();
    const ask = (who: Person, iid: string) => who.asks("relation.step", { action: "request", iid });
    expect((await ask(here.clinic, here.clinic.iid!)).code).toBe(refusals.relationSelf.code);
    expect((await ask(here.clinic, other.clinic.iid!)).code).toBe(refusals.relationNeedsTwoSides.code);
    expect((await ask(here.lab, other.lab.iid!)).code).toBe(200);
    await request(here);
    expect((await ask(here.lab, here.clinic.iid!)).code).toBe(refusals.relationExists.code);
    expect(await here.clinic.gets("relation.list", {})).toHaveLength(1);
  });
});

describe("the end of a relationship (R6 to R9)", () => {
  it("can be taken back by the side that left, within 14 days", async () => {
    const here = await world();
    await does(here.clinic, "exit", "换技工所");
    expect(await seen(here.clinic)).toMatchObject({ state: "closing", leftByUs: true, actions: ["resume"] });
    expect(await seen(here.lab)).toMatchObject({ leftByUs: false, resumeUntil: null, reason: "换技工所", actions: [] });
    expect((await does(here.lab, "resume")).code).toBe(refusals.relationActionNotAllowed.code);
    await later(here.server, 13);
    expect((await does(here.clinic, "resume")).data).toMatchObject({ state: "established", leftByUs: null });
    await does(here.clinic, "exit");
    await later(here.server, 14);
    expect(await seen(here.clinic)).toMatchObject({ state: "closing", resumeUntil: null, actions: [] });
    expect((await does(here.clinic, "resume")).code).toBe(refusals.relationActionNotAllowed.code);
  });

  it("comes with the last of two open orders, and both sides hear of it", async () => {
    const here = await world();
    const [one, two] = [await sentOrder(here), await sentOrder(here)];
    await does(here.lab, "exit");
    await steps(here.lab, one, "refuse", { reason: "no capacity" });
    expect((await seen(here.clinic)).state).toBe("closing");
    await steps(here.dentist, two, "cancel", { reason: "changed plans" });
    expect(await seen(here.clinic)).toMatchObject({ state: "ended", actions: ["hide", "askAgain"] });
    expect((await seen(here.lab)).endedAt).not.toBeNull();
    expect(await unread(here.lab)).toEqual(["settle"]);
    expect(await unread(here.clinic)).toEqual(["settle", "exit"]);
    const history = await here.clinic.gets("relation.history", { iid: here.lab.iid! });
    expect(history.map(({ action, side, who }) => [action, side, who])).toEqual([
      ["settle", "system", null],
      ["exit", "theirs", null],
    ]);
  });

  it("comes once when the last two orders end at the same time", async () => {
    const here = await world();
    const orders = await Promise.all(Array.from({ length: 6 }, () => sentOrder(here)));
    await does(here.clinic, "exit");
    await Promise.all(orders.map((order) => steps(here.lab, order, "refuse", { reason: "closing" })));
    expect((await seen(here.clinic)).state).toBe("ended");
    expect((await unread(here.clinic)).filter((action) => action === "settle")).toHaveLength(1);
  });

  it("waits for 14 days where no order was under way, and lets two processes look at once", async () => {
    const here = await world();
    await does(here.clinic, "exit");
    const { database } = here.server.running;
    await settleLeft(database);
    expect((await seen(here.clinic)).state).toBe("closing");
    await later(here.server, 15);
    await Promise.all([settleLeft(database), settleLeft(database)]);
    expect((await seen(here.clinic)).state).toBe("ended");
    expect((await unread(here.lab)).filter((action) => action === "settle")).toHaveLength(1);
  });

  it("is hidden for one side alone, and asked for again by either", async () => {
    const here = await world();
    const order = await sentOrder(here);
    await does(here.clinic, "exit");
    await steps(here.lab, order, "refuse", { reason: "closing" });
    await does(here.clinic, "hide");
    expect(await here.clinic.gets("relation.list", {})).toEqual([]);
    expect(await seen(here.lab)).toMatchObject({ state: "ended", actions: ["hide", "askAgain"] });
    expect(await here.clinic.gets("relation.history", { iid: here.lab.iid! })).toHaveLength(2);
    expect((await does(here.lab, "askAgain")).data).toMatchObject({ state: "requested", mine: true });
    expect(await seen(here.clinic)).toMatchObject({ state: "requested", actions: ["accept", "reject"] });
  });
});

describe("the network", () => {
  it("counts the open orders with each partner by whose turn it is", async () => {
    const here = await world();
    await sentOrder(here);
    const asked = await sentOrder(here);
    await steps(here.lab, asked, "requestInfo", { text: "Which shade?" });
    const done = await sentOrder(here);
    await steps(here.lab, done, "refuse", { reason: "no capacity" });
    const [ofClinic, ofLab] = [
      await here.clinic.gets("relation.network", {}),
      await here.lab.gets("relation.network", {}),
    ];
    expect(ofClinic).toMatchObject({
      own: { id: here.clinic.iid },
      partners: [{ id: here.lab.iid, type: "lab" }],
      edges: [{ from: here.clinic.iid, to: here.lab.iid, state: "established", open: 2, ours: 1, theirs: 1 }],
    });
    expect(ofLab.edges).toMatchObject([{ open: 2, ours: 1, theirs: 1 }]);
    expect((await (await world()).clinic.gets("relation.network", {})).partners).toHaveLength(1);
  });
});

describe("the terms of a relationship", () => {
  it("are set by the side that sends orders, seen by both, and by nobody else", async () => {
    const here = await world();
    const { id, version, terms } = await seen(here.clinic);
    expect(terms).toEqual({ ours: { mayForward: false }, theirs: null });
    const set = (who: Person, seenVersion = version) =>
      who.asks("relation.setTerms", { id, version: seenVersion, mayForward: true });
    expect((await set(here.lab)).code).toBe(refusals.relationActionNotAllowed.code);
    expect((await set((await world()).clinic)).code).toBe(refusals.notFound.code);
    expect((await set(here.dentist)).code).toBe(refusals.notAllowed.code);
    expect((await set(here.clinic, version + 1)).code).toBe(refusals.relationChanged.code);
    expect((await seen(here.lab)).terms.theirs).toEqual({ mayForward: false });
    expect((await set(here.clinic)).code).toBe(200);
    expect((await seen(here.lab)).terms).toEqual({ ours: null, theirs: { mayForward: true } });
  });
});
