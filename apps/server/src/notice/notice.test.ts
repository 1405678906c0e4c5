import { describe, expect, it, vi } from "vitest";
import { noticeKinds, noticeRules } from "@arcada/contract/notice/notice.calls";
import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import { sentOrder, steps } from "../../../../tests/orders.ts";
import { newPatient } from "../../../../tests/uploads.ts";
import { world } from "../../../../tests/world.ts";
import type { Person, World } from "../../../../tests/world.ts";
import { newId } from "../platform/runtime/ids.ts";
import { mail } from "../platform/runtime/services.ts";
import { textOf } from "../platform/text/texts.ts";

const addressOf = (who: Person) => `${who.uid}@example.test`;
const lettersTo = async (who: Person) => (await mail().outbox()).filter(({ to }) => to === addressOf(who));
const kindsFor = async (who: Person, category: "0" | "1" | "2" | "3" = "1") =>
  (await who.gets("notice.query", {})).info[category].list.map(({ kind }) => kind);
const speaks = (here: World, who: Person, language: string) =>
  here.server.running.database.asSystem((db) =>
    db.updateTable("users").set({ language }).where("id", "=", who.uid).execute(),
  );

describe("what happens to an order", () => {
  it("comes to its reader on site, and by e-mail in the reader's language where it asks for something, without the patient", async () => {
    const here = await world();
    await speaks(here, here.lab, "en");
    await speaks(here, here.dentist, "zh");
    const patientId = await newPatient(here.clinic);
    const { name } = await here.clinic.gets("patient.detail", { id: patientId });
    const order = await sentOrder(here, { patientId });
    await vi.waitFor(async () => expect(await lettersTo(here.lab)).toHaveLength(1), { timeout: 10_000 });
    const [arrived] = await lettersTo(here.lab);
    expect(arrived!.subject).toBe(`New order ${order.number}`);
    expect(arrived!.html).toContain(`/orderDetail/page?id=${order.id}`);
    const seen = await here.lab.gets("order.detail", { id: order.id });
    await steps(here.lab, seen, "requestInfo", { text: "Which shade?" });
    await vi.waitFor(async () => expect(await lettersTo(here.dentist)).toHaveLength(1), { timeout: 10_000 });
    const [asked] = await lettersTo(here.dentist);
    expect(asked!.subject).toBe(`订单 ${order.number} 需要您补充信息`);
    for (const letter of [arrived, asked]) {
      expect(JSON.stringify(letter)).not.toContain(name);
      expect(JSON.stringify(letter)).not.toContain("Which shade?");
    }
    expect(await kindsFor(here.lab)).toEqual(["orderArrived"]);
    expect(await kindsFor(here.dentist)).toEqual(["orderInfoAsked"]);
    // A user who works in several institutions is led to the one that has the order.
    const { info } = await here.lab.gets("notice.query", {});
    expect(info["1"].first).toMatchObject({ iid: here.lab.iid, link: `/orderDetail/page?id=${order.id}` });
  });

  it("carries its line in the language that the request asks for, and the newest line of its category as the abstract", async () => {
    const here = await world();
    const { number } = await sentOrder(here);
    const { info } = await here.lab.gets("notice.query", {}, { "accept-language": "zh" });
    expect(info["1"].first).toMatchObject({ content: `收到新订单 ${number}` });
    expect([info["1"].abstract, info["2"].abstract]).toEqual([`收到新订单 ${number}`, ""]);
    const { list } = await here.lab.gets("notice.list", { categoryID: 1 });
    expect(list.map(({ content }) => content)).toEqual([`New order ${number}`]);
  });

  it("says the state that an order moved to in words, not by its name", async () => {
    const here = await world();
    const order = await sentOrder(here);
    const seen = await here.clinic.gets("order.detail", { id: order.id });
    await steps(here.clinic, seen, "cancel", { reason: "Not needed any more" });
    const { info } = await here.lab.gets("notice.query", {});
    expect(info["1"].abstract).toBe(`Order ${order.number} status: cancelled`);
  });

  it("comes to each of several by a letter of their own", async () => {
    const here = await world();
    const seen = await here.lab.gets("order.detail", { id: (await sentOrder(here)).id });
    await steps(here.lab, seen, "requestInfo", { text: "Which shade?" });
    const told = async () => Promise.all([here.dentist, here.clinic].map(async (who) => (await lettersTo(who)).length));
    await vi.waitFor(async () => expect(await told()).toEqual([1, 1]), { timeout: 10_000 });
  });

  it("comes as its reader has chosen: neither way, and by e-mail alone", async () => {
    const here = await world();
    for (const channel of ["site", "email"] as const)
      await here.lab.gets("notice.switchConfig", { kind: "orderArrived", channel, on: false });
    await here.dentist.gets("notice.switchConfig", { kind: "orderAccepted", channel: "email", on: true });
    await here.dentist.gets("notice.switchConfig", { kind: "orderAccepted", channel: "site", on: false });
    const order = await sentOrder(here);
    await steps(here.lab, await here.lab.gets("order.detail", { id: order.id }), "accept");
    await vi.waitFor(async () => expect(await lettersTo(here.dentist)).toHaveLength(1), { timeout: 10_000 });
    expect([await kindsFor(here.lab), await kindsFor(here.dentist)]).toEqual([[], []]);
    expect(await lettersTo(here.lab)).toEqual([]);
  });
});

