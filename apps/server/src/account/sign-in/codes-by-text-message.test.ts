import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { smsRules } from "@arcada/contract/notice/notice.calls";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { passHumanCheck } from "@arcada/testing/fixtures/account-registration";
import { SmsPeer } from "@arcada/testing/peers/sms-peer";
import { refusalOf } from "@arcada/testing/refusal-of";
import { getTestServer } from "@arcada/testing/setup/test-server";
import { queueEmails } from "../../platform/mail/email-queue.ts";
import { jobs } from "../../platform/runtime/services.ts";

const dailyLimit = 60;
const peer = new SmsPeer();
beforeAll(async () => {
  await peer.start();
  await getTestServer({ SMS_URL: peer.url, SMS_DAILY_LIMIT: String(dailyLimit) });
});
afterAll(() => peer.stop());
beforeEach(async () => {
  peer.received.length = 0;
  peer.respond = () => ({ status: 200 });
  const { running } = await getTestServer();
  await running.database.asSystem(async (db) => {
    await sql`delete from letter_count`.execute(db);
    await sql`delete from verification`.execute(db);
  });
});

let count = 0;
const aNumber = () => `1390000${String((count += 1)).padStart(4, "0")}`;
const requestCode = async (account: string) => {
  const env = await getTestServer();
  return env.ask("account.sendCode", { account, purpose: "register", human: await passHumanCheck(env) });
};
const findCode = () => peer.messages.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0])[0] ?? "";
const dayCounts = async (sent: number) => {
  const { running } = await getTestServer();
  await running.database.asSystem((db) => sql`update letter_count set sent = ${sent}`.execute(db));
};
/** No message waits or is being sent, so none will be sent again. */
const allDone = async () => {
  const none = { waiting: 0, active: 0 };
  const count = async () => (await jobs().counts()).find(({ name }) => name === "letter") ?? none;
  await expect.poll(count, { timeout: 30_000 }).toMatchObject(none);
};
const forgetCodes = async () => {
  const { running } = await getTestServer();
  await running.database.asSystem((db) => sql`delete from verification`.execute(db));
};

describe("a code by text message", () => {
  it("registers a phone number, whose owner then only binds an email address", async () => {
    const env = await getTestServer();
    const account = aNumber();
    expect((await requestCode(account)).code).toBe(200);
    expect(peer.messages.map(({ to }) => to)).toEqual([`+86${account}`]);
    const { ticket } = (await env.ask("account.registerVerify", { account, code: findCode() })).data;
    const { token } = (
      await env.ask("account.register", {
        ticket,
        password: goodPassword,
        confirm: goodPassword,
        intendedRole: "dentist",
        nickName: "Lin",
        nation: "CN",
        agree: true,
      })
    ).data;
    expect((await env.ask("account.getUserInfo", {}, { token })).data).toMatchObject({ initStatus: 1, country: "CN" });
  });

  it("that the provider refuses is not repeated, and the person is told", async () => {
    peer.respond = () => ({ status: 400, body: "not a mobile number" });
    expect(refusalOf(await requestCode(aNumber()))).toBe("textRefused");
    await allDone();
    expect(peer.received).toHaveLength(1);
  });

  it.each([500, 429] as const)(
    "is repeated with the same id after %i, and arrives",
    async (status) => {
      peer.respond = (_, nth) => ({ status: nth < 3 ? status : 200 });
      expect((await requestCode(aNumber())).code).toBe(200);
      await expect.poll(() => peer.received.length, { timeout: 30_000 }).toBe(3);
      expect(new Set(peer.messages.map(({ id, text }) => id + text)).size).toBe(1);
    },
    40_000,
  );

  it("waits while the provider is away", async () => {
    peer.stop();
    expect((await requestCode(aNumber())).code).toBe(200);
    await peer.start();
    await expect.poll(() => peer.received.length, { timeout: 30_000 }).toBe(1);
  }, 40_000);

  it("does not hold up the page while the provider is silent", async () => {
    peer.respond = (_, nth) => (nth === 1 ? "never" : { status: 200 });
    const began = Date.now();
    expect((await requestCode(aNumber())).code).toBe(200);
    expect(Date.now() - began).toBeLessThan(8000);
    await expect.poll(() => peer.received.length, { timeout: 30_000 }).toBe(2);
    expect(new Set(peer.messages.map(({ id }) => id)).size).toBe(1);
  }, 40_000);

  it("that expired while the provider failed is not sent any more", async () => {
    const env = await getTestServer();
    peer.respond = () => ({ status: 500 });
    const until = new Date(Date.now() + 4000).toISOString();
    const code = { to: "+8613900009999", language: "en", name: "code", channel: "sms", until } as const;
    await env.running.database.asSystem((db) => queueEmails(db, [{ ...code, values: { code: "654321", minutes: 5 } }]));
    await expect.poll(() => peer.received.length, { timeout: 10_000 }).toBeGreaterThan(0);
    // An attempt that began in time has ended a second later.
    await expect.poll(() => Date.now() - Date.parse(until), { timeout: 10_000 }).toBeGreaterThan(1000);
    const attempts = peer.received.length;
    peer.respond = () => ({ status: 200 });
    await allDone();
    expect(peer.received.length).toBe(attempts);
  }, 60_000);
});

describe("the daily limits of text messages", () => {
  it("end the codes to one number, whoever asks", async () => {
    const account = aNumber();
    expect((await requestCode(account)).code).toBe(200);
    await dayCounts(smsRules.maxPerDayAndNumber);
    await forgetCodes();
    expect(refusalOf(await requestCode(account))).toBe("codeTooMany");
    expect((await requestCode(aNumber())).code, "another number").toBe(200);
    expect(peer.received).toHaveLength(2);
  });

  it("end all codes when the installation's limit is reached", async () => {
    expect((await requestCode(aNumber())).code).toBe(200);
    await dayCounts(dailyLimit);
    expect(refusalOf(await requestCode(aNumber()))).toBe("textsFull");
    expect(peer.received).toHaveLength(1);
  });
});

it("without a mail server, a code by email is refused with the reason", async () => {
  expect(refusalOf(await requestCode("nobody@clinic.test"))).toBe("emailNotOffered");
});
