import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import {
  setPeriodEnd,
  issueCards,
  passTime,
  readAllowance,
  subscribe,
  activateCard,
} from "@arcada/testing/fixtures/capacity";
import { sendOrder } from "@arcada/testing/fixtures/orders";
import { getTestServer, setup, type TestUser, type TestServer } from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { reserveQuota } from "../analysis/runs/quota-reservation.store.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { advanceCapacity } from "./start-and-expire-periods.ts";
import { refusalOf } from "@arcada/testing/refusal-of";

let env: TestServer;
let operator: AnyTestUser;
beforeAll(async () => {
  env = await getTestServer();
  operator = await env.createUser("operator");
});
const advanceClock = () => advanceCapacity(env.running.database);
const period = async (who: TestUser) => (await who.call("capacity.subscriptions", {})).periods[0];
const listNoticeKinds = async (who: AnyTestUser): Promise<string[]> =>
  (await who.call("notice.query", {})).info["0"].list
    .map(({ kind }) => kind as string)
    .filter((kind) => kind.startsWith("capacity"));
const day = 86_400;

describe("a subscription (C3 to C9)", () => {
  it("begins only when the operator confirms the payment", async () => {
    const { clinic } = await setup();
    const request = await clinic.call("capacity.subscribe", { plan: "small-month" });
    expect(request).toMatchObject({ state: "waiting", kind: "subscribe", gigabytes: 50 });
    expect(refusalOf(await clinic.ask("capacity.subscribe", { plan: "small-month" }))).toBe("capacityAsked");
    expect(await listNoticeKinds(operator)).toContain("capacityAsked");
    expect(refusalOf(await clinic.ask("capacity.confirmPayment", { id: request.id, paid: true }))).toBe("notAllowed");
    await advanceClock();
    expect(await readAllowance(clinic)).toEqual([5, 20]);
    const confirm = () => operator.ask("capacity.confirmPayment", { id: request.id, paid: true });
    const outcomes = (await Promise.all([confirm(), confirm(), confirm()])).map(refusalOf);
    expect(outcomes.filter((outcome) => outcome === "accepted")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "capacityActionNotAllowed")).toHaveLength(2);
    expect(await readAllowance(clinic)).toEqual([55, 120]);
    expect(await period(clinic)).toMatchObject({ state: "in_effect", autoRenew: true, actions: ["unsubscribe"] });
    expect(await listNoticeKinds(clinic)).toEqual(["capacityBegun"]);
  });

  it("without a payment is declined with a reason or cancelled, and adds nothing", async () => {
    const { clinic } = await setup();
    const one = await clinic.call("capacity.subscribe", { plan: "small-month" });
    await operator.call("capacity.confirmPayment", { id: one.id, paid: false, reason: "no such account" });
    expect((await clinic.call("capacity.subscriptions", {})).payments[0]).toMatchObject({
      state: "declined",
      reason: "no such account",
    });
    expect(await listNoticeKinds(clinic)).toEqual(["capacityDeclined"]);
    const two = await clinic.call("capacity.subscribe", { plan: "small-month" });
    const stranger = (await setup()).clinic;
    expect(refusalOf(await stranger.ask("capacity.withdraw", { id: two.id }))).toBe("notFound");
    await clinic.call("capacity.withdraw", { id: two.id });
    expect(refusalOf(await operator.ask("capacity.confirmPayment", { id: two.id, paid: true }))).toBe(
      "capacityActionNotAllowed",
    );
    expect(await readAllowance(clinic)).toEqual([5, 20]);
  });

  it("T-08: paid in advance counts from its first second, whether or not a job has run by then", async () => {
    const { clinic } = await setup();
    const startsAt = new Date(Date.now() + 10 * day * 1000).toISOString();
    const { id } = await clinic.call("capacity.subscribe", { plan: "small-month", startsAt });
    await operator.call("capacity.confirmPayment", { id, paid: true });
    expect(await period(clinic)).toMatchObject({ state: "subscribed", counts: false, actions: [] });
    const { id: made } = await period(clinic);
    await setPeriodEnd(env, { id: made }, 30 * day + 1);
    await advanceClock();
    expect([(await period(clinic)).state, await readAllowance(clinic)]).toEqual(["subscribed", [5, 20]]);
    await setPeriodEnd(env, { id: made }, 30 * day - 1);
    expect(await readAllowance(clinic)).toEqual([55, 120]);
    await advanceClock();
    expect(await period(clinic)).toMatchObject({ state: "in_effect", counts: true });
    expect(
      refusalOf(await clinic.ask("capacity.subscribe", { plan: "large-month", startsAt: "2099-01-01T00:00:00Z" })),
    ).toBe("capacityTooFar");
  });

  it("is renewed from the old end if it is paid within its last fourteen days, with a new quota of analyses", async () => {
    const { clinic } = await setup();
    const { id } = await subscribe(clinic, operator);
    const waits = async () => (await period(clinic)).paymentWaits;
    await setPeriodEnd(env, { id }, 14 * day + 1);
    await advanceClock();
    expect(await waits()).toBe(false);
    await setPeriodEnd(env, { id }, 14 * day - 1);
    await advanceClock();
    await advanceClock();
    expect(await waits()).toBe(true);
    expect(await listNoticeKinds(clinic)).toEqual(["capacityRenewal", "capacityBegun"]);
    const before = await period(clinic);
    const { payments } = await clinic.call("capacity.subscriptions", {});
    const renewal = payments.filter(({ state }) => state === "waiting");
    expect(renewal).toHaveLength(1);
    expect(refusalOf(await clinic.ask("capacity.withdraw", { id: renewal[0].id }))).toBe("capacityActionNotAllowed");
    await operator.call("capacity.confirmPayment", { id: renewal[0].id, paid: true });
    const after = await period(clinic);
    expect(Date.parse(after.expiresAt) - Date.parse(before.expiresAt)).toBe(30 * day * 1000);
    await consumeQuota(clinic, 500);
    expect(await clinic.call("capacity.analyses", {})).toMatchObject({ noi: 500, total: 520 });
    await passTime(env, clinic.iid, 14 * day);
    expect(await clinic.call("capacity.analyses", {})).toMatchObject({ noi: 0, total: 520 });
  });

  it("lasts until its end when it is unsubscribed, and can be resumed before the end and renewed after it", async () => {
    const { clinic } = await setup();
    const { id, version } = await subscribe(clinic, operator);
    const other = (await setup()).clinic;
    expect(refusalOf(await other.ask("capacity.unsubscribe", { id, version }))).toBe("notFound");
    expect(refusalOf(await clinic.ask("capacity.unsubscribe", { id, version: version + 1 }))).toBe("capacityChanged");
    const left = await clinic.call("capacity.unsubscribe", { id, version });
    expect(left).toMatchObject({ state: "unsubscribed", autoRenew: false, counts: true, actions: ["resubscribe"] });
    expect((await clinic.call("capacity.resubscribe", { id, version: left.version })).state).toBe("in_effect");
    await clinic.call("capacity.unsubscribe", { id, version: left.version + 1 });
    await setPeriodEnd(env, { id }, 10 * day);
    await advanceClock();
    expect((await clinic.call("capacity.subscriptions", {})).payments.map(({ kind }) => kind)).toEqual(["subscribe"]);
    await setPeriodEnd(env, { id }, -1);
    expect(refusalOf(await clinic.ask("capacity.resubscribe", { id, version: left.version + 2 }))).toBe(
      "capacityActionNotAllowed",
    );
    await advanceClock();
    const over = await period(clinic);
    expect(over).toMatchObject({ state: "expired", actions: ["renewLate"] });
    const { id: payment } = await clinic.call("capacity.renewLate", { id, version: over.version });
    expect(await readAllowance(clinic)).toEqual([5, 20]);
    await operator.call("capacity.confirmPayment", { id: payment, paid: true });
    expect(await period(clinic)).toMatchObject({ id, state: "in_effect", autoRenew: true, unsubscribedAt: null });
    expect(await readAllowance(clinic)).toEqual([205, 520]);
  });
});

