import { sql } from "kysely";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { KeyScope } from "@arcada/contract/integrations/integrations.rules";
import { keyRules } from "@arcada/contract/integrations/integrations.rules";
import { createIntraoralRadiograph } from "@arcada/phantom/radiograph/intraoral-radiograph";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { DicomwebClient } from "@arcada/testing/clients/dicomweb-client";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { crownOrderInput, smallScanStl } from "@arcada/testing/fixtures/orders";
import { createFixtures } from "@arcada/testing/fixtures/patient-with-orders";
import type { Fixtures } from "@arcada/testing/fixtures/patient-with-orders";
import { getTestServer, setup } from "@arcada/testing/setup/test-server";
import type { CallName, TestUser, TestServer, TestSetup } from "@arcada/testing/setup/test-server";
import { hashPassword } from "../account/password/password-hash.ts";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

let env: TestServer;
let caseEnv: TestSetup;
let fixtures: Fixtures;
beforeAll(async () => {
  env = await getTestServer();
  caseEnv = await setup();
  fixtures = await createFixtures(caseEnv);
});

const createKey = (by: TestUser, scopes: KeyScope[], name = "Practice software") =>
  by.call("interface.makeKey", { name, scopes, days: 365 });
const withBearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const callWithKey = (secret: string, call: CallName, input: object = {}) => env.ask(call, input, withBearer(secret));

