import type { Language } from "@arcada/contract/kernel/languages";
import { describe, expect, it, vi } from "vitest";
import type { TextFile } from "@arcada/texts/keys";
import { noticeKinds, noticeRules } from "@arcada/contract/notice/notice.calls";
import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import { sendOrder, takeStep } from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestUser, TestSetup } from "@arcada/testing/setup/test-server";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { mail } from "../platform/runtime/services.ts";
import { translateDynamic } from "../platform/text/texts.ts";
import { refusalOf } from "@arcada/testing/refusal-of";

const addressOf = (who: TestUser) => `${who.uid}@example.test`;
const emailsTo = async (who: TestUser) => (await mail().outbox()).filter(({ to }) => to === addressOf(who));
const kindsFor = async (who: TestUser, category: "0" | "1" | "2" | "3" = "1") =>
  (await who.call("notice.query", {})).info[category].list.map(({ kind }) => kind);
const setLanguage = (env: TestSetup, who: TestUser, language: Language) =>
  env.server.running.database.asSystem((db) =>
    db.updateTable("users").set({ language }).where("id", "=", who.uid).execute(),
  );

describe("a notice of an order event", () => {
  it("reaches its reader on site, and if it requires an action by email in the reader's language, without the patient", async () => {
    const env = await setup();
    await setLanguage(env, env.lab, "en");
    await setLanguage(env, env.dentist, "zh");
    const patientId = await createPatient(env.clinic);
    const { name } = await env.clinic.call("patient.detail", { id: patientId });
    const order = await sendOrder(env, { patientId });
    await vi.waitFor(async () => expect(await emailsTo(env.lab)).toHaveLength(1), { timeout: 10_000 });
    const [arrived] = await emailsTo(env.lab);
    expect(arrived.subject).toBe(`New order ${order.number}`);
    expect(arrived.html).toContain(`/orderDetail/page?id=${order.id}`);
    const seen = await env.lab.call("order.detail", { id: order.id });
    await takeStep(env.lab, seen, "requestInfo", { text: "Which shade?" });
    await vi.waitFor(async () => expect(await emailsTo(env.dentist)).toHaveLength(1), { timeout: 10_000 });
    const [asked] = await emailsTo(env.dentist);
    expect(asked.subject).toBe(`订单 ${order.number} 需要您补充信息`);
    for (const email of [arrived, asked]) {
      expect(JSON.stringify(email)).not.toContain(name);
      expect(JSON.stringify(email)).not.toContain("Which shade?");
    }
    expect(await kindsFor(env.lab)).toEqual(["orderArrived"]);
    expect(await kindsFor(env.dentist)).toEqual(["orderInfoAsked"]);
    // A user who works in several institutions is led to the one that has the order.
    const { info } = await env.lab.call("notice.query", {});
    expect(info["1"].first).toMatchObject({ iid: env.lab.iid, link: `/orderDetail/page?id=${order.id}` });
  });

  it("has its line in the language of the request, and the newest line of its category as the abstract", async () => {
    const env = await setup();
    const { number } = await sendOrder(env);
    const { info } = await env.lab.call("notice.query", {}, { "accept-language": "zh" });
    expect(info["1"].first).toMatchObject({ content: `收到新订单 ${number}` });
    expect([info["1"].abstract, info["2"].abstract]).toEqual([`收到新订单 ${number}`, ""]);
    const { list } = await env.lab.call("notice.list", { categoryID: 1 });
    expect(list.map(({ content }) => content)).toEqual([`New order ${number}`]);
  });

  it("states the new state of an order in words, not by its code", async () => {
    const env = await setup();
    const order = await sendOrder(env);
    const seen = await env.clinic.call("order.detail", { id: order.id });
    await takeStep(env.clinic, seen, "cancel", { reason: "Not needed any more" });
    const { info } = await env.lab.call("notice.query", {});
    expect(info["1"].abstract).toBe(`Order ${order.number} status: cancelled`);
  });

  it("reaches each of several readers by a separate email", async () => {
    const env = await setup();
    const seen = await env.lab.call("order.detail", { id: (await sendOrder(env)).id });
    await takeStep(env.lab, seen, "requestInfo", { text: "Which shade?" });
    const told = async () => Promise.all([env.dentist, env.clinic].map(async (who) => (await emailsTo(who)).length));
    await vi.waitFor(async () => expect(await told()).toEqual([1, 1]), { timeout: 10_000 });
  });

  it("follows its reader's settings: no channel, or email only", async () => {
    const env = await setup();
    for (const channel of ["site", "email"] as const)
      await env.lab.call("notice.switchConfig", { kind: "orderArrived", channel, on: false });
    await env.dentist.call("notice.switchConfig", { kind: "orderAccepted", channel: "email", on: true });
    await env.dentist.call("notice.switchConfig", { kind: "orderAccepted", channel: "site", on: false });
    const order = await sendOrder(env);
    await takeStep(env.lab, await env.lab.call("order.detail", { id: order.id }), "accept");
    await vi.waitFor(async () => expect(await emailsTo(env.dentist)).toHaveLength(1), { timeout: 10_000 });
    expect([await kindsFor(env.lab), await kindsFor(env.dentist)]).toEqual([[], []]);
    expect(await emailsTo(env.lab)).toEqual([]);
  });
});