describe("the end of capacity (C8)", () => {
  it("T-08: is announced thirty, seven and one days before and on the day, each once; then the quota returns to its base", async () => {
    const { clinic } = await setup();
    const [card] = await issueCards(operator, 1);
    const { id } = (await activateCard(clinic, card)).data;
    const told = async (seconds: number) => {
      await setPeriodEnd(env, { id }, seconds);
      await Promise.all([advanceClock(), advanceClock()]);
      await advanceClock();
      return (await listNoticeKinds(clinic)).filter((kind) => kind !== "capacityBegun");
    };
    const [ending, ended] = ["capacityEnding", "capacityEnded"];
    expect(await told(30 * day + 60)).toEqual([]);
    expect(await told(30 * day - 1)).toEqual([ending]);
    expect(await told(7 * day + 60)).toEqual([ending]);
    expect(await told(7 * day - 1)).toEqual([ending, ending]);
    expect(await told(day + 60)).toEqual([ending, ending]);
    expect(await told(day - 1)).toEqual([ending, ending, ending]);
    await setPeriodEnd(env, { id }, 2);
    expect(await readAllowance(clinic)).toEqual([55, 120]);
    await setPeriodEnd(env, { id }, -1);
    expect(await readAllowance(clinic)).toEqual([5, 20]);
    expect(await told(-1)).toEqual([ended, ending, ending, ending]);
    expect((await clinic.call("capacity.activations", {}))[0]).toMatchObject({ state: "expired", actions: [] });
    expect((await operator.call("capacity.cards", { search: card.number })).list[0]).toMatchObject({
      state: "expired",
    });
  });

  it("blocks only uploads while more is stored than allowed: reading, downloading and ordering continue", async () => {
    const at = await setup();
    const { clinic } = at;
    const { id } = await subscribe(clinic, operator);
    const file = await clinic.upload("scan.stl", new Uint8Array(300).fill(1));
    await storeBytes(clinic, 100 * 1024 ** 3);
    expect((await clinic.call("capacity.storage", {})).percent).toBeCloseTo(48.78, 1);
    await setPeriodEnd(env, { id }, -1);
    await advanceClock();
    expect(await clinic.call("capacity.storage", {})).toMatchObject({ percent: 2000, totalSize: 100, maxSize: 5 });
    const refused = await fetch(`${env.address}/uploads`, {
      method: "POST",
      headers: { token: clinic.token, "tus-resumable": "1.0.0", "upload-length": "10", "accept-language": "en" },
    });
    expect([refused.status, await refused.text()]).toEqual([507, expect.stringContaining("Nothing is lost")]);
    // Existing data is still there, and an order can proceed.
    expect(await storedBytes(clinic)).toBe(1);
    expect(file).toBeTruthy();
    expect((await sendOrder(at)).state).toBe("pending");
  });
});

