import { describe, expect, it } from "vitest";
import { crownOrderInput, sendOrder, takeStep } from "@arcada/testing/fixtures/orders";
import { refusalOf } from "@arcada/testing/refusal-of";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestUser } from "@arcada/testing/setup/test-server";
import { publish } from "../platform/events/events.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { studyReady } from "../study/study.events.ts";

const kindsFor = async (who: TestUser) => (await who.call("notice.query", {})).info["1"].list.map(({ kind }) => kind);

describe("groups of notices", () => {
  it("hold all notices of an order, with what is to be done at the head", async () => {
    const env = await setup();
    const sent = await sendOrder(env);
    await takeStep(env.lab, await env.lab.call("order.detail", { id: sent.id }), "requestInfo", { text: "Shade?" });
    await sendOrder(env);
    const { list, unread, todo } = await env.lab.call("notice.groups", {});
    expect([unread, todo, list.length]).toEqual([1, 1, 2]);
    const asked = await env.dentist.call("notice.groups", { which: "todo" });
    expect(asked.list).toMatchObject([{ orderId: sent.id, waits: true, notice: { kind: "orderInfoAsked" } }]);
  });

  it("are no longer to be done once the reader's side has done it, and wait for the other side", async () => {
    const env = await setup();
    const sent = await sendOrder(env);
    const asked = await takeStep(env.lab, await env.lab.call("order.detail", { id: sent.id }), "requestInfo", {
      text: "Shade?",
    });
    const kindsToDo = async (who: TestUser) =>
      (await who.call("notice.groups", { which: "todo" })).list.map(({ notice }) => notice.kind);
    expect([await kindsToDo(env.lab), await kindsToDo(env.dentist)]).toEqual([[], ["orderInfoAsked"]]);
    const { patientId: _, targetIid: __, ...prescription } = crownOrderInput("", null);
    await takeStep(env.dentist, asked, "supplyInfo", { text: "A2", prescription });
    expect([await kindsToDo(env.lab), await kindsToDo(env.dentist)]).toEqual([["orderAnswered"], []]);
  });

  it("grow with the images of one upload and stay read", async () => {
    const env = await setup();
    const [patientId, job] = [newId(), newId()];
    const arrive = () =>
      env.server.running.database.asSystem((db) =>
        publish(db, studyReady, {
          studyId: newId(),
          patientId,
          job,
          institution: env.clinic.iid,
          user: env.dentist.uid,
          kind: "photo",
          again: false,
          sent: false,
        }),
      );
    for (let image = 0; image < 9; image++) await arrive();
    const groups = async () => (await env.dentist.call("notice.groups", {})).list;
    expect(await groups()).toMatchObject([
      { patientId, unread: true, notices: 1, notice: { count: 9, content: "9 images are ready" } },
    ]);
    await env.dentist.call("notice.markRead", { topic: `images:${patientId}:${job}` });
    await arrive();
    expect(await groups()).toMatchObject([{ unread: false, notice: { count: 10 } }]);
  });

  it("are paged by their newest notice, and none is missed", async () => {
    const env = await setup();
    const topics = Array.from({ length: 45 }, (_, place) => `test:${String(place).padStart(2, "0")}`);
    await env.server.running.database.asSystem((db) =>
      db
        .insertInto("notice")
        .values(
          topics.map((topic, place) => ({
            institution_id: null,
            id: newId(),
            user_id: env.dentist.uid,
            kind: "orderMoved" as const,
            link: null,
            seen_at: null,
            topic,
            changed_at: new Date(Date.UTC(2026, 0, 1) - Math.floor(place / 2) * 60_000).toISOString(),
          })),
        )
        .execute(),
    );
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await env.dentist.call("notice.groups", cursor ? { cursor } : {});
      seen.push(...page.list.map(({ topic }) => topic));
      cursor = page.next;
    }
    expect(seen.toSorted()).toEqual(topics);
    await env.dentist.call("notice.markRead", {});
    expect((await env.dentist.call("notice.groups", {})).unread).toBe(0);
  });
});

describe("a mention", () => {
  it("notifies the person on the other side, whatever the preset except quiet", async () => {
    const env = await setup();
    const order = await sendOrder(env);
    const people = await env.designer.call("order.people", { id: order.id });
    expect(people.map(({ id }) => id).toSorted()).toEqual(
      [env.lab, env.dentist, env.clinic].map(({ uid }) => uid).toSorted(),
    );
    await env.dentist.call("notice.preset", { preset: "mine" });
    await env.clinic.call("notice.preset", { preset: "quiet" });
    const sent = await env.designer.call("order.message", {
      id: order.id,
      text: `@${env.dentist.name} please look`,
      mentions: [env.dentist.uid, env.clinic.uid],
    });
    expect(sent.mentions).toEqual([env.dentist.name, env.clinic.name]);
    const seen = await env.dentist.call("order.detail", { id: order.id });
    expect(seen.messages[0]?.mentions.toSorted()).toEqual([env.dentist.name, env.clinic.name].toSorted());
    expect([await kindsFor(env.dentist), await kindsFor(env.clinic)]).toEqual([["orderMentioned"], []]);
  });

  it("of somebody who cannot see the order is refused", async () => {
    const [env, there] = [await setup(), await setup()];
    const order = await sendOrder(env);
    const refused = await env.dentist.ask("order.message", { id: order.id, text: "@x", mentions: [there.dentist.uid] });
    expect(refusalOf(refused)).toBe("badInput");
    expect(refusalOf(await there.dentist.ask("order.people", { id: order.id }))).toBe("notFound");
  });
});