describe("the notice settings", () => {
  it.each(["zh", "en"] as const)(
    "are named in %s, as is every notice, and every email gives the reason for sending it",
    (language) => {
      const isSaid = (file: TextFile, key: string) => translateDynamic(language, file, key, "") !== "";
      for (const kind of Object.keys(noticeKinds) as NoticeKind[]) {
        expect([kind, isSaid("notice", kind), isSaid("notice", `settings.kind.${kind}`)]).toEqual([kind, true, true]);
        if (noticeRules.emailed.includes(kind) && kind.startsWith("order"))
          expect([kind, isSaid("letter", `notice.why.${kind}`)]).toEqual([kind, true]);
      }
    },
  );

  it("exist for every kind, and notices that require an answer cannot be muted on site", async () => {
    const { dentist } = await setup();
    const before = await dentist.call("notice.configs", {});
    expect(before.map(({ kind }) => kind).toSorted()).toEqual(Object.keys(noticeKinds).toSorted());
    const refused = await dentist.ask("notice.switchConfig", { kind: "orderInfoAsked", channel: "site", on: false });
    expect(refusalOf(refused)).toBe("noticeFixed");
    expect(await dentist.call("notice.configs", {})).toEqual(before);
  });

  it("belong to one person: another user's stay unchanged", async () => {
    const { dentist, clinic } = await setup();
    const before = await clinic.call("notice.configs", {});
    const kept = await dentist.call("notice.switchConfig", { kind: "orderMoved", channel: "email", on: true });
    expect(kept).toMatchObject({ kind: "orderMoved", site: false, email: true });
    expect((await dentist.call("notice.configs", {})).find(({ kind }) => kind === "orderMoved")).toEqual(kept);
    expect(await clinic.call("notice.configs", {})).toEqual(before);
  });
});

