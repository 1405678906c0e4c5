import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { fileUrl } from "../../apps/server/src/platform/storage/file-url.ts";
import { newId, secretHash } from "../../apps/server/src/platform/runtime/ids.ts";
import { files, secret } from "../../apps/server/src/platform/runtime/services.ts";
import { planted } from "../planted.ts";
import { linked, visitor } from "../visitors.ts";
import { world } from "../world.ts";
import type { Person, World } from "../world.ts";

// F1: an attacker who has read SECRET_KEY can sign addresses of any file. None of them may be served.

let here: World;
let things: Awaited<ReturnType<typeof planted>>;
let sha256: string;
let stranger: Person;
beforeAll(async () => {
  here = await world();
  things = await planted(here);
  const found = await database().asSystem((db) =>
    sql<{ sha256: string }>`select sha256 from instance where study_id = ${things.studyId} limit 1`.execute(db),
  );
  sha256 = found.rows[0]!.sha256;
  stranger = await here.server.person("clinicAdmin", await here.server.institution("clinic"));
}, 120_000);

const database = () => here.server.running.database;
const type = "application/octet-stream";
interface Forger {
  id: string;
  seal: string;
}
/**
 * The server answers with this status for an address of the clinic's file that is signed with the right key for this
 * holder.
 */
async function forged(holder: Forger, headers: Record<string, string> = {}, wanted = sha256): Promise<number> {
  const file = { area: "originals", iid: here.clinic.iid!, sha256: wanted, name: "x", type } as const;
  const url = fileUrl(secret(), file, Date.now(), holder);
  return (await fetch(here.server.running.address + url, { headers })).status;
}
async function sessionOf({ token }: Person): Promise<Forger> {
  const seal = secretHash(token);
  const { rows } = await database().asSystem((db) =>
    sql<{ id: string }>`select id from session where token_hash = ${seal}`.execute(db),
  );
  return { id: rows[0]!.id, seal };
}
const unsealed = ({ id }: Forger): Forger => ({ id, seal: "" });

describe("with SECRET_KEY known, a forged address is refused", () => {
  it("of nobody, and of a holder that does not exist", async () => {
    expect(await forged({ id: newId(), seal: "" })).toBe(403);
    expect(await forged({ id: "", seal: "" })).toBe(403);
    expect(await forged({ id: "nobody", seal: "" })).toBe(403);
  });

  it("of a session of the clinic whose token the forger does not know, and of a session of another organisation", async () => {
    const [own, foreign] = [await sessionOf(here.dentist), await sessionOf(stranger)];
    expect([await forged(own), await forged(unsealed(own))]).toEqual([200, 403]);
    expect([await forged(foreign), await forged(unsealed(foreign))]).toEqual([404, 403]);
  });

  it("of a session begun in a browser, without that browser's cookie", async () => {
    const session = await sessionOf(await here.server.person("clinicMember", { id: here.clinic.iid! }));
    const sid = randomBytes(32).toString("base64url");
    await database().asSystem((db) =>
      sql`update session set kind = 'browser', sid_hash = ${secretHash(sid)} where id = ${session.id}`.execute(db),
    );
    expect(await forged(session)).toBe(403);
    expect(await forged(session, { cookie: "sid=another" })).toBe(403);
    expect(await forged(session, { cookie: `sid=${sid}` })).toBe(200);
  });

  it("of a guest session without its cookie, and for files beside what the link shows", async () => {
    const { secret: link } = await linked(here.clinic, things.studyId);
    const guest = visitor(here.server);
    await guest.opens(link, "1988-04-12");
    const [id = "", token = ""] = guest.visit.split(".");
    const held = { id, seal: secretHash(token) };
    const beside = (await files().put("originals", here.clinic.iid!, randomBytes(20))).sha256;
    expect(await forged(held)).toBe(403);
    expect(await forged(unsealed(held), guest.headers())).toBe(403);
    expect(await forged(held, guest.headers())).toBe(200);
    expect(await forged(held, guest.headers(), beside)).toBe(404);
  });

  it("of an API key, the clinic's without its secret and another organisation's with it", async () => {
    const keyOf = async (manager: Person): Promise<Forger> => {
      const made = await manager.gets("interface.makeKey", { name: "Robot", scopes: ["orders.read"], days: 30 });
      return { id: made.key.id, seal: secretHash(made.secret) };
    };
    const [own, foreign] = [await keyOf(here.clinic), await keyOf(stranger)];
    expect([await forged(own), await forged(unsealed(own)), await forged(foreign)]).toEqual([200, 403, 404]);
  });

  it("of a lab that works for the clinic, for a file that no order brought there", async () => {
    expect(await forged(await sessionOf(here.designer), {}, (await unordered()).sha256)).toBe(404);
  });
});

const unordered = () => files().put("originals", here.clinic.iid!, randomBytes(30));
