import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestUser, TestServer, TestSetup } from "@arcada/testing/setup/test-server";
import { newId, newSecret, secretHash } from "../../platform/runtime/ids-and-secrets.ts";
import { refusalOf } from "@arcada/testing/refusal-of";

const mailOf = (who: TestUser) => `${who.uid}@example.test`;
const redeem = (env: TestServer, code: string) => env.ask("account.exchange", { code });
const change = (env: TestServer, what: ReturnType<typeof sql>) =>
  env.running.database.asSystem((db) => what.execute(db));

/** Makes an API key of an institution, as its manager would. */
async function keyOf(
  { server }: TestSetup,
  manager: TestUser,
  scopes = ["launch"],
): Promise<{ id: string; secret: string }> {
  const [id, secret] = [newId(), `arcada_${newSecret()}`];
  await server.running.database.asSystem(async (db) => {
    await db.insertInto("users").values({ id, nick_name: "Practice software" }).execute();
    await sql`insert into api_key (institution_id, id, name, begins, token_hash, scopes, created_by)
      values (${manager.iid}, ${id}, 'Practice software', ${secret.slice(0, 12)}, ${secretHash(secret)}, ${scopes}, ${manager.uid})`.execute(
      db,
    );
  });
  return { id, secret };
}
const launch = ({ server }: TestSetup, secret: string, user?: string) =>
  server.ask("launch.code", { user }, { authorization: `Bearer ${secret}` });
/** A clinic with a key that may launch, and a dentist who allowed it. */
async function ready() {
  const env = await setup();
  await env.dentist.call("member.allowLaunch", { on: true });
  return { here: env, key: await keyOf(env, env.clinic) };
}

describe("a code that a session makes for itself", () => {
  it("opens a session of the same person in the same organisation, once", async () => {
    const { dentist, server } = await setup();
    const { code, expiresIn } = await dentist.call("account.exchangeCode", {});
    expect(expiresIn).toBe(60);
    const { data } = await redeem(server, code);
    const me = await server.ask("account.getUserInfo", {}, { token: data.token });
    expect(me.data).toMatchObject({ id: dentist.uid, iid: dentist.iid, roles: ["clinicMember"] });
    expect(refusalOf(await redeem(server, code))).toBe("exchangeSpent");
  });

  it("is worth nothing after a minute, and nothing once the session that made it has ended", async () => {
    const { dentist, clinic, server } = await setup();
    const old = await dentist.call("account.exchangeCode", {});
    await change(server, sql`update ticket set expires_at = now() where target = ${dentist.uid}`);
    expect(refusalOf(await redeem(server, old.code))).toBe("exchangeSpent");
    const { code } = await clinic.call("account.exchangeCode", {});
    await clinic.call("account.logout", {});
    expect(refusalOf(await redeem(server, code))).toBe("exchangeSpent");
  });

  it("is made by a person for nobody else", async () => {
    const { dentist, clinic } = await setup();
    await dentist.call("member.allowLaunch", { on: true });
    expect(refusalOf(await clinic.ask("launch.code", { user: dentist.uid }))).toBe("launchNotAllowed");
  });
});

describe("a code that a program makes for a member", () => {
  it("opens a session of a member who allowed it, named by id or e-mail address", async () => {
    const { here: env, key } = await ready();
    for (const user of [env.dentist.uid, mailOf(env.dentist)]) {
      const { data } = await launch(env, key.secret, user);
      const { token } = (await redeem(env.server, data.code)).data;
      const me = await env.server.ask("account.getUserInfo", {}, { token });
      expect(me.data).toMatchObject({ id: env.dentist.uid, iid: env.dentist.iid });
    }
  });

  it("is refused for who did not allow it, for another organisation's member, and for nobody", async () => {
    const { here: env, key } = await ready();
    const elsewhere = await setup();
    await elsewhere.dentist.call("member.allowLaunch", { on: true });
    for (const user of [env.clinic.uid, elsewhere.dentist.uid, mailOf(elsewhere.dentist), newId()])
      expect(refusalOf(await launch(env, key.secret, user))).toBe("launchNotAllowed");
    expect(refusalOf(await launch(env, key.secret))).toBe("badInput");
  });

  it("is refused for who works elsewhere too, or for the platform", async () => {
    const { here: env, key } = await ready();
    for (const iid of [env.lab.iid, null]) {
      await change(
        env.server,
        sql`insert into membership (id, institution_id, user_id, authority_id, state) values (${newId()}, ${iid}, ${env.dentist.uid}, ${iid ? 667 : 701}, 'normal')`,
      );
      expect(refusalOf(await launch(env, key.secret, env.dentist.uid))).toBe("launchNotAllowed");
      await change(
        env.server,
        sql`delete from membership where user_id = ${env.dentist.uid} and authority_id in (667, 701)`,
      );
    }
    expect((await launch(env, key.secret, env.dentist.uid)).code).toBe(200);
  });

  it("is refused to a key without the scope", async () => {
    const { here: env } = await ready();
    const other = await keyOf(env, env.clinic, ["orders.read"]);
    expect(refusalOf(await launch(env, other.secret, env.dentist.uid))).toBe("keyScopeMissing");
  });

  it("is rejected if the key was revoked, the member left or the member withdrew the permission meanwhile", async () => {
    for (const undo of ["key", "member", "allowed"] as const) {
      const { here: env, key } = await ready();
      const { code } = (await launch(env, key.secret, env.dentist.uid)).data;
      if (undo === "key") await change(env.server, sql`update api_key set revoked_at = now() where id = ${key.id}`);
      if (undo === "member")
        await change(env.server, sql`update membership set state = 'deleted' where user_id = ${env.dentist.uid}`);
      if (undo === "allowed") await env.dentist.call("member.allowLaunch", { on: false });
      expect(refusalOf(await redeem(env.server, code)), undo).toBe("exchangeSpent");
    }
  });

  it("does not replace the second step at sign-in", async () => {
    const { here: env, key } = await ready();
    await change(
      env.server,
      sql`insert into totp (user_id, sealed, confirmed_at) values (${env.dentist.uid}, 'x', now())`,
    );
    const { code } = (await launch(env, key.secret, env.dentist.uid)).data;
    expect(refusalOf(await redeem(env.server, code))).toBe("factorNeeded");
  });
});

it("a code does not open a browser's session that was locked", async () => {
  const { dentist, server } = await setup();
  const sid = newSecret();
  await change(
    server,
    sql`insert into session (id, user_id, chain, token_hash, sid_hash, kind, institution_id, authority_id, locked_at, expires_at)
      values (${newId()}, ${dentist.uid}, ${newId()}, ${secretHash(newSecret())}, ${secretHash(sid)}, 'browser', ${dentist.iid}, 233, now(), now() + interval '1 hour')`,
  );
  const { code } = await dentist.call("account.exchangeCode", {});
  const answer = await server.ask("account.exchange", { code }, { cookie: `sid=${sid}` });
  expect(refusalOf(answer)).toBe("sessionLocked");
  expect(refusalOf(await redeem(server, code))).toBe("exchangeSpent");
});
