import { sql } from "kysely";
import { expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import { emailRules } from "@arcada/contract/notice/notice.calls";
import { relationRules } from "@arcada/contract/relation/relation.lifecycle";
import { newDigits } from "../platform/runtime/ids-and-secrets.ts";
import { countEmail } from "../platform/mail/message-limits.ts";
import { mail } from "../platform/runtime/services.ts";
import { register } from "@arcada/testing/fixtures/account-registration";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestServer, TestSetup } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

const address = (): string => `partner-${newDigits(8)}@example.test`;
const institution = async ({ server, lab }: TestSetup, type: "clinic" | "lab", email: string) => {
  const token = await register(server, email);
  const made = await server.ask("institution.create", { name: `New ${type}`, type, country: "CN" }, { token });
  expect(made.code).toBe(200);
  const moved = made.headers.get("new-token") ?? token;
  return { id: made.data.id, list: async () => (await server.ask("relation.list", {}, { token: moved })).data, lab };
};
async function emailTo(to: string, title: RegExp) {
  for (let tries = 0; tries < 100; tries++) {
    const letter = (await mail().outbox()).find((one) => one.to.includes(to) && title.test(one.subject ?? ""));
    if (letter) return letter;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no letter to ${to}`);
}
const setLanguage = ({ running }: TestServer, uid: string, language: string) =>
  running.database.asSystem((db) => sql`update users set language = ${language} where id = ${uid}`.execute(db));

it("an invitation reaches an unregistered person by email in the inviter's language, and the request waits for the organisation that they found", async () => {
  const env = await setup();
  const email = address();
  await setLanguage(env.server, env.lab.uid, "en");
  const invited = await env.lab.call("relation.invite", { email: email.toUpperCase(), name: "Dr. Lin" });
  expect(invited).toMatchObject({ email, name: "Dr. Lin" });
  const letter = await emailTo(email, /invites you/);
  expect(letter.text).toContain("/register");
  expect(letter.text).toContain("30 days");
  const founded = await institution(env, "clinic", email);
  expect(await founded.list()).toMatchObject([
    { state: "requested", mine: false, other: { id: env.lab.iid }, actions: ["accept", "reject"] },
  ]);
  expect(await env.lab.call("relation.invitations", {})).toEqual([]);
  expect((await env.lab.call("relation.list", {}))[0]).toMatchObject({
    state: "requested",
    other: { id: founded.id },
  });
});

it("an invitation tells an account holder in their own language where to find the inviter, and reveals no account to the inviter", async () => {
  const env = await setup();
  const other = await setup();
  await setLanguage(env.server, other.clinic.uid, "zh");
  const answer = await env.lab.call("relation.invite", { email: `${other.clinic.uid}@example.test` });
  const letter = await emailTo(other.clinic.uid, /邀请您/);
  expect(letter.text).toMatch(/\/relationWeb\/page\?find=\d{8}/);
  expect(Object.keys(answer).toSorted()).toEqual(["email", "id", "name", "time", "validUntil"]);
});

it("an invitation is sent once per address, and brings no request after it is withdrawn", async () => {
  const env = await setup();
  const email = address();
  const { id } = await env.lab.call("relation.invite", { email });
  expect(refusalOf(await env.lab.ask("relation.invite", { email }))).toBe("relationInvitedAlready");
  expect(refusalOf(await env.clinic.ask("relation.withdraw", { id }))).toBe("notFound");
  expect((await env.designer.call("relation.invitations", {})).map((one) => one.email)).toEqual([email]);
  await env.lab.call("relation.withdraw", { id });
  expect(await (await institution(env, "clinic", email)).list()).toEqual([]);
});

it("invitations are limited to 20 a day, also when they are sent concurrently", async () => {
  const env = await setup();
  const answers = await Promise.all(
    Array.from({ length: relationRules.maxInvitesPerDay + 4 }, () =>
      env.lab.ask("relation.invite", { email: address() }),
    ),
  );
  const outcomes = answers.map(refusalOf);
  expect(outcomes.filter((outcome) => outcome === "accepted")).toHaveLength(relationRules.maxInvitesPerDay);
  expect(outcomes.filter((outcome) => outcome === "relationInvitedTooMany")).toHaveLength(4);
  expect(await env.lab.call("relation.invitations", {})).toHaveLength(relationRules.maxInvitesPerDay);
});

it("an invitation from a clinic waits until a laboratory is founded, since two clinics cannot connect", async () => {
  const env = await setup();
  const email = address();
  await env.clinic.call("relation.invite", { email });
  expect(await (await institution(env, "clinic", email)).list()).toEqual([]);
  expect(await env.clinic.call("relation.invitations", {})).toHaveLength(1);
});

it("an address receives few emails a day from all organisations together, whether or not it has an account", async () => {
  const [one, other] = [await setup(), await setup()];
  const known = address();
  await register(one.server, known);
  for (const email of [known, address()]) {
    expect((await one.clinic.ask("member.invite", { email, name: "", authorityId: 233 })).code, "first").toBe(200);
    for (let count = 1; count < emailRules.maxPerDayAndAddress; count++)
      await one.server.running.database.asSystem((db) => countEmail(db, email.toUpperCase()));
    const refused = [
      await other.clinic.ask("relation.invite", { email, name: "" }),
      await other.clinic.ask("member.invite", { email, name: "", authorityId: 233 }),
    ];
    for (const answer of refused)
      expect(answer).toMatchObject({ code: refusals.recipientFull.code, data: { email: "recipientFull" } });
    expect(await other.clinic.call("relation.invitations", {})).toEqual([]);
  }
});