describe("the switches", () => {
  it.each(["zh", "en"] as const)(
    "are named in %s, as is every notice, and every letter says why it came",
    (language) => {
      const isSaid = (file: string, key: string) => textOf(language, file, key) !== key;
      for (const kind of Object.keys(noticeKinds) as NoticeKind[]) {
        expect([kind, isSaid("notice", kind), isSaid("notice", `settings.kind.${kind}`)]).toEqual([kind, true, true]);
        if (noticeRules.emailed.includes(kind) && kind.startsWith("order"))
          expect([kind, isSaid("letter", `notice.why.${kind}`)]).toEqual([kind, true]);
      }
    },
  );

  it("stand for every kind, and what waits for an answer cannot be muted on site", async () => {
    const { dentist } = await world();
    const before = await dentist.gets("notice.configs", {});
    expect(before.map(({ kind }) => kind).toSorted()).toEqual(Object.keys(noticeKinds).toSorted());
    const refused = await dentist.asks("notice.switchConfig", { kind: "orderInfoAsked", channel: "site", on: false });
    expect(refused.code).toBe(42260);
    expect(await dentist.gets("notice.configs", {})).toEqual(before);
  });

  it("belong to one person: another's stay as they were", async () => {
    const { dentist, clinic } = await world();
    const before = await clinic.gets("notice.configs", {});
    const kept = await dentist.gets("notice.switchConfig", { kind: "orderMoved", channel: "email", on: true });
    expect(kept).toMatchObject({ kind: "orderMoved", site: true, email: true });
    expect((await dentist.gets("notice.configs", {})).find(({ kind }) => kind === "orderMoved")).toEqual(kept);
    expect(await clinic.gets("notice.configs", {})).toEqual(before);
  });
});

describe("a reader", () => {
  const planted = async (here: World, who: Person, kind: NoticeKind, count: number) => {
    const ids = Array.from({ length: count }, (_, place) => newId(Date.now() - 100_000 + place));
    await here.server.running.database.asSystem((db) =>
      db
        .insertInto("notice")
        .values(ids.map((id) => ({ institution_id: null, id, user_id: who.uid, kind, link: null, seen_at: null })))
        .execute(),
    );
    return ids.toReversed();
  };

  it("turns the pages of a category, newest first, and misses none", async () => {
    const here = await world();
    const ids = await planted(here, here.dentist, "orderMoved", 45);
    await planted(here, here.dentist, "memberLeft", 3);
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await here.dentist.gets("notice.list", { categoryID: 1, ...(cursor && { cursor }) });
      seen.push(...page.list.map(({ id }) => id));
      cursor = page.next;
    }
    expect(seen).toEqual(ids);
  });

  it("marks one as read, then the category; another's are not touched", async () => {
    const here = await world();
    const [one] = await planted(here, here.dentist, "orderMoved", 3);
    await planted(here, here.dentist, "memberLeft", 2);
    const [others] = await planted(here, here.clinic, "orderMoved", 1);
    const unread = async () => {
      const { info } = await here.dentist.gets("notice.query", {});
      return [info["0"].unread, info["1"].unread, info["2"].unread, info["3"].unread];
    };
    await here.dentist.gets("notice.watch", { categoryID: 1, id: one! });
    expect(await unread()).toEqual([0, 2, 2, 0]);
    await here.dentist.gets("notice.watch", { categoryID: 1, id: others! });
    await here.dentist.gets("notice.watch", { categoryID: 1 });
    expect(await unread()).toEqual([0, 0, 2, 0]);
    expect((await here.clinic.gets("notice.query", {})).info["1"].unread).toBe(1);
  });
});
