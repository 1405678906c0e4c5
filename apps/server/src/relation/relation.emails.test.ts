import { sql } from "kysely";
import { expect, it } from "vitest";
import type { Relation } from "@arcada/contract/relation/relation.calls";
import { mail } from "../platform/runtime/services.ts";
import { sendOrder, takeStep } from "@arcada/testing/fixtures/orders";
import { setup, type TestUser } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";

const emailSubjectsTo = async (who: TestUser): Promise<string[]> =>
  (await mail().outbox())
    .filter((email) => email.to.includes(who.uid))
    .toReversed()
    .map((email) => email.subject ?? "");
const emailTextTo = async (who: TestUser, subject: RegExp) =>
  present((await mail().outbox()).find((email) => email.to.includes(who.uid) && subject.test(email.subject ?? "")));

it("each step is written to the other side's managers, in their own language, with the reason and without a patient", async () => {
  const env = await setup({ related: false });
  const { clinic, lab, dentist, server } = env;
  await server.running.database.asSystem(async (db) => {
    await sql`update users set language = 'zh' where id = ${clinic.uid}`.execute(db);
    await sql`update users set language = 'en' where id = ${lab.uid}`.execute(db);
  });
  const [[own], [other]] = [
    await clinic.call("institution.search", { text: (await clinic.call("institution.detail", {})).number }),
    await clinic.call("institution.search", { text: (await lab.call("institution.detail", {})).number }),
  ];
  const does = async (who: TestUser, action: Relation["actions"][number], reason?: string) => {
    const [seen] = await who.call("relation.list", {});
    await who.call("relation.step", { id: seen.id, version: seen.version, action, ...(reason && { reason }) });
  };
  await lab.call("relation.step", { action: "request", iid: clinic.iid });
  await does(clinic, "reject", "暂时不需要");
  await clinic.call("relation.step", { action: "request", iid: lab.iid });
  await does(lab, "accept");
  const order = await sendOrder(env);
  await does(lab, "exit", "We move <b>away</b>");
  await does(lab, "resume");
  await does(lab, "exit");
  await takeStep(lab, order, "refuse", { reason: "王小明 is not known here" });
  const [names, theirs] = [own.name, other.name];
  const expectRelationEmails = async (who: TestUser, subjects: string[]): Promise<void> => {
    const readSubjects = async () =>
      (await emailSubjectsTo(who)).filter((subject) => subject.includes(names) && subject.includes(theirs)).toSorted();
    await expect.poll(readSubjects, { timeout: 15_000 }).toEqual(subjects.toSorted());
  };
  await expectRelationEmails(clinic, [
    `${theirs} 申请与 ${names} 合作`,
    `${theirs} 已接受与 ${names} 的合作`,
    `${theirs} 退出与 ${names} 的合作`,
    `${theirs} 已恢复与 ${names} 的合作`,
    `${theirs} 退出与 ${names} 的合作`,
    `${names} 与 ${theirs} 的合作已结束`,
  ]);
  await expectRelationEmails(lab, [
    `${names} rejected the request to work with ${theirs}`,
    `${names} would like to work with ${theirs}`,
    `The relationship between ${theirs} and ${names} has ended`,
  ]);
  expect((await emailTextTo(lab, /rejected/)).text).toContain("Their message: 暂时不需要");
  const left = (await mail().outbox()).filter((email) => email.subject === `${theirs} 退出与 ${names} 的合作`);
  expect(left.some(({ html }) => html?.includes("We move &lt;b&gt;away&lt;/b&gt;"))).toBe(true);
  const all = (await mail().outbox()).filter((email) => /合作|work with|relationship/.test(email.subject ?? ""));
  expect(JSON.stringify(all)).not.toContain("王小明");
  expect((await emailSubjectsTo(dentist)).filter((subject) => subject.includes(theirs))).toEqual([]);
});