describe("an API key of an organisation", () => {
  it("is shown once and stored as a hash, and only managers create, see and revoke it", async () => {
    const { key, secret } = await createKey(caseEnv.clinic, ["orders.read"]);
    expect(secret).toMatch(/^arcada_[\w-]{43}$/);
    const list = await caseEnv.clinic.call("interface.keys", {});
    expect(list[0]).toEqual(key);
    expect(JSON.stringify(list)).not.toContain(secret);
    const rows = await env.running.database.asSystem((db) =>
      sql`select to_jsonb(k) as row from api_key k union all select to_jsonb(a) from audit a`.execute(db),
    );
    expect(JSON.stringify(rows.rows)).not.toContain(secret.slice(keyRules.shown));
    for (const other of [caseEnv.dentist, caseEnv.lab]) {
      const answer = await other.ask("interface.revokeKey", { id: key.id });
      expect(refusalOf(answer)).toBe(other === caseEnv.lab ? "notFound" : "notAllowed");
    }
    expect((await callWithKey(secret, "order.counts")).code).toBe(200);
  });

  it("requires its creator to re-enter the password", async () => {
    const hash = await hashPassword(goodPassword);
    const manager = await env.createUser("clinicAdmin", { id: caseEnv.clinic.iid });
    await env.running.database.asSystem((db) =>
      sql`update users set password_hash = ${hash} where id = ${manager.uid}`.execute(db),
    );
    const wanted = { name: "Robot", scopes: ["orders.read"], days: 30 };
    expect(refusalOf(await manager.ask("interface.makeKey", wanted))).toBe("badInput");
    expect(refusalOf(await manager.ask("interface.makeKey", { ...wanted, password: "wrong" }))).toBe("wrongPassword");
    expect((await manager.ask("interface.makeKey", { ...wanted, password: goodPassword })).code).toBe(200);
  });

  it("allows the calls of its scopes within its organisation, and no data of another organisation or of a person", async () => {
    const { secret } = await createKey(caseEnv.clinic, ["patients.read", "dicomweb.read"]);
    expect((await callWithKey(secret, "patient.detail", { id: fixtures.patient.id })).data).toMatchObject({
      id: fixtures.patient.id,
    });
    expect(refusalOf(await callWithKey(secret, "order.list"))).toBe("keyScopeMissing");
    expect(refusalOf(await callWithKey(secret, "patient.create", {}))).toBe("keyScopeMissing");
    for (const call of ["account.getUserInfo", "account.sessions", "member.list", "interface.keys", "institution.mine"])
      expect(refusalOf(await callWithKey(secret, call as CallName))).toBe("keyNotHere");
    const stranger = await createKey((await setup()).clinic, ["patients.read"]);
    expect(refusalOf(await callWithKey(stranger.secret, "patient.detail", { id: fixtures.patient.id }))).toBe(
      "notFound",
    );
    const at = (path: string, method = "GET") =>
      fetch(`${env.address}${path}`, { method, headers: withBearer(secret) }).then(({ status }) => status);
    expect(await at("/dicomweb/studies")).toBe(200);
    expect(await at("/dicomweb/studies", "POST")).toBe(403);
    expect(await at("/v1/notice/stream")).toBe(403);
    expect(await at("/uploads", "POST")).toBe(403);
    expect(refusalOf(await callWithKey("arcada_made-up", "patient.list"))).toBe("keyUnknown");
  });

  it("of a lab has no scope that belongs to clinics", async () => {
    const answer = await caseEnv.lab.ask("interface.makeKey", { name: "x", scopes: ["patients.read"], days: 30 });
    expect(refusalOf(answer)).toBe("badInput");
  });

  it("uploads and sends an order that names the key, and the replies go to the managers", async () => {
    const { key, secret } = await createKey(
      caseEnv.clinic,
      ["orders.write", "orders.read", "studies.write"],
      "Scanner bridge",
    );
    const scan = await uploadWith(secret, "upper.stl", smallScanStl());
    const saved = await callWithKey(secret, "order.save", {
      ...crownOrderInput(fixtures.patient.id, caseEnv.lab.iid, { uploads: [{ upload: scan, role: "upperScan" }] }),
      noDigitalFiles: false,
      send: true,
    });
    expect(saved).toMatchObject({ code: 200, data: { state: "pending", creatorName: "Scanner bridge" } });
    const order = saved.data as { id: string; version: number };
    await caseEnv.lab.call("order.step", {
      id: order.id,
      action: "accept",
      version: order.version,
      promisedDate: "2030-01-01",
    });
    const { list } = await caseEnv.clinic.call("notice.list", { categoryID: 1 });
    expect(list[0]).toMatchObject({ kind: "orderAccepted", link: `/orderDetail/page?id=${order.id}` });
    const trail = await caseEnv.clinic.call("trail.list", { user: key.id });
    expect(trail.list.map(({ action, userName }) => [action, userName])).toContainEqual([
      "order.save",
      "Scanner bridge",
    ]);
  });

  it(
    "notifies everybody in the clinic of images that it uploads, whether they match a patient or wait in the inbox",
    { timeout: 90_000 },
    async () => {
      const { secret } = await createKey(caseEnv.clinic, ["dicomweb.write"], "Archive");
      const head = makeHead("by a key");
      const sends = (id: string, name: string, birthDate: string) =>
        new DicomwebClient({ server: env, token: secret }).store([
          createIntraoralRadiograph(
            head,
            { id, name, sex: "M", birthDate },
            { key: id, description: "Film", clinic: "" },
          ).bytes,
        ]);
      expect((await sends(fixtures.patient.number, "Wang^Xiaoming", "19880412")).status).toBe(200);
      expect((await sends("none", "Nobody^Known", "19300101")).status).toBe(200);
      for (const who of [caseEnv.clinic, caseEnv.dentist])
        await vi.waitFor(
          async () => {
            const { list } = await who.call("notice.list", { categoryID: 0 });
            const heard = list.map(({ kind, link }) => [kind, link]);
            expect(heard).toContainEqual(["studyReady", expect.stringMatching("^/viewer")]);
            expect(heard).toContainEqual(["studyWaiting", "/inbox"]);
          },
          { timeout: 60_000, interval: 200 },
        );
      expect((await caseEnv.lab.call("notice.list", { categoryID: 0 })).list).toEqual([]);
    },
  );

  it("is refused everywhere within a second of its revocation, as is a file address that it was given", async () => {
    const { key, secret } = await createKey(caseEnv.clinic, ["studies.read"]);
    const { data } = (await callWithKey(secret, "study.detail", { id: fixtures.studyId })) as {
      data: { thumbnailUrl: string };
    };
    const picture = () => fetch(`${env.address}${data.thumbnailUrl}`).then(({ status }) => status);
    expect(await picture()).toBe(200);
    let ended = Number.POSITIVE_INFINITY;
    const last = { call: 0, picture: 0 };
    const until = Date.now() + 2600;
    setTimeout(
      () => void caseEnv.clinic.call("interface.revokeKey", { id: key.id }).then(() => (ended = Date.now())),
      400,
    );
    while (Date.now() < until || ended === Number.POSITIVE_INFINITY) {
      // A request counts by the time at which it was sent: the duration of its response depends on the machine.
      const sent = Date.now();
      if ((await callWithKey(secret, "study.list", { patientId: fixtures.patient.id })).code === 200) last.call = sent;
      const looked = Date.now();
      if ((await picture()) === 200) last.picture = looked;
    }
    console.info(
      `a revoked key: last call ${last.call - ended} ms after its end, last picture ${last.picture - ended} ms`,
    );
    expect(last.call - ended).toBeLessThan(1000);
    expect(last.picture - ended).toBeLessThan(1000);
    expect(refusalOf(await callWithKey(secret, "study.list"))).toBe("keyUnknown");
  });

  it("expires on its day, and is limited in calls per minute", async () => {
    // Not across the end of a minute.
    await vi.waitFor(() => expect(new Date().getUTCSeconds()).toBeLessThan(55), { timeout: 8000 });
    const [old, busy] = [
      await createKey(caseEnv.clinic, ["orders.read"]),
      await createKey(caseEnv.clinic, ["orders.read"]),
    ];
    await env.running.database.asSystem(async (db) => {
      await sql`update api_key set expires_at = now() where id = ${old.key.id}`.execute(db);
      await sql`update api_key set minute = date_trunc('minute', now() + interval '2 s'), calls = ${keyRules.perMinute - 2}
        where id = ${busy.key.id}`.execute(db);
    });
    expect(refusalOf(await callWithKey(old.secret, "order.counts"))).toBe("keyUnknown");
    const answers = [];
    for (let nth = 0; nth < 6; nth++) answers.push(await callWithKey(busy.secret, "order.counts"));
    expect(answers.map(refusalOf)).toEqual(["accepted", "accepted", ...Array(4).fill("tooManyRequests")]);
    expect(Number(answers[5].headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

/** Uploads by tus, as a program would; returns the upload's id. */
async function uploadWith(secret: string, name: string, bytes: Uint8Array): Promise<string> {
  const headers = { ...withBearer(secret), "tus-resumable": "1.0.0" };
  const made = await fetch(`${env.address}/uploads`, {
    method: "POST",
    headers: {
      ...headers,
      "upload-length": String(bytes.length),
      "upload-metadata": `filename ${Buffer.from(name).toString("base64")}`,
    },
  });
  const url = present(made.headers.get("location"), "location");
  const sent = await fetch(new URL(url, env.address ?? ""), {
    method: "PATCH",
    headers: { ...headers, "upload-offset": "0", "content-type": "application/offset+octet-stream" },
    body: bytes as BodyInit,
  });
  expect([made.status, sent.status]).toEqual([201, 204]);
  return present(url.split("/").at(-1));
}
