import { sql } from "kysely";
import { expect, it } from "vitest";
import type { Relation } from "@arcada/contract/relation/relation.calls";
import { mail } from "../platform/runtime/services.ts";
import { sentOrder, steps } from "../../../../tests/orders.ts";
import { world } from "../../../../tests/world.ts";
import type { Person } from "../../../../tests/world.ts";

const subjectsTo = async (who: Person): Promise<string[]> =>
  (await mail().outbox())
    .filter((letter) => letter.to.includes(who.uid))
    .toReversed()
    .map((letter) => letter.subject ?? "");
const textTo = async (who: Person, subject: RegExp) =>
  (await mail().outbox()).find((letter) => letter.to.includes(who.uid) && subject.test(letter.subject ?? ""))!;

it("each step is written to the other side's managers, in their own language, with the reason and without a patient", async () => {
  const here = await world({ related: false });
  const { clinic, lab, dentist, server } = here;
  await server.running.database.asSystem(async (db) => {
    await sql`update users set language = 'zh' where id = ${clinic.uid}`.execute(db);
    await sql`update users set language = 'en' where id = ${lab.uid}`.execute(db);
  });
  const [[own], [other]] = [
    await clinic.gets("institution.search", { text: (await clinic.gets("institution.detail", {})).number }),
    await clinic.gets("institution.search", { text: (await lab.gets("institution.detail", {})).number }),
  ];
  const does = async (who: Person, action: Relation["actions"][number], reason?: string) => {
    const [seen] = await who.gets("relation.list", {});
    await who.gets("relation.step", { id: seen!.id, version: seen!.version, action, ...(reason && { reason }) });
  };
  await lab.gets("relation.step", { action: "request", iid: clinic.iid! });
  await does(clinic, "reject", "暂时不需要");
  await clinic.gets("relation.step", { action: "request", iid: lab.iid! });
  await does(lab, "accept");
  const order = await sentOrder(here);
  await does(lab, "exit", "We move <b>away</b>");
  await does(lab, "resume");
  await does(lab, "exit");
  await steps(lab, order, "refuse", { reason: "王小明 is not known here" });
  await expect.poll(async () => (await subjectsTo(clinic)).length, { timeout: 15_000 }).toBeGreaterThanOrEqual(6);
  const [names, theirs] = [own!.name, other!.name];
  const toClinic = (await subjectsTo(clinic)).filter((subject) => subject.includes(theirs));
  expect(toClinic.toSorted()).toEqual(
    [
      `${theirs} 申请与 ${names} 合作`,
      `${theirs} 已接受与 ${names} 的合作`,
      `${theirs} 退出与 ${names} 的合作`,
      `${theirs} 已恢复与 ${names} 的合作`,
      `${theirs} 退出与 ${names} 的合作`,
      `${names} 与 ${theirs} 的合作已结束`,
    ].toSorted(),
  );
  const toLab = (await subjectsTo(lab)).filter((subject) => subject.includes(names) && subject.includes(theirs));
  expect(toLab.toSorted()).toEqual(
    [
      `${names} rejected the request to work with ${theirs}`,
      `${names} would like to work with ${theirs}`,
      `The relationship between ${theirs} and ${names} has ended`,
    ].toSorted(),
  );
  expect((await textTo(lab, /rejected/)).text).toContain("Their message: 暂时不需要");
  const left = (await mail().outbox()).filter((letter) => letter.subject === `${theirs} 退出与 ${names} 的合作`);
  expect(left.some(({ html }) => html?.includes("We move &lt;b&gt;away&lt;/b&gt;"))).toBe(true);
  const all = (await mail().outbox()).filter((letter) => /合作|work with|relationship/.test(letter.subject ?? ""));
  expect(JSON.stringify(all)).not.toContain("王小明");
  expect((await subjectsTo(dentist)).filter((subject) => subject.includes(theirs))).toEqual([]);
});
