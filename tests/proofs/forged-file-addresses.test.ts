import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { createFileUrl } from "../../apps/server/src/platform/storage/file-url.ts";
import { newId, secretHash } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { files, secret } from "../../apps/server/src/platform/runtime/services.ts";
import { createFixtures } from "@arcada/testing/fixtures/patient-with-orders";
import { createShare, newGuest } from "@arcada/testing/clients/guest";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestUser, TestSetup } from "@arcada/testing/setup/test-server";

// F1: an attacker who has read SECRET_KEY can sign addresses of any file. None of them may be served.

let clinicAndLab: TestSetup;
let fixtures: Awaited<ReturnType<typeof createFixtures>>;
let sha256: string;
let stranger: TestUser;
beforeAll(async () => {
  clinicAndLab = await setup();
  fixtures = await createFixtures(clinicAndLab);
  const found = await database().asSystem((db) =>
    sql<{ sha256: string }>`select sha256 from instance where study_id = ${fixtures.studyId} limit 1`.execute(db),
  );
  sha256 = found.rows[0].sha256;
  stranger = await clinicAndLab.server.createUser("clinicAdmin", await clinicAndLab.server.createInstitution("clinic"));
}, 120_000);

const database = () => clinicAndLab.server.running.database;
const type = "application/octet-stream";
interface FileHolder {
  id: string;
  tokenHash: string;
}
/**
 * The server answers with this status for an address of the clinic's file that is signed with the right key for this
 * holder.
 */
async function requestForgedAddress(
  holder: FileHolder,
  headers: Record<string, string> = {},
  wanted = sha256,
): Promise<number> {
  const file = { area: "originals", iid: clinicAndLab.clinic.iid, sha256: wanted, name: "x", type } as const;
  const url = createFileUrl(secret(), file, Date.now(), holder);
  return (await fetch(clinicAndLab.server.address + url, { headers })).status;
}
async function readSession({ token }: TestUser): Promise<FileHolder> {
  const tokenHash = secretHash(token);
  const { rows } = await database().asSystem((db) =>
    sql<{ id: string }>`select id from session where token_hash = ${tokenHash}`.execute(db),
  );
  return { id: rows[0].id, tokenHash };
}
const withoutSeal = ({ id }: FileHolder): FileHolder => ({ id, tokenHash: "" });

describe("with SECRET_KEY known, a forged address is refused", () => {
  it("of nobody, and of a holder that does not exist", async () => {
    expect(await requestForgedAddress({ id: newId(), tokenHash: "" })).toBe(403);
    expect(await requestForgedAddress({ id: "", tokenHash: "" })).toBe(403);
    expect(await requestForgedAddress({ id: "nobody", tokenHash: "" })).toBe(403);
  });

  it("of a session of the clinic whose token the forger does not know, and of a session of another organisation", async () => {
    const [own, foreign] = [await readSession(clinicAndLab.dentist), await readSession(stranger)];
    expect([await requestForgedAddress(own), await requestForgedAddress(withoutSeal(own))]).toEqual([200, 403]);
    expect([await requestForgedAddress(foreign), await requestForgedAddress(withoutSeal(foreign))]).toEqual([404, 403]);
  });

  it("of a session begun in a browser, without that browser's cookie", async () => {
    const session = await readSession(
      await clinicAndLab.server.createUser("clinicMember", { id: clinicAndLab.clinic.iid }),
    );
    const sid = randomBytes(32).toString("base64url");
    await database().asSystem((db) =>
      sql`update session set kind = 'browser', sid_hash = ${secretHash(sid)} where id = ${session.id}`.execute(db),
    );
    expect(await requestForgedAddress(session)).toBe(403);
    expect(await requestForgedAddress(session, { cookie: "sid=another" })).toBe(403);
    expect(await requestForgedAddress(session, { cookie: `sid=${sid}` })).toBe(200);
  });

  it("of a guest session without its cookie, and for files that the link does not show", async () => {
    const { secret: link } = await createShare(clinicAndLab.clinic, fixtures.studyId);
    const guest = newGuest(clinicAndLab.server);
    await guest.open(link, "1988-04-12");
    const [id = "", token = ""] = guest.sessionToken.split(".");
    const held = { id, tokenHash: secretHash(token) };
    const beside = (await files().put("originals", clinicAndLab.clinic.iid, randomBytes(20))).sha256;
    expect(await requestForgedAddress(held)).toBe(403);
    expect(await requestForgedAddress(withoutSeal(held), guest.headers())).toBe(403);
    expect(await requestForgedAddress(held, guest.headers())).toBe(200);
    expect(await requestForgedAddress(held, guest.headers(), beside)).toBe(404);
  });

  it("of an API key, the clinic's without its secret and another organisation's with it", async () => {
    const keyOf = async (manager: TestUser): Promise<FileHolder> => {
      const made = await manager.call("interface.makeKey", { name: "Robot", scopes: ["orders.read"], days: 30 });
      return { id: made.key.id, tokenHash: secretHash(made.secret) };
    };
    const [own, foreign] = [await keyOf(clinicAndLab.clinic), await keyOf(stranger)];
    expect([
      await requestForgedAddress(own),
      await requestForgedAddress(withoutSeal(own)),
      await requestForgedAddress(foreign),
    ]).toEqual([200, 403, 404]);
  });

  it("of a lab that works for the clinic, for a file that no order brought there", async () => {
    expect(
      await requestForgedAddress(await readSession(clinicAndLab.designer), {}, (await storeUnorderedFile()).sha256),
    ).toBe(404);
  });
});

const storeUnorderedFile = () => files().put("originals", clinicAndLab.clinic.iid, randomBytes(30));
