import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import { hashPassword } from "../../apps/server/src/account/password.ts";
import { notifyClients } from "../../apps/server/src/platform/events/events.ts";
import { fileUrl } from "../../apps/server/src/platform/storage/file-url.ts";
import { newId, newSecret, secretHash } from "../../apps/server/src/platform/runtime/ids.ts";
import { files, provide, secret } from "../../apps/server/src/platform/runtime/services.ts";
import { goodPassword } from "../human.ts";
import { planted } from "../planted.ts";
import type { Planted } from "../planted.ts";
import { world } from "../world.ts";
import type { Person, World } from "../world.ts";

const rounds = process.env.ARCADA_PROOF === "full" ? 200 : 8;
/** The duration of each round after the session has lost its access, in ms. */
const watchedMs = 1600;
const ways = ["remove", "password", "switch"] as const;
type Way = (typeof ways)[number];
type What = "request" | "upload" | "events" | "picture" | "long picture";

let here: World;
let things: Planted;
let passwordHash: string;
let long: string;
/** Called whenever bytes of the large file leave the store. */
let leaves = (): void => {};
beforeAll(async () => {
  here = await world();
  things = await planted(here);
  passwordHash = await hashPassword(goodPassword);
  long = (await files().put("converted", here.clinic.iid!, randomBytes(48_000_000))).sha256;
  const store = files();
  const read: typeof store.read = async (area, iid, sha256, range) => {
    const bytes = await store.read(area, iid, sha256, range);
    return sha256 === long ? Readable.from(heard(bytes), { objectMode: false }) : bytes;
  };
  provide({ files: { ...store, read } });
});

async function* heard(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    leaves();
    yield chunk;
  }
}

it(
  `T-03: of ${rounds} sessions that lose their place nothing goes on for more than a second`,
  { timeout: 900_000 },
  async () => {
    const latest: Partial<Record<What, number>> = {};
    const note = (what: What, late: number) => (latest[what] = Math.max(latest[what] ?? 0, late));
    for (let round = 0; round < rounds; round++) {
      const way = ways[round % ways.length]!;
      const success = await lived(way);
      // A replaced token remains valid for another minute, so that requests in transit succeed. Its open connections
      // end at once.
      const ends: What[] =
        way === "switch"
          ? ["events", "picture", "long picture"]
          : ["request", "upload", "events", "picture", "long picture"];
      for (const what of ends) {
        expect(success[what], `${what} ran before (${way})`).toBeDefined();
        note(what, success[what]!);
      }
    }
    console.info(
      `T-03: ${rounds} rounds, last success after the end: ${Object.entries(latest)
        .map(([what, ms]) => `${what} ${Math.round(ms)} ms`)
        .join(", ")}`,
    );
    for (const [what, ms] of Object.entries(latest)) expect(ms, what).toBeLessThanOrEqual(1000);
  },
);

/**
 * Runs all kinds of access at once with one person's session. Returns for each the last success, in ms after the end.
 */
async function lived(way: Way): Promise<Partial<Record<What, number>>> {
  const { server, clinic } = here;
  const person = await server.person("clinicMember", { id: clinic.iid! });
  const last: Partial<Record<What, number>> = {};
  const stop = new AbortController();
  // A request counts by the time it was sent, because the duration of its answer depends on the machine.
  const did = (what: What, sent = performance.now()) => (last[what] = Math.max(last[what] ?? 0, sent));
  const work = [
    again(stop.signal, () => asks(person, did)),
    again(stop.signal, () => sends(person, did)),
    again(stop.signal, () => looks(person, did)),
    listens(person, stop.signal, did).catch(() => {}),
    streams(person, stop.signal, did).catch(() => {}),
    again(stop.signal, () =>
      server.running.database.asSystem((db) => notifyClients(db, { institutions: [clinic.iid] }, "patient", newId())),
    ),
  ];
  await pause(500);
  const ended = await ends(way, person);
  await pause(watchedMs);
  stop.abort();
  await Promise.all(work);
  return Object.fromEntries(Object.entries(last).map(([what, at]) => [what, Math.max(0, at - ended)]));
}

type Did = (what: What, sent?: number) => void;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
async function again(stop: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  while (!stop.aborted) {
    await work().catch(() => {});
    await pause(30);
  }
}

