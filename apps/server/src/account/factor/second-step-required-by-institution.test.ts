import { sql } from "kysely";
import { describe, beforeEach, expect, it } from "vitest";
import { factorRules } from "@arcada/contract/factor/factor.rules";
import { FactorUser, requireSecondStep } from "@arcada/testing/fixtures/factor-user";
import { SoftwareAuthenticator } from "@arcada/testing/peers/software-authenticator";
import { getTestServer, type TestServer } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

let env: TestServer;
let user: FactorUser;
let count = 0;
beforeEach(async () => {
  env = await getTestServer();
  user = await FactorUser.register(env, `required${(count += 1)}.${process.pid}@clinic.test`);
});

describe("an organisation that requires two steps", () => {
  it("is open to a member after the first passkey, which is required after the password from then on", async () => {
    const house = await env.createInstitution("clinic");
    await env.running.database.asSystem(async (db) => {
      await sql`update institution set require_factor = true where id = ${house.id}`.execute(db);
      await sql`insert into membership (id, institution_id, user_id, authority_id, state)
        select gen_random_uuid(), ${house.id}, user_id, 233, 'normal' from contact where value = ${user.account}`.execute(
        db,
      );
    });
    const key = new SoftwareAuthenticator(env.address);
    const options = (await env.ask("factor.passkeyStart", {}, { token: user.token })).data;
    const added = await env.ask(
      "factor.passkeyAdd",
      { name: "Laptop", response: key.createCredential(options) },
      { token: user.token },
    );
    expect(added.data.recovery).toHaveLength(factorRules.recoveryCodes);
    user.followToken(added);
    expect((await user.list()).passkeySecond).toBe(true);
    expect(requireSecondStep(await user.signIn()).factors).toEqual(["passkey", "recovery"]);
    user.followToken(await env.ask("institution.switch", { iid: house.id }, { token: user.token }));
  });

  it("is closed to a member with one step until the second is set up, and the member is notified of that", async () => {
    const house = await env.createInstitution("clinic");
    const member = await env.createUser("clinicMember", house);
    await env.running.database.asSystem((db) =>
      sql`update institution set require_factor = true where id = ${house.id}`.execute(db),
    );
    expect(refusalOf(await member.ask("patient.list", {}))).toBe("factorRequired");
    expect(await member.call("account.getUserInfo", {})).toMatchObject({ factorRequired: true });
    const upload = await fetch(`${env.address}/uploads`, {
      method: "POST",
      headers: { token: member.token, "tus-resumable": "1.0.0", "upload-length": "1" },
    });
    expect(upload.status).toBe(403);
    user = new FactorUser(env, "", member.token);
    expect((await user.list()).required).toBe(true);
    await user.addApp();
    member.token = user.token;
    expect((await member.ask("patient.list", {})).code).toBe(200);
    expect(await member.call("account.getUserInfo", {})).toMatchObject({ factorRequired: false });
  });
});
