import { sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, it } from "vitest";
import type { FactorNeeded } from "@arcada/contract/factor/factor.calls";
import { factorRules } from "@arcada/contract/factor/factor.rules";
import { accountRules } from "@arcada/contract/account/account.rules";
import { mail } from "../../platform/runtime/services.ts";
import { SoftwareAuthenticator } from "@arcada/testing/peers/software-authenticator";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { register } from "@arcada/testing/fixtures/registration";
import { getTestServer, type Answer, type TestServer } from "@arcada/testing/setup/setup";
import { present } from "@arcada/testing/present";
import { refusalOf } from "@arcada/testing/refusal-of";

let env: TestServer;
let account: string;
let token: string;
let count = 0;
beforeEach(async () => {
  env = await getTestServer();
  account = `factor${(count += 1)}.${process.pid}@clinic.test`;
  token = await register(env, account);
});

const signsIn = () => env.ask("account.login", { account, password: goodPassword });
const needed = (answer: Answer<unknown>): FactorNeeded => {
  expect(refusalOf(answer)).toBe("factorNeeded");
  return answer.data as FactorNeeded;
};
const takesOver = (answer: { headers: Headers }) => (token = answer.headers.get("new-token") ?? token);
const list = async () => (await env.ask("factor.list", {}, { token })).data;
const codeOf = (secret: string, stepsOff = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + stepsOff * factorRules.totpSeconds * 1000,
  });
/** A code of the step before must not become one of the step before that while it travels. */
async function farFromNextStep(): Promise<void> {
  const left = factorRules.totpSeconds * 1000 - (Date.now() % (factorRules.totpSeconds * 1000));
  if (left < 10_000) await new Promise((resolve) => setTimeout(resolve, left));
}
/** Another moment of the same half minute, for who must show a code again. */
const asIfLater = () =>
  env.running.database.asSystem((db) => sql`update totp set last_step = last_step - 10`.execute(db));

async function hasApp(): Promise<{ secret: string; recovery: string[] }> {
  const { secret } = (await env.ask("factor.totpStart", {}, { token })).data;
  const confirmed = await env.ask("factor.totpConfirm", { code: codeOf(secret) }, { token });
  expect(confirmed.code).toBe(200);
  takesOver(confirmed);
  await asIfLater();
  return { secret, recovery: confirmed.data.recovery };
}
async function hasPasskey(name = "Laptop"): Promise<SoftwareAuthenticator> {
  const key = new SoftwareAuthenticator(env.address);
  const options = (await env.ask("factor.passkeyStart", {}, { token })).data;
  const added = await env.ask("factor.passkeyAdd", { name, response: key.createCredential(options) }, { token });
  expect(added.code).toBe(200);
  takesOver(added);
  return key;
}

