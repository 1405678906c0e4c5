import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { shareRules } from "@arcada/contract/share/share.rules";
import { cbctFiles } from "@arcada/imaging/phantom/cbct";
import { makeHead } from "@arcada/imaging/phantom/head";
import { fromBufferPromise } from "yauzl";
import { fileUrl } from "../../apps/server/src/platform/storage/file-url.ts";
import { secretHash } from "../../apps/server/src/platform/runtime/ids.ts";
import { files, secret } from "../../apps/server/src/platform/runtime/services.ts";
import { newLinkSecret } from "../../apps/server/src/share/share.ts";
import { crown, planted, type Planted } from "../planted.ts";
import { codeFor } from "../people.ts";
import { newPatient, uploaded } from "../uploads.ts";
import { linked, visitor, type Visitor } from "../visitors.ts";
import { world, type Answer, type World } from "../world.ts";

const full = process.env.ARCADA_PROOF === "full";
const [guesses, races] = full ? [3000, 200] : [120, 6];
const born = "1988-04-12";
let here: World;
let things: Planted;
beforeAll(async () => {
  here = await world();
  things = await planted(here);
});
const link = (more: object = {}) => linked(here.clinic, things.studyId, more);
const enters = async (secret: string, factor = born): Promise<Visitor> => {
  const guest = visitor(here.server);
  expect((await guest.opens(secret, factor)).code).toBe(200);
  return guest;
};
const database = () => here.server.running.database;
const cancels = (id: string) => here.clinic.gets("share.step", { id, action: "cancel" });
const is = (answer: Answer<unknown>, name: RefusalName): boolean => answer.code === refusals[name].code;
const fetched = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${here.server.running.address}${path}`, { headers });
const looks = (guest: Visitor) => guest.asks("share.study", { id: things.studyId });
const scanOf = async (guest: Visitor) => (await looks(guest)).data.series[0]!.instances[0]!;

describe("T-10: a link that was never made", () => {
  it(`cannot be told from one that has ended, in ${guesses} guesses`, { timeout: 900_000 }, async () => {
    const { secret, share } = await link();
    const over = await link();
    await cancels(over.share.id);
    const late = await link();
    await database().asSystem((db) =>
      sql`update share set expires_at = now() - interval '1 second' where id = ${late.share.id}`.execute(db),
    );
    const said = new Set<string>();
    const ask = async (guess: string) => {
      const guest = visitor(here.server);
      for (const answer of [
        await guest.asks("share.knock", { secret: guess }),
        await guest.asks("share.sendCode", { secret: guess }),
        await guest.opens(guess, born),
      ])
        said.add(JSON.stringify([answer.code, answer.status, answer.msg, answer.data]));
    };
    for (const ended of [over.secret, late.secret]) await ask(ended);
    for (let guess = 0; guess < guesses / 3; guess++)
      await ask(guess % 2 === 0 ? newLinkSecret() : nearly(secret, guess));
    expect([...said]).toHaveLength(1);
    expect(JSON.parse([...said][0]!)[0]).toBe(refusals.shareGone.code);
    const row = (await here.clinic.gets("share.list", {})).list.find(({ id }) => id === share.id);
    expect(row).toMatchObject({ opens: 0, state: "active" });
  });
});

describe("T-10: a second factor", () => {
  it("is evaluated five times in a quarter of an hour and ten times in all, whoever asks from wherever", async () => {
    const { secret, share } = await link();
    const flood = () =>
      Promise.all(Array.from({ length: 30 }, (_, at) => visitor(here.server).opens(secret, `1990-01-${at}`)));
    const count = (answers: Answer<unknown>[], name: RefusalName) => answers.filter((one) => is(one, name)).length;
    const first = await flood();
    expect([count(first, "shareFactorWrong"), count(first, "shareFactorWait")]).toEqual([shareRules.waitAfter, 25]);
    expect(is(await visitor(here.server).opens(secret, born), "shareFactorWait")).toBe(true);
    await database().asSystem((db) =>
      sql`update share set failed_at = array(select at - interval '15 minutes' from unnest(failed_at) at) where id = ${share.id}`.execute(
        db,
      ),
    );
    const second = await flood();
    expect([count(second, "shareFactorWrong"), count(second, "shareLocked")]).toEqual([5, 25]);
    expect(is(await visitor(here.server).opens(secret, born), "shareLocked")).toBe(true);
    const [row] = (await here.clinic.gets("share.list", {})).list.filter(({ id }) => id === share.id);
    expect(row).toMatchObject({ state: "locked", opens: 0 });
    await here.clinic.gets("share.step", { id: share.id, action: "unlock" });
    await enters(secret);
  });

  it("by e-mail is worth nothing after five guesses, the right code among the later ones", async () => {
    const email = "guessed@elsewhere.test";
    const { secret } = await link({ factor: { kind: "email", email } });
    await visitor(here.server).asks("share.sendCode", { secret });
    await expect.poll(() => codeFor(email)).toMatch(/^\d{6}$/);
    const code = await codeFor(email);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
    for (let guess = 0; guess < 5; guess++)
      expect(is(await visitor(here.server).opens(secret, wrong), "shareFactorWrong")).toBe(true);
    expect(is(await visitor(here.server).opens(secret, code), "shareFactorWait")).toBe(true);
  });

  it("is not skipped by leaving it out, and does not open the links of others", async () => {
    const [{ secret }, other] = [await link(), await link({ factor: { kind: "phrase", phrase: "blue heron" } })];
    expect(is(await visitor(here.server).opens(secret), "shareFactorWrong")).toBe(true);
    expect(is(await visitor(here.server).opens(other.secret, born), "shareFactorWrong")).toBe(true);
    await enters(other.secret, "  Blue  HERON ");
  });
});

describe("T-10: a visit", () => {
  it("opens nothing but its study: no other one, no call of members, no changed address", async () => {
    const patient = await newPatient(here.clinic);
    const [otherId] = (await uploaded(here.clinic, patient, { "lower.stl": crown() })).studies;
    const guest = await enters((await link()).secret);
    const unknown = await guest.asks("share.study", { id: crypto.randomUUID() });
    for (const call of ["share.study", "share.marks", "share.download"] as const)
      expect(await guest.asks(call, { id: otherId! })).toMatchObject({
        code: unknown.code,
        msg: unknown.msg,
        data: null,
      });
    for (const call of ["study.detail", "study.marks", "study.download", "patient.detail", "share.list"] as const)
      expect(is(await guest.asks(call, { id: things.studyId, studies: [things.studyId] }), "unknownSession")).toBe(
        true,
      );
    expect(is(await guest.asks("share.download", { id: things.studyId }), "notAllowed")).toBe(true);
    const { url } = (await scanOf(guest)).model!;
    const theirs = (await here.clinic.gets("study.detail", { id: otherId! })).series[0]!.instances[0]!;
    const changed = [
      url.replace(
        /[0-9a-f]{64}/,
        theirs.sha256.replace(/^./, (letter) => (letter === "0" ? "1" : "0")),
      ),
      url.replace("/originals/", "/converted/"),
      url.replace(here.clinic.iid!, here.lab.iid!),
      url.replace(/h=[0-9a-f-]+/, ""),
      url.replace(/h=[0-9a-f-]+/, `h=${crypto.randomUUID()}`),
      url.replace(/e=(\d+)/, (_, time: string) => `e=${Number(time) + 600}`),
    ];
    for (const address of changed) expect([(await guest.fetches(address)).status, address]).toEqual([403, address]);
    expect((await guest.fetches(url)).status).toBe(200);
    for (const path of ["/dicomweb/studies", "/v1/notice/stream"])
      expect((await fetched(path, guest.headers())).status).toBe(401);
  });

  it("needs both its halves, and takes up none that was there before", async () => {
    const { secret } = await link();
    const [guest, second] = [await enters(secret), await enters(secret)];
    const over = async (headers: Record<string, string>) =>
      is(await here.server.ask("share.visit", {}, headers), "shareVisitOver");
    const { visit, cookie } = guest.headers();
    const fitting = [...guest.cookies.keys()][0]!;
    const mixed = `${fitting}=${[...second.cookies.values()][0]}`;
    expect(await over({ visit: visit! })).toBe(true);
    expect(await over({ cookie: cookie! })).toBe(true);
    expect(await over({ visit: visit!, cookie: mixed })).toBe(true);
    expect(await over({ visit: `${visit!.split(".")[0]}.${second.visit.split(".")[1]}`, cookie: cookie! })).toBe(true);
    // Planting one's own guest session in another person's browser does not get it opened.
    const victim = visitor(here.server);
    const plant = {
      visit: `${crypto.randomUUID()}.${randomBytes(32).toString("base64url")}`,
      cookie: "visit-00000000-0000=x",
    };
    victim.visit = plant.visit;
    victim.cookies.set("visit-00000000-0000", "x");
    await victim.opens(secret, born);
    expect(await over(plant)).toBe(true);
    const made = await victim.opens(secret, born);
    const line = made.headers.getSetCookie()[0]!;
    for (const word of ["HttpOnly", "SameSite=Strict", "Max-Age=1800", "Path=/"]) expect(line).toContain(word);
    expect((await victim.asks("share.leave", {})).code).toBe(200);
    expect(is(await victim.asks("share.visit", {}), "shareVisitOver")).toBe(true);
  });

  it("ends with the link: at once for calls, within a second for addresses that were handed out", async () => {
    for (const end of ["cancel", "renew", "expire", "bin"] as const) {
      const { secret, share } = await link({ allowDownload: true });
      const guest = await enters(secret);
      const { url } = (await scanOf(guest)).model!;
      const archive = (await guest.asks("share.download", { id: things.studyId })).data.url;
      expect((await guest.fetches(url)).status).toBe(200);
      if (end === "cancel") await cancels(share.id);
      if (end === "renew") await here.clinic.gets("share.renew", { id: share.id });
      if (end === "bin") await bin("now()");
      if (end === "expire")
        await database().asSystem((db) => sql`update share set expires_at = now() where id = ${share.id}`.execute(db));
      const ended = Date.now();
      expect([end, (await looks(guest)).code]).toEqual([
        end,
        refusals[end === "renew" ? "shareVisitOver" : "shareGone"].code,
      ]);
      await expect.poll(async () => (await guest.fetches(url)).status, { interval: 50 }).toBe(403);
      expect(Date.now() - ended).toBeLessThan(1000);
      expect((await guest.fetches(archive)).status).toBe(403);
      if (end === "bin") await bin("null");
    }
  });

  it("has a file cut off in the middle when its link is cancelled", async () => {
    const { secret: opener, share } = await link();
    const guest = await enters(opener);
    const [iid, [id = "", token = ""]] = [here.clinic.iid!, guest.visit.split(".")];
    const { sha256 } = await files().put("converted", iid, randomBytes(48_000_000));
    await database().asSystem((db) => sql`update study set thumbnail = ${sha256}`.execute(db));
    const file = { area: "converted", iid, sha256, name: "long", type: "image/webp" } as const;
    const url = fileUrl(secret(), file, Date.now(), { id, seal: secretHash(token) });
    const reader = (await guest.fetches(url)).body!.getReader();
    expect((await reader.read()).done).toBe(false);
    await cancels(share.id);
    // The reader waits, and with it the sender: most of the file has not left yet.
    await new Promise((resolve) => setTimeout(resolve, 900));
    const rest = async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read());
    };
    await expect(rest()).rejects.toThrow("terminated");
  });

  it(`never outlives a link that is cancelled while it opens, in ${races} races`, { timeout: 900_000 }, async () => {
    let entered = 0;
    for (let race = 0; race < races; race++) {
      const { secret, share } = await link();
      const guests = Array.from({ length: 4 }, () => visitor(here.server));
      const opening = guests.map((guest) => guest.opens(secret, born));
      await new Promise((resolve) => setTimeout(resolve, race % 12));
      await cancels(share.id);
      for (const guest of guests) if (guest.visit) expect(is(await looks(guest), "shareGone")).toBe(true);
      for (const answer of await Promise.all(opening)) {
        entered += answer.code === 200 ? 1 : 0;
        expect([200, refusals.shareGone.code]).toContain(answer.code);
      }
      for (const guest of guests)
        expect(is(await looks(guest), guest.visit ? "shareGone" : "shareVisitOver")).toBe(true);
      const [row] = (await here.clinic.gets("share.list", { part: "ended" })).list;
      expect([row!.id, row!.state]).toEqual([share.id, "cancelled"]);
    }
    console.info(`T-10: ${races} links cancelled while 4 visitors opened each: ${entered} came in before, 0 stayed`);
  });
});

describe("T-10: a link without names", () => {
  it("names nobody in its answers, its files, their addresses or its archive", { timeout: 120_000 }, async () => {
    const wang = { id: "PID-4711", name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" } as const;
    const size = { columns: 32, rows: 32, slices: 8, voxel: 4 };
    const slices = [...cbctFiles(makeHead("shares"), wang, { size })].map(({ name, bytes }) => [
      `王小明 ${name}`,
      bytes,
    ]);
    const patient = await newPatient(here.clinic);
    const [studyId] = (await uploaded(here.clinic, patient, Object.fromEntries(slices))).studies;
    const { secret } = await linked(here.clinic, studyId!, {
      nameless: true,
      factor: { kind: "none" },
      allowDownload: true,
    });
    const guest = await enters(secret, "");
    const study = (await guest.asks("share.study", { id: studyId! })).data;
    const archive = (await guest.asks("share.download", { id: studyId! })).data.url;
    const texts = [JSON.stringify([study, (await guest.asks("share.visit", {})).data])];
    const addresses = [...texts[0]!.matchAll(/"(\/files\/[^"]+)"/g)].map(([, address]) => address!);
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) {
      const response = await guest.fetches(address);
      expect(response.status).toBe(200);
      texts.push(JSON.stringify([...response.headers]), Buffer.from(await response.arrayBuffer()).toString());
    }
    const packed = await guest.fetches(archive);
    const zip = await fromBufferPromise(Buffer.from(await packed.arrayBuffer()));
    let files = 0;
    for await (const entry of zip.eachEntry()) {
      const bytes = await zip.openReadStreamPromise(entry).then(async (stream) => {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        return Buffer.concat(chunks);
      });
      files += 1;
      texts.push(entry.fileName, bytes.toString());
    }
    expect(files).toBe(8);
    for (const word of ["王", "小明", "Wang", "Xiaoming", "PID-4711", "19900101", "1990-01-01"])
      expect([word, texts.findIndex((text) => text.includes(word))]).toEqual([word, -1]);
  });
});

const bin = (at: "now()" | "null") =>
  database().asSystem((db) =>
    sql`update study set deleted_at = ${sql.raw(at)} where id = ${things.studyId}`.execute(db),
  );

/** Returns the secret with one character changed, or with its case changed. */
function nearly(secret: string, at: number): string {
  const place = at % secret.length;
  const letter = secret[place]!;
  const turned = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return secret.slice(0, place) + (turned === letter ? "A" : turned) + secret.slice(place + 1);
}
