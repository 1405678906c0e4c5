import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { goodPassword } from "../human.ts";
import { register } from "../people.ts";
import { server } from "../world.ts";
import type { TestServer } from "../world.ts";

const rounds = process.env.ARCADA_PROOF === "full" ? 250 : 10;
const browser = { "sec-fetch-site": "same-origin", origin: "http://localhost" };

/** A cookie jar and the token that one browser holds. */
interface Jar {
  cookie: string;
  token: string;
}
async function signIn(here: TestServer, account: string, cookie = ""): Promise<Jar> {
  const answer = await here.ask(
    "account.login",
    { account, password: goodPassword },
    { ...browser, ...(cookie && { cookie }) },
  );
  const set = answer.headers.getSetCookie().map((one) => one.split(";")[0]!);
  return { cookie: set.join("; "), token: answer.data.token };
}
const asks = (here: TestServer, jar: { cookie?: string; token: string }) =>
  here.ask("account.getUserInfo", {}, { ...browser, token: jar.token, ...(jar.cookie && { cookie: jar.cookie }) });
const age = (here: TestServer, seconds: number) =>
  here.running.database.asSystem((db) =>
    sql`update session set rotated_at = rotated_at - make_interval(secs => ${seconds}) where rotated_at is not null`.execute(
      db,
    ),
  );
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("T-07: a session is worth nothing to who did not begin it", () => {
  it(
    `accepts none of ${rounds * 4} stolen, fixed, replayed or ended tokens`,
    { timeout: rounds * 10_000 },
    async () => {
      const here = await server();
      const account = "owner@clinic.test";
      await register(here, account);
      let accepted = 0;
      let refused = 0;
      const count = (answer: { code: number }) => (answer.code === 200 ? (accepted += 1) : (refused += 1));
      for (let round = 0; round < rounds; round++) {
        const owner = await signIn(here, account, `sid=${"A".repeat(43)}`);
        expect((await asks(here, owner)).code).toBe(200);
        // From another cookie jar: no half, and the half of another session.
        count(await asks(here, { token: owner.token }));
        const other = await signIn(here, account);
        count(await asks(here, { token: owner.token, cookie: other.cookie }));
        // Fixation: the cookie that was there before signing in has no meaning afterwards.
        count(await asks(here, { token: owner.token, cookie: `sid=${"A".repeat(43)}` }));
        await here.ask("account.logout", {}, { ...browser, token: owner.token, cookie: owner.cookie });
        await pause(600);
        count(await asks(here, owner));
      }
      console.info(`T-07: ${refused} of ${refused + accepted} refused, ${accepted} accepted`);
      expect(accepted).toBe(0);
    },
  );

  it("ends the whole chain when a replaced token comes back after its grace", async () => {
    const here = await server();
    const clinicHouse = await here.institution("clinic");
    const manager = await here.person("clinicAdmin", clinicHouse);
    const switched = await manager.asks("institution.switch", { iid: clinicHouse.id });
    const successor = switched.data.token;
    expect((await here.ask("account.getUserInfo", {}, { token: manager.token })).code).toBe(200);
    await age(here, 61);
    await pause(600);
    expect((await here.ask("account.getUserInfo", {}, { token: manager.token })).code).toBe(50012);
    await pause(600);
    expect((await here.ask("account.getUserInfo", {}, { token: successor })).code).toBe(50012);
  });

  it("refuses a replaced token within its grace once the session has ended", async () => {
    const here = await server();
    const clinic = await here.institution("clinic");
    const manager = await here.person("clinicAdmin", clinic);
    const replaced = manager.token;
    const { token } = (await manager.asks("institution.switch", { iid: clinic.id })).data;
    expect((await here.ask("account.getUserInfo", {}, { token: replaced })).code).toBe(200);
    await here.ask("account.logout", {}, { token });
    await pause(1000);
    const answer = await here.ask("account.getUserInfo", {}, { token: replaced });
    expect(answer.code).not.toBe(200);
  });

  it("stays with whoever goes on asking, past half of its life and the end of the token that it began with", async () => {
    const here = await server();
    const person = await here.person("afterSalesAdmin");
    const first = person.token;
    await here.running.database.asSystem((db) =>
      sql`update session set created_at = now() - interval '5 hours' where user_id = ${person.uid}`.execute(db),
    );
    expect((await Promise.all([1, 2, 3].map(() => person.asks("workorder.list", {})))).map(({ code }) => code)).toEqual(
      [200, 200, 200],
    );
    expect(person.token).not.toBe(first);
    await age(here, 61);
    await pause(600);
    expect((await person.asks("workorder.list", {})).code).toBe(200);
  });

  it("outlives an event stream that was open while its token was replaced", async () => {
    const here = await server();
    const person = await here.person("clinicAdmin", await here.institution("clinic"));
    await here.running.database.asSystem((db) =>
      sql`update session set created_at = now() - interval '5 hours' where user_id = ${person.uid}`.execute(db),
    );
    const stream = await fetch(`${here.running.address}/v1/notice/stream`, { headers: { token: person.token } });
    await pause(1000);
    const renewed = await person.asks("account.getUserInfo", {});
    const successor = renewed.headers.get("new-token")!;
    expect(successor, "the stream took the new token with it").toMatch(/^[\w-]{43}$/);
    await age(here, 61);
    await pause(1500);
    expect((await here.ask("account.getUserInfo", {}, { token: successor })).code).toBe(200);
    // The stream continues with the session, whatever its current token, and ends with it.
    await here.ask("account.logout", {}, { token: successor });
    const began = performance.now();
    expect(await new Response(stream.body).text()).toContain(": open");
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it("keeps no answer in a cache", async () => {
    const here = await server();
    const person = await here.person("clinicAdmin", await here.institution("clinic"));
    for (const answer of [
      await person.asks("patient.list", {}),
      await person.asks("patient.detail", { id: person.uid }),
    ])
      expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("takes no cookie for a token", async () => {
    const here = await server();
    const account = "cookie@clinic.test";
    await register(here, account);
    const jar = await signIn(here, account);
    const bare = await here.ask(
      "account.getUserInfo",
      {},
      { ...browser, cookie: `${jar.cookie}; Admin-Token=${jar.token}` },
    );
    expect(bare.code).toBe(50008);
  });
});