describe("the remaining capacity", () => {
  it("admits one of twenty concurrent uploads, from the total of cards and the free base", async () => {
    const { clinic } = await setup();
    const [card] = await issueCards(operator, 1, { gigabytes: 1 });
    await activateCard(clinic, card);
    await storeBytes(clinic, 6 * 1024 ** 3 - 1500);
    const begin = () =>
      fetch(`${env.address}/uploads`, {
        method: "POST",
        headers: { token: clinic.token, "tus-resumable": "1.0.0", "upload-length": "1000" },
      });
    const statuses = (await Promise.all(Array.from({ length: 20 }, begin))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 507)).toHaveLength(19);
  });

  it("of analyses is used in order of expiry, and the free base last", async () => {
    const { clinic } = await setup();
    const [long, short] = [
      await issueCards(operator, 1, { days: 90, analyses: 10 }),
      await issueCards(operator, 1, { days: 60, analyses: 10 }),
    ];
    const first = (await activateCard(clinic, long[0])).data;
    const second = (await activateCard(clinic, short[0])).data;
    await Promise.all(Array.from({ length: 15 }, () => consumeQuota(clinic, 1)));
    expect(await clinic.call("capacity.analyses", {})).toMatchObject({ noi: 15, total: 40 });
    await setPeriodEnd(env, second, -1);
    expect(await clinic.call("capacity.analyses", {})).toMatchObject({ noi: 5, total: 30 });
    await Promise.all(Array.from({ length: 40 }, () => consumeQuota(clinic, 1).catch(() => null)));
    expect(await clinic.call("capacity.analyses", {})).toMatchObject({ noi: 30, total: 30, percent: 100 });
    await setPeriodEnd(env, first, -1);
    expect(await clinic.call("capacity.analyses", {})).toMatchObject({ noi: 20, total: 20 });
  });
});

const consumeQuota = async (clinic: TestUser, count: number): Promise<void> => {
  await env.running.database.asSystem((db) => reserveQuota(db, clinic.iid, newId(), count));
};
const storeBytes = (clinic: TestUser, bytes: number) =>
  env.running.database.asSystem((db) =>
    sql`insert into stored_file (institution_id, sha256, bytes) values (${clinic.iid}, ${"0".repeat(64)}, ${bytes})`.execute(
      db,
    ),
  );
const storedBytes = async (clinic: TestUser): Promise<number> =>
  (
    await env.running.database.asSystem((db) =>
      sql<{
        count: number;
      }>`select count(*)::int as count from stored_file where institution_id = ${clinic.iid}`.execute(db),
    )
  ).rows[0].count;