describe("an authenticator app", () => {
  it("counts from its first right code on, and asks for one after the password", async () => {
    const { secret, uri } = (await env.ask("factor.totpStart", {}, { token })).data;
    expect(uri).toContain(`secret=${secret}`);
    expect((await signsIn()).code).toBe(200);
    const wrong = codeOf(secret) === "000000" ? "000001" : "000000";
    expect(refusalOf(await env.ask("factor.totpConfirm", { code: wrong }, { token }))).toBe("factorWrong");
    expect((await list()).totp).toBe(false);
    const { recovery } = (await env.ask("factor.totpConfirm", { code: codeOf(secret) }, { token })).data;
    expect(new Set(recovery).size).toBe(factorRules.recoveryCodes);
    const { step, factors } = needed(await signsIn());
    expect(factors).toEqual(["totp", "recovery"]);
    await asIfLater();
    const entered = await env.ask("factor.signIn", { step, code: codeOf(secret) });
    expect(entered.data.token).toMatch(/^[\w-]{43}$/);
  });

  it("accepts a code of the current step and of the steps before and after it, each step once", async () => {
    const { secret } = await hasApp();
    await farFromNextStep();
    for (const off of [-1, 0, 1]) {
      const { step } = needed(await signsIn());
      expect((await env.ask("factor.signIn", { step, code: codeOf(secret, off) })).code).toBe(200);
      const again = needed(await signsIn());
      expect(refusalOf(await env.ask("factor.signIn", { step: again.step, code: codeOf(secret, off) }))).toBe(
        "factorWrong",
      );
    }
    const { step } = needed(await signsIn());
    expect(refusalOf(await env.ask("factor.signIn", { step, code: codeOf(secret, 3) }))).toBe("factorWrong");
  });

  it("lets in one of three sign-ins that use the same code at once", async () => {
    const { secret } = await hasApp();
    const steps = await Promise.all([1, 2, 3].map(async () => needed(await signsIn()).step));
    const answers = await Promise.all(steps.map((step) => env.ask("factor.signIn", { step, code: codeOf(secret) })));
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1);
  });

  it("allows five guesses a step and ten an hour, also when they come at once", async () => {
    await hasApp();
    const guess = async () => {
      const { step } = needed(await signsIn());
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => env.ask("factor.signIn", { step, code: "000000" })),
      );
      return answers.filter((answer) => refusalOf(answer) === "factorWrong").length;
    };
    expect([await guess(), await guess(), await guess()]).toEqual([
      factorRules.stepTries,
      accountRules.evaluatedPerHour - factorRules.stepTries,
      0,
    ]);
  });

  it("is replaced by a recovery code, each once", async () => {
    const { recovery } = await hasApp();
    const first = needed(await signsIn());
    expect((await env.ask("factor.signIn", { step: first.step, code: recovery[0].toUpperCase() })).code).toBe(200);
    const second = needed(await signsIn());
    expect(refusalOf(await env.ask("factor.signIn", { step: second.step, code: recovery[0] }))).toBe("factorWrong");
    expect((await env.ask("factor.signIn", { step: second.step, code: recovery[1] })).code).toBe(200);
    // A step that was taken cannot be taken again.
    expect(refusalOf(await env.ask("factor.signIn", { step: second.step, code: recovery[2] }))).toBe("stepSpent");
    expect((await list()).recoveryLeft).toBe(factorRules.recoveryCodes - 2);
  });

  it("is switched off with the password or a code, and with nothing else", async () => {
    const { secret } = await hasApp();
    expect(refusalOf(await env.ask("factor.totpRemove", {}, { token }))).toBe("badInput");
    expect((await env.ask("factor.totpRemove", { password: "wrong" }, { token })).data).toEqual({
      password: "wrongPassword",
    });
    expect(refusalOf(await env.ask("factor.totpRemove", { code: "12345" }, { token }))).toBe("factorWrong");
    expect((await list()).totp).toBe(true);
    takesOver(await env.ask("factor.totpRemove", { code: codeOf(secret) }, { token }));
    expect(await list()).toMatchObject({ totp: false, recoveryLeft: 0 });
    expect((await signsIn()).code).toBe(200);
  });

  it("keeps neither its secret nor the recovery codes in readable form", async () => {
    const { secret, recovery } = await hasApp();
    const kept = await env.running.database.asSystem((db) =>
      sql`select (select jsonb_agg(totp) from totp)::text || (select jsonb_agg(r) from recovery_code r)::text as all`.execute(
        db,
      ),
    );
    const text = JSON.stringify(kept.rows);
    const bytes = Buffer.from(Secret.fromBase32(secret).bytes);
    for (const readable of [secret, bytes.toString("base64"), bytes.toString("hex"), recovery[0]])
      expect(text).not.toContain(readable);
  });

  it("notifies its owner by email when it is added", async () => {
    await hasApp();
    const told = async () =>
      (await mail().outbox()).filter(({ to, text }) => to.includes(account) && text.includes("authenticator app"));
    await expect.poll(told, { timeout: 10_000 }).toHaveLength(1);
  });
});

describe("a passkey", () => {
  const challenged = async () => (await env.ask("factor.passkeyOptions", {})).data;

  it("signs in without a password", async () => {
    const [key] = [await hasPasskey("Laptop"), await hasPasskey("Phone")];
    expect((await list()).passkeys.map(({ name }) => name)).toEqual(["Laptop", "Phone"]);
    const entered = await env.ask("factor.passkeySignIn", { response: key.getAssertion(await challenged()) });
    expect(entered.data.token).toMatch(/^[\w-]{43}$/);
    const me = await env.ask("account.getUserInfo", {}, { token: entered.data.token });
    expect(me.data.email).toBe(account);
    // A passkey replaces the password and is not a second step until its owner switches that on.
    expect((await signsIn()).code).toBe(200);
  });

  it("is refused when it was shown before, signed elsewhere, for another, too late, or without knowing its owner", async () => {
    const key = await hasPasskey();
    const tries = async (response: object) => refusalOf(await env.ask("factor.passkeySignIn", { response }));
    const shown = key.getAssertion(await challenged());
    expect(await tries(shown)).toBe("accepted");
    expect(await tries(shown)).toBe("passkeyWrong");
    const options = await challenged();
    const changed = Buffer.from(options["challenge"] as string, "base64url");
    changed[5] ^= 1;
    expect(await tries(key.getAssertion({ challenge: changed.toString("base64url") }))).toBe("passkeyWrong");
    const elsewhere = new SoftwareAuthenticator("https://arcada.example");
    Object.assign(elsewhere, { id: key.id });
    expect(await tries(elsewhere.getAssertion(await challenged()))).toBe("passkeyWrong");
    key.verifiesUser = false;
    expect(await tries(key.getAssertion(await challenged()))).toBe("passkeyWrong");
    key.verifiesUser = true;
    const made = (await env.ask("factor.passkeyStart", {}, { token })).data;
    expect(await tries(key.getAssertion(made))).toBe("passkeyWrong");
    expect(await tries(key.getAssertion(await challenged()))).toBe("accepted");
  });

  it("is refused when its counter goes back, because a copy of it exists", async () => {
    const key = await hasPasskey();
    key.counter = 10;
    expect((await env.ask("factor.passkeySignIn", { response: key.getAssertion(await challenged()) })).code).toBe(200);
    key.counter = 4;
    expect(refusalOf(await env.ask("factor.passkeySignIn", { response: key.getAssertion(await challenged()) }))).toBe(
      "passkeyWrong",
    );
  });

  it("is required after the password if its owner wants so, and another user's passkey is refused", async () => {
    const key = await hasPasskey();
    const switched = await env.ask("factor.passkeySecond", { on: true }, { token });
    expect(switched.data.recovery).toHaveLength(factorRules.recoveryCodes);
    takesOver(switched);
    const { step, factors, passkey } = needed(await signsIn());
    expect(factors).toEqual(["passkey", "recovery"]);
    const mine = token;
    const mineAccount = account;
    account = `other.${account}`;
    token = await register(env, account);
    const theirs = await hasPasskey();
    expect(refusalOf(await env.ask("factor.signIn", { step, passkey: theirs.getAssertion(present(passkey)) }))).toBe(
      "passkeyWrong",
    );
    [token, account] = [mine, mineAccount];
    expect((await env.ask("factor.signIn", { step, passkey: key.getAssertion(present(passkey)) })).code).toBe(200);
  });

  it("is removed only with its owner's proof, and the second step ends with the last passkey", async () => {
    const key = await hasPasskey();
    takesOver(await env.ask("factor.passkeySecond", { on: true }, { token }));
    const id = key.id.toString("base64url");
    expect(refusalOf(await env.ask("factor.passkeyRemove", { id }, { token }))).toBe("badInput");
    const removed = await env.ask("factor.passkeyRemove", { id, password: goodPassword }, { token });
    expect(removed.code).toBe(200);
    takesOver(removed);
    expect(await list()).toMatchObject({ passkeys: [], passkeySecond: false, recoveryLeft: 0 });
    expect(refusalOf(await env.ask("factor.passkeySignIn", { response: key.getAssertion(await challenged()) }))).toBe(
      "passkeyWrong",
    );
  });
});