describe("a reader", () => {
  const planted = async (env: TestSetup, who: TestUser, kind: NoticeKind, count: number) => {
    const ids = Array.from({ length: count }, (_, place) => newId(Date.now() - 100_000 + place));
    await env.server.running.database.asSystem((db) =>
      db
        .insertInto("notice")
        .values(ids.map((id) => ({ institution_id: null, id, user_id: who.uid, kind, link: null, seen_at: null })))
        .execute(),
    );
    return ids.toReversed();
  };

  it("pages through a category, newest first, and misses none", async () => {
    const env = await setup();
    const ids = await planted(env, env.dentist, "orderMoved", 45);
    await planted(env, env.dentist, "memberLeft", 3);
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await env.dentist.call("notice.list", { categoryID: 1, ...(cursor && { cursor }) });
      seen.push(...page.list.map(({ id }) => id));
      cursor = page.next;
    }
    expect(seen).toEqual(ids);
  });

  it("marks one notice as read, then the category; another user's notices stay unchanged", async () => {
    const env = await setup();
    const [one] = await planted(env, env.dentist, "orderMoved", 3);
    await planted(env, env.dentist, "memberLeft", 2);
    const [others] = await planted(env, env.clinic, "orderMoved", 1);
    const unread = async () => {
      const { info } = await env.dentist.call("notice.query", {});
      return [info["0"].unread, info["1"].unread, info["2"].unread, info["3"].unread];
    };
    await env.dentist.call("notice.watch", { categoryID: 1, id: one });
    expect(await unread()).toEqual([0, 2, 2, 0]);
    await env.dentist.call("notice.watch", { categoryID: 1, id: others });
    await env.dentist.call("notice.watch", { categoryID: 1 });
    expect(await unread()).toEqual([0, 0, 2, 0]);
    expect((await env.clinic.call("notice.query", {})).info["1"].unread).toBe(1);
  });
});

describe("a preset of notices", () => {
  it.each([
    ["waits", { orderArrived: [true, true], memberJoined: [false, false], studyReady: [true, false] }],
    ["mine", { orderAccepted: [true, false], memberJoined: [false, false], roleChanged: [true, true] }],
    ["quiet", { orderToDecide: [false, false], orderInfoAsked: [true, false], filesDamaged: [true, true] }],
    ["everything", { orderArrived: [true, true], memberJoined: [true, true] }],
  ] as const)("%s sets the switches of every kind", async (preset, expected) => {
    const { clinic } = await setup();
    expect(await clinic.call("notice.preset", { preset })).toEqual({ preset, mail: "now", isChosen: true });
    const configs = await clinic.call("notice.configs", {});
    for (const [kind, [site, email]] of Object.entries(expected))
      expect(configs.find((one) => one.kind === kind)).toMatchObject({ kind, site, email });
    expect(configs.filter(({ fixed, site }) => fixed && !site)).toEqual([]);
  });

  it("is left by a single switch, and the other switches stay as it had them", async () => {
    const { clinic } = await setup();
    await clinic.call("notice.preset", { preset: "quiet" });
    await clinic.call("notice.switchConfig", { kind: "memberJoined", channel: "site", on: true });
    expect(await clinic.call("notice.preferences", {})).toMatchObject({ preset: "custom" });
    const configs = await clinic.call("notice.configs", {});
    expect(configs.filter(({ kind }) => ["memberJoined", "orderToDecide"].includes(kind))).toMatchObject([
      { kind: "orderToDecide", site: false },
      { kind: "memberJoined", site: true },
    ]);
  });

  it("that counts only what waits lists the rest as read", async () => {
    const env = await setup();
    const order = await sendOrder(env);
    await takeStep(env.lab, await env.lab.call("order.detail", { id: order.id }), "accept");
    const { list, unread } = await env.dentist.call("notice.groups", {});
    expect([unread, list.map(({ notice, unread: isUnread }) => [notice.kind, isUnread])]).toEqual([
      0,
      [["orderAccepted", false]],
    ]);
  });

  it("of one's own cases leaves out the orders for which others answer", async () => {
    const env = await setup();
    for (const who of [env.clinic, env.dentist]) await who.call("notice.preset", { preset: "mine" });
    const order = await sendOrder(env);
    await takeStep(env.lab, await env.lab.call("order.detail", { id: order.id }), "refuse", {
      reason: "no time",
      reasonCode: "capacity",
    });
    expect([await kindsFor(env.clinic), await kindsFor(env.dentist)]).toEqual([[], ["orderMoved"]]);
  });
});
