import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { register } from "@arcada/testing/fixtures/account-registration";
import { getTestServer, type TestServer } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const rounds = process.env.ARCADA_PROOF === "full" ? 250 : 10;
const browser = { "sec-fetch-site": "same-origin", origin: "http://localhost" };

/** A cookie jar and the token that one browser holds. */
interface Jar {
  cookie: string;
  token: string;
}
async function signIn(testServer: TestServer, account: string, cookie = ""): Promise<Jar> {
  const answer = await testServer.ask(
    "account.login",
    { account, password: goodPassword },
    { ...browser, ...(cookie && { cookie }) },
  );
  const set = answer.headers.getSetCookie().map((one) => one.split(";")[0]);
  return { cookie: set.join("; "), token: answer.data.token };
}
const listPatients = (testServer: TestServer, jar: { cookie?: string; token: string }) =>
  testServer.ask(
    "account.getUserInfo",
    {},
    { ...browser, token: jar.token, ...(jar.cookie && { cookie: jar.cookie }) },
  );
const ageSessions = (testServer: TestServer, seconds: number) =>
  testServer.running.database.asSystem((db) =>
    sql`update session set rotated_at = rotated_at - make_interval(secs => ${seconds}) where rotated_at is not null`.execute(
      db,
    ),
  );
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("T-07: a session, which is worthless to anyone who did not begin it", () => {
  it(
    `accepts none of ${rounds * 4} stolen, fixed, replayed or ended tokens`,
    { timeout: rounds * 10_000 },
    async () => {
      const testServer = await getTestServer();
      const account = "owner@clinic.test";
      await register(testServer, account);
      let accepted = 0;
      let refused = 0;
      const count = (answer: { code: number }) => (answer.code === 200 ? (accepted += 1) : (refused += 1));
      for (let round = 0; round < rounds; round++) {
        const owner = await signIn(testServer, account, `sid=${"A".repeat(43)}`);
        expect((await listPatients(testServer, owner)).code).toBe(200);
        // From another cookie jar: no half, and the half of another session.
        count(await listPatients(testServer, { token: owner.token }));
        const other = await signIn(testServer, account);
        count(await listPatients(testServer, { token: owner.token, cookie: other.cookie }));
        // Fixation: the cookie that was there before signing in has no meaning afterwards.
        count(await listPatients(testServer, { token: owner.token, cookie: `sid=${"A".repeat(43)}` }));
        await testServer.ask("account.logout", {}, { ...browser, token: owner.token, cookie: owner.cookie });
        await pause(600);
        count(await listPatients(testServer, owner));
      }
      console.info(`T-07: ${refused} of ${refused + accepted} refused, ${accepted} accepted`);
      expect(accepted).toBe(0);
    },
  );

  it("ends the whole chain when a replaced token comes back after its grace", async () => {
    const testServer = await getTestServer();
    const clinicInstitution = await testServer.createInstitution("clinic");
    const manager = await testServer.createUser("clinicAdmin", clinicInstitution);
    const switched = await manager.ask("institution.switch", { iid: clinicInstitution.id });
    const successor = switched.data.token;
    expect((await testServer.ask("account.getUserInfo", {}, { token: manager.token })).code).toBe(200);
    await ageSessions(testServer, 61);
    await pause(600);
    expect(refusalOf(await testServer.ask("account.getUserInfo", {}, { token: manager.token }))).toBe(
      "signedOutElsewhere",
    );
    await pause(600);
    expect(refusalOf(await testServer.ask("account.getUserInfo", {}, { token: successor }))).toBe("signedOutElsewhere");
  });

  it("refuses a replaced token within its grace once the session has ended", async () => {
    const testServer = await getTestServer();
    const clinic = await testServer.createInstitution("clinic");
    const manager = await testServer.createUser("clinicAdmin", clinic);
    const replaced = manager.token;
    const { token } = (await manager.ask("institution.switch", { iid: clinic.id })).data;
    expect((await testServer.ask("account.getUserInfo", {}, { token: replaced })).code).toBe(200);
    await testServer.ask("account.logout", {}, { token });
    await pause(1000);
    const answer = await testServer.ask("account.getUserInfo", {}, { token: replaced });
    expect(answer.code).not.toBe(200);
  });

  it("stays valid for an active user, past half of its lifetime and the end of its first token", async () => {
    const testServer = await getTestServer();
    const person = await testServer.createUser("afterSalesAdmin");
    const first = person.token;
    await testServer.running.database.asSystem((db) =>
      sql`update session set created_at = now() - interval '5 hours' where user_id = ${person.uid}`.execute(db),
    );
    expect((await Promise.all([1, 2, 3].map(() => person.ask("workorder.list", {})))).map(({ code }) => code)).toEqual([
      200, 200, 200,
    ]);
    expect(person.token).not.toBe(first);
    await ageSessions(testServer, 61);
    await pause(600);
    expect((await person.ask("workorder.list", {})).code).toBe(200);
  });

  it("outlives an event stream that was open while its token was replaced", async () => {
    const testServer = await getTestServer();
    const person = await testServer.createUser("clinicAdmin", await testServer.createInstitution("clinic"));
    await testServer.running.database.asSystem((db) =>
      sql`update session set created_at = now() - interval '5 hours' where user_id = ${person.uid}`.execute(db),
    );
    const stream = await fetch(`${testServer.address}/v1/notice/stream`, { headers: { token: person.token } });
    await pause(1000);
    const renewed = await person.ask("account.getUserInfo", {});
    const successor = present(renewed.headers.get("new-token"), "new-token");
    expect(successor, "the stream took the new token with it").toMatch(/^[\w-]{43}$/);
    await ageSessions(testServer, 61);
    await pause(1500);
    expect((await testServer.ask("account.getUserInfo", {}, { token: successor })).code).toBe(200);
    // The stream continues with the session, whatever its current token, and ends with it.
    await testServer.ask("account.logout", {}, { token: successor });
    const began = performance.now();
    expect(await new Response(stream.body).text()).toContain(": open");
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it("keeps no answer in a cache", async () => {
    const testServer = await getTestServer();
    const person = await testServer.createUser("clinicAdmin", await testServer.createInstitution("clinic"));
    for (const answer of [await person.ask("patient.list", {}), await person.ask("patient.detail", { id: person.uid })])
      expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("accepts no cookie as a token", async () => {
    const testServer = await getTestServer();
    const account = "cookie@clinic.test";
    await register(testServer, account);
    const jar = await signIn(testServer, account);
    const bare = await testServer.ask(
      "account.getUserInfo",
      {},
      { ...browser, cookie: `${jar.cookie}; Admin-Token=${jar.token}` },
    );
    expect(refusalOf(bare)).toBe("unknownSession");
  });
});