/** Revokes the access. Returns the time at which that was certain: not later than its answer. */
async function ends(way: Way, person: Person): Promise<number> {
  const { server, clinic } = here;
  if (way === "remove") {
    const { list } = await clinic.gets("member.list", { pageSize: 999 });
    const { id, version } = list.find(({ userId }) => userId === person.uid)!;
    await clinic.gets("member.update", { id, version, action: "kickOut" });
    return performance.now();
  }
  if (way === "switch") {
    const other = await server.institution("clinic");
    await server.running.database.asSystem((db) =>
      db
        .insertInto("membership")
        .values({ id: newId(), institution_id: other.id, user_id: person.uid, authority_id: 233, state: "normal" })
        .execute(),
    );
    await person.gets("institution.switch", { iid: other.id });
    return performance.now();
  }
  const token = newSecret();
  await server.running.database.asSystem(async (db) => {
    await sql`update users set password_hash = ${passwordHash} where id = ${person.uid}`.execute(db);
    await sql`insert into session (id, user_id, chain, token_hash, kind, authority_id, expires_at)
      values (${newId()}, ${person.uid}, ${newId()}, ${secretHash(token)}, 'api', 0, now() + interval '1 hour')`.execute(
      db,
    );
  });
  const fresh = "another-good-password-9";
  const changed = await server.ask(
    "account.changePassword",
    { oldPassword: goodPassword, password: fresh, confirm: fresh },
    { token },
  );
  expect(changed.code).toBe(200);
  return performance.now();
}

async function asks(person: Person, did: Did): Promise<void> {
  const sent = performance.now();
  if ((await person.asks("patient.list", {})).code === 200) did("request", sent);
}

/** Begins a file and sends one chunk of it. */
async function sends({ token, server }: Person, did: Did): Promise<void> {
  const tus = { token, "tus-resumable": "1.0.0" };
  const begun = await fetch(`${server.running.address}/uploads`, {
    method: "POST",
    headers: { ...tus, "upload-length": "100000", "upload-metadata": `filename ${btoa("scan.stl")}` },
  });
  const place = begun.headers.get("location");
  if (begun.status !== 201 || !place) return;
  const piece = performance.now();
  const sent = await fetch(new URL(place, server.running.address ?? ""), {
    method: "PATCH",
    headers: { ...tus, "upload-offset": "0", "content-type": "application/offset+octet-stream" },
    body: randomBytes(5000),
  });
  if (sent.status === 204) did("upload", piece);
}

/** The address of an image is requested once and fetched repeatedly. */
const addresses = new WeakMap<Person, string>();
async function looks(person: Person, did: Did): Promise<void> {
  if (!addresses.has(person)) {
    const detail = await person.gets("study.detail", { id: things.studyId });
    addresses.set(person, /"(\/files\/[^"]+)"/.exec(JSON.stringify(detail))![1]!);
  }
  const sent = performance.now();
  const answer = await fetch(person.server.running.address + addresses.get(person)!, {
    headers: { range: "bytes=0-99" },
  });
  if (answer.ok && (await answer.arrayBuffer()).byteLength > 0) did("picture", sent);
}

async function listens({ token, server }: Person, signal: AbortSignal, did: Did): Promise<void> {
  const answer = await fetch(`${server.running.address}/v1/notice/stream`, { headers: { token }, signal });
  for await (const text of answer.body!.pipeThrough(new TextDecoderStream())) if (text.includes("data:")) did("events");
}

/** A large file read slowly, so that it is still flowing when the session ends; what counts is when bytes leave the store. */
async function streams(person: Person, signal: AbortSignal, did: Did): Promise<void> {
  const { server, token } = person;
  const found = await server.running.database.asSystem((db) =>
    sql<{ id: string }>`select id from session where token_hash = ${secretHash(token)}`.execute(db),
  );
  const holder = { id: found.rows[0]!.id, seal: secretHash(token) };
  const file = {
    area: "converted",
    iid: here.clinic.iid!,
    sha256: long,
    name: "volume.bin",
    type: "application/octet-stream",
  } as const;
  leaves = () => did("long picture");
  const answer = await fetch(server.running.address + fileUrl(secret(), file, Date.now(), holder), { signal });
  for await (const _ of answer.body!) await pause(25);
}
