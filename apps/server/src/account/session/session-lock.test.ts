import { sql } from "kysely";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { register } from "@arcada/testing/fixtures/account-registration";
import { getTestServer } from "@arcada/testing/setup/test-server";
import { mail } from "../../platform/runtime/services.ts";
import { findValidSessions } from "./session-validity.ts";
import type { TestServer } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const browser = { "sec-fetch-site": "same-origin", origin: "http://localhost" };
let env: TestServer;
let count = 0;
beforeAll(async () => {
  env = await getTestServer({ IDLE_MINUTES: "30" });
});

/** A browser in which a user is signed in. */
async function signedIn(account = `lock${(count += 1)}.${process.pid}@clinic.test`, cookie = "") {
  if (!cookie) await register(env, account);
  const headers = { ...browser, ...(cookie && { cookie }) };
  const entered = await env.ask("account.login", { account, password: goodPassword }, headers);
  const jar = entered.headers.getSetCookie().map((one) => one.split(";")[0]);
  return { account, headers: { ...browser, token: entered.data.token, cookie: jar.join("; ") } };
}
type Browser = Awaited<ReturnType<typeof signedIn>>;
const asks = ({ headers }: Browser) => env.ask("account.sessions", {}, headers);
/** Moves the server's clock, as far as this account's sessions know it. A read session is trusted for half a second. */
async function idle({ account }: Browser, minutes: number) {
  await env.running.database.asSystem((db) =>
    sql`update session set seen_at = seen_at - make_interval(mins => ${minutes}::int)
      where user_id = (select user_id from contact where value = ${account})`.execute(db),
  );
  await pause(600);
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("a browser's session that nobody touches", () => {
  it("answers nothing but who it is of and a sign-out, once its idle time is over", async () => {
    const one = await signedIn();
    await idle(one, 20);
    expect((await asks(one)).code).toBe(200);
    await idle(one, 20);
    expect(refusalOf(await asks(one))).toBe("sessionLocked");
    const bind = { account: "thief@elsewhere.test", code: "123456" };
    expect(refusalOf(await env.ask("account.setContactInfo", bind, one.headers))).toBe("sessionLocked");
    // A touch comes too late.
    expect(refusalOf(await env.ask("account.touchSession", {}, one.headers))).toBe("sessionLocked");
    expect((await env.ask("account.getUserInfo", {}, one.headers)).data.email).toBe(one.account);
    expect((await env.ask("account.logout", {}, one.headers)).code).toBe(200);
  });

  it("is not kept awake by what a page asks on its own, and is by a touch", async () => {
    const one = await signedIn();
    await idle(one, 20);
    for (let at = 0; at < 3; at++) await asks(one);
    const stream = await fetch(`${env.address}/v1/notice/stream`, { headers: one.headers });
    await idle(one, 20);
    expect(refusalOf(await asks(one))).toBe("sessionLocked");
    const began = performance.now();
    expect(await new Response(stream.body).text()).toContain(": open");
    expect(performance.now() - began).toBeLessThan(5000);

    const other = await signedIn();
    await idle(other, 20);
    expect((await env.ask("account.touchSession", {}, other.headers)).code).toBe(200);
    await idle(other, 20);
    expect((await asks(other)).code).toBe(200);
  });

  it("continues as the same session when its owner signs in again, and never with its old token", async () => {
    const one = await signedIn();
    const before = present((await asks(one)).data.find(({ current }) => current));
    // The addresses of files and images are valid as long as this is true.
    const flows = async () => (await findValidSessions(env.running.database)([before.id])).has(before.id);
    expect(await flows()).toBe(true);
    expect((await env.ask("account.lockSession", {}, one.headers)).code).toBe(200);
    expect(await flows()).toBe(false);
    await pause(600);
    expect(refusalOf(await asks(one))).toBe("sessionLocked");
    const again = await signedIn(one.account, one.headers.cookie);
    expect((await asks(again)).data.filter(({ kind }) => kind === "browser")).toHaveLength(1);
    expect(present((await asks(again)).data.find(({ current }) => current)).id).not.toBe(before.id);
    expect(await flows()).toBe(true);
    await pause(600);
    expect((await asks(one)).code).not.toBe(200);
  });

  it("keeps the addresses that its pages hold, for the browser that was unlocked alone", async () => {
    const one = await signedIn();
    const headerImg = (
      await sharp({ create: { width: 80, height: 80, channels: 3, background: "teal" } })
        .png()
        .toBuffer()
    ).toString("base64");
    const { data } = await env.ask("account.setSelfInfo", { headerImg }, one.headers);
    const shown = async ({ headers: { cookie } }: Browser) =>
      (await fetch(env.address + present(data.headerImg, "headerImg"), { headers: { cookie } })).status;
    expect(await shown(one)).toBe(200);
    await env.ask("account.lockSession", {}, one.headers);
    await pause(600);
    expect(await shown(one)).toBe(403);
    const again = await signedIn(one.account, one.headers.cookie);
    await pause(600);
    expect([await shown(again), await shown(one)]).toEqual([200, 403]);
  });

  it("ends its event stream when it is locked, and no session of another browser", async () => {
    const one = await signedIn();
    const other = await signedIn(one.account, "other=1");
    const streams = await Promise.all(
      [one, other].map(({ headers }) => fetch(`${env.address}/v1/notice/stream`, { headers })),
    );
    const ended = streams.map(({ body }) => new Response(body).text().then(() => "ended"));
    await env.ask("account.lockSession", {}, one.headers);
    const still = pause(2500).then(() => "flows");
    expect(await Promise.race([ended[0], still])).toBe("ended");
    expect(await Promise.race([ended[1], still])).toBe("flows");
    expect((await asks(other)).code).toBe(200);
    await env.ask("account.logout", {}, other.headers);
  });
});

it("a locked session finishes an upload that was begun, and begins none", async () => {
  const person = await env.createUser("clinicAdmin", await env.createInstitution("clinic"));
  await env.running.database.asSystem((db) =>
    sql`update session set kind = 'browser' where user_id = ${person.uid}`.execute(db),
  );
  const tus = { token: person.token, "tus-resumable": "1.0.0" };
  const begin = () =>
    fetch(`${env.address}/uploads`, {
      method: "POST",
      headers: { ...tus, "upload-length": "4", "upload-metadata": `filename ${btoa("a.txt")}` },
    });
  const begun = await begin();
  expect(begun.status).toBe(201);
  await person.call("account.lockSession", {});
  await pause(600);
  const sent = await fetch(new URL(present(begun.headers.get("location"), "location"), env.address), {
    method: "PATCH",
    headers: { ...tus, "upload-offset": "0", "content-type": "application/offset+octet-stream" },
    body: "here",
  });
  expect([sent.status, (await begin()).status]).toEqual([204, 401]);
});

it("leaves the sessions of programs without an idle time", async () => {
  const account = `lock${(count += 1)}.${process.pid}@clinic.test`;
  const token = await register(env, account);
  const one = { account, headers: { ...browser, token, cookie: "" } };
  await idle(one, 300);
  expect((await env.ask("account.sessions", {}, { token })).code).toBe(200);
});

it("a changed password ends the owner's other sessions and notifies the owner by email", async () => {
  const one = await signedIn();
  const other = await signedIn(one.account, "other=1");
  const change = { oldPassword: goodPassword, password: "an evening by the sea", confirm: "an evening by the sea" };
  expect((await env.ask("account.changePassword", change, one.headers)).code).toBe(200);
  await pause(600);
  expect(refusalOf(await asks(other))).toBe("signedOutElsewhere");
  const told = async () =>
    (await mail().outbox()).some(({ to, text }) => to === one.account && text.includes("Your password was changed"));
  await expect.poll(told, { timeout: 20_000 }).toBe(true);
});

it("a sign-in with another browser ends no session, and both sessions are listed", async () => {
  const one = await signedIn();
  const other = await signedIn(one.account, "other=1");
  await pause(600);
  expect((await asks(one)).data.filter(({ kind }) => kind === "browser")).toHaveLength(2);
  expect((await asks(other)).code).toBe(200);
});