describe("a session that was left open", () => {
  const asIfOld = () =>
    env.running.database.asSystem((db) =>
      sql`update session set chain_since = now() - make_interval(secs => ${factorRules.freshSeconds + 1})`.execute(db),
    );

  it("adds no sign-in method without the password or a code", async () => {
    const key = await hasPasskey();
    await asIfOld();
    expect((await env.ask("factor.passkeyStart", {}, { token })).data).toEqual({ password: "passwordEmpty" });
    expect((await env.ask("factor.passkeyStart", { password: "guessed" }, { token })).data).toEqual({
      password: "wrongPassword",
    });
    expect(refusalOf(await env.ask("factor.totpStart", {}, { token }))).toBe("badInput");
    expect(refusalOf(await env.ask("factor.passkeySecond", { on: true }, { token }))).toBe("badInput");
    expect(await list()).toMatchObject({ fresh: false, totp: false, passkeySecond: false, recoveryLeft: 0 });
    // A challenge for showing a passkey is none for making one.
    const shown = (await env.ask("factor.passkeyOptions", {})).data;
    const forged = { ...shown, rp: { id: "localhost" }, user: { id: key.id.toString("base64url") } };
    const made = new SoftwareAuthenticator(env.address).createCredential(forged);
    expect(refusalOf(await env.ask("factor.passkeyAdd", { name: "Theirs", response: made }, { token }))).toBe(
      "passkeyWrong",
    );
    expect((await list()).passkeys).toHaveLength(1);
    const proven = await env.ask("factor.passkeyStart", { password: goodPassword }, { token });
    expect(proven.data["challenge"]).toEqual(expect.any(String));
  });
});

describe("an organisation that requires two steps", () => {
  it("is open to a member after the first passkey, which is required after the password from then on", async () => {
    const house = await env.createInstitution("clinic");
    await env.running.database.asSystem(async (db) => {
      await sql`update institution set require_factor = true where id = ${house.id}`.execute(db);
      await sql`insert into membership (id, institution_id, user_id, authority_id, state)
        select gen_random_uuid(), ${house.id}, user_id, 233, 'normal' from contact where value = ${account}`.execute(
        db,
      );
    });
    const key = new SoftwareAuthenticator(env.address);
    const options = (await env.ask("factor.passkeyStart", {}, { token })).data;
    const added = await env.ask(
      "factor.passkeyAdd",
      { name: "Laptop", response: key.createCredential(options) },
      { token },
    );
    expect(added.data.recovery).toHaveLength(factorRules.recoveryCodes);
    takesOver(added);
    expect((await list()).passkeySecond).toBe(true);
    expect(needed(await signsIn()).factors).toEqual(["passkey", "recovery"]);
    takesOver(await env.ask("institution.switch", { iid: house.id }, { token }));
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
    token = member.token;
    expect((await list()).required).toBe(true);
    await hasApp();
    member.token = token;
    expect((await member.ask("patient.list", {})).code).toBe(200);
    expect(await member.call("account.getUserInfo", {})).toMatchObject({ factorRequired: false });
  });
});
