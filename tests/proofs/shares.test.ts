import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { shareRules } from "@arcada/contract/share/share.rules";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { fromBufferPromise } from "yauzl";
import { createFileUrl } from "../../apps/server/src/platform/storage/file-url.ts";
import { secretHash } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { files, secret } from "../../apps/server/src/platform/runtime/services.ts";
import { createLinkSecret } from "../../apps/server/src/share/share-secrets.ts";
import { crownStl, createFixtures, type Fixtures } from "@arcada/testing/fixtures/patient-with-orders";
import { findSentCode } from "@arcada/testing/fixtures/account-registration";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { createShare, newGuest, type Guest } from "@arcada/testing/clients/guest";
import { setup, type Answer, type TestSetup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";
import { scaleToIdleMachine } from "@arcada/testing/tools/idle-machine-time";

const isFull = process.env.ARCADA_PROOF === "full";
const [guessCount, raceCount] = isFull ? [3000, 200] : [120, 6];
const birthDate = "1988-04-12";
let clinicAndLab: TestSetup;
let fixtures: Fixtures;
beforeAll(async () => {
  clinicAndLab = await setup();
  fixtures = await createFixtures(clinicAndLab);
});
const createLink = (more: object = {}) => createShare(clinicAndLab.clinic, fixtures.studyId, more);
const openLink = async (secret: string, factor = birthDate): Promise<Guest> => {
  const guest = newGuest(clinicAndLab.server);
  expect((await guest.open(secret, factor)).code).toBe(200);
  return guest;
};
const database = () => clinicAndLab.server.running.database;
const cancelShare = (id: string) => clinicAndLab.clinic.call("share.step", { id, action: "cancel" });
const fetchStatus = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${clinicAndLab.server.address}${path}`, { headers });
const viewStudy = (guest: Guest) => guest.ask("share.study", { id: fixtures.studyId });
const readInstance = async (guest: Guest) => (await viewStudy(guest)).data.series[0].instances[0];

describe("T-10: a link that was never made", () => {
  it(`is indistinguishable from one that has ended, in ${guessCount} guesses`, { timeout: 900_000 }, async () => {
    const { secret, share } = await createLink();
    const over = await createLink();
    await cancelShare(over.share.id);
    const late = await createLink();
    await database().asSystem((db) =>
      sql`update share set expires_at = now() - interval '1 second' where id = ${late.share.id}`.execute(db),
    );
    const said = new Set<string>();
    const ask = async (guess: string) => {
      const guest = newGuest(clinicAndLab.server);
      for (const answer of [
        await guest.ask("share.knock", { secret: guess }),
        await guest.ask("share.sendCode", { secret: guess }),
        await guest.open(guess, birthDate),
      ])
        said.add(JSON.stringify([refusalOf(answer), answer.status, answer.msg, answer.data]));
    };
    for (const ended of [over.secret, late.secret]) await ask(ended);
    for (let guess = 0; guess < guessCount / 3; guess++)
      await ask(guess % 2 === 0 ? createLinkSecret() : alterSecret(secret, guess));
    expect([...said]).toHaveLength(1);
    expect(JSON.parse([...said][0])[0]).toBe("shareGone");
    const row = (await clinicAndLab.clinic.call("share.list", {})).list.find(({ id }) => id === share.id);
    expect(row).toMatchObject({ opens: 0, state: "active" });
  });
});

describe("T-10: a second factor", () => {
  it("is evaluated five times in a quarter of an hour and ten times in all, for all callers together", async () => {
    const { secret, share } = await createLink();
    const flood = () =>
      Promise.all(Array.from({ length: 30 }, (_, at) => newGuest(clinicAndLab.server).open(secret, `1990-01-${at}`)));
    const count = (answers: Answer<unknown>[], name: RefusalName) =>
      answers.filter((one) => refusalOf(one) === name).length;
    const first = await flood();
    expect([count(first, "shareFactorWrong"), count(first, "shareFactorWait")]).toEqual([shareRules.waitAfter, 25]);
    expect(refusalOf(await newGuest(clinicAndLab.server).open(secret, birthDate))).toBe("shareFactorWait");
    await database().asSystem((db) =>
      sql`update share set failed_at = array(select at - interval '15 minutes' from unnest(failed_at) at) where id = ${share.id}`.execute(
        db,
      ),
    );
    const second = await flood();
    expect([count(second, "shareFactorWrong"), count(second, "shareLocked")]).toEqual([5, 25]);
    expect(refusalOf(await newGuest(clinicAndLab.server).open(secret, birthDate))).toBe("shareLocked");
    const [row] = (await clinicAndLab.clinic.call("share.list", {})).list.filter(({ id }) => id === share.id);
    expect(row).toMatchObject({ state: "locked", opens: 0 });
    await clinicAndLab.clinic.call("share.step", { id: share.id, action: "unlock" });
    await openLink(secret);
  });

  it("by e-mail is worth nothing after five guesses, the right code among the later ones", async () => {
    const email = "guessed@elsewhere.test";
    const { secret } = await createLink({ factor: { kind: "email", email } });
    await newGuest(clinicAndLab.server).ask("share.sendCode", { secret });
    await expect.poll(() => findSentCode(email)).toMatch(/^\d{6}$/);
    const code = await findSentCode(email);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
    for (let guess = 0; guess < 5; guess++)
      expect(refusalOf(await newGuest(clinicAndLab.server).open(secret, wrong))).toBe("shareFactorWrong");
    expect(refusalOf(await newGuest(clinicAndLab.server).open(secret, code))).toBe("shareFactorWait");
  });

  it("is not skipped by leaving it out, and does not open the links of others", async () => {
    const [{ secret }, other] = [
      await createLink(),
      await createLink({ factor: { kind: "phrase", phrase: "blue heron" } }),
    ];
    expect(refusalOf(await newGuest(clinicAndLab.server).open(secret))).toBe("shareFactorWrong");
    expect(refusalOf(await newGuest(clinicAndLab.server).open(other.secret, birthDate))).toBe("shareFactorWrong");
    await openLink(other.secret, "  Blue  HERON ");
  });
});

describe("T-10: a guest session", () => {
  it("opens nothing but its study: no other one, no call of members, no changed address", async () => {
    const patient = await createPatient(clinicAndLab.clinic);
    const [otherId] = (await uploadStudy(clinicAndLab.clinic, patient, { "lower.stl": crownStl() })).studies;
    const guest = await openLink((await createLink()).secret);
    const unknown = await guest.ask("share.study", { id: crypto.randomUUID() });
    for (const call of ["share.study", "share.marks", "share.download"] as const)
      expect(await guest.ask(call, { id: otherId })).toMatchObject({
        code: unknown.code,
        msg: unknown.msg,
        data: null,
      });
    for (const call of ["study.detail", "study.marks", "study.download", "patient.detail", "share.list"] as const)
      expect(refusalOf(await guest.ask(call, { id: fixtures.studyId, studies: [fixtures.studyId] }))).toBe(
        "unknownSession",
      );
    expect(refusalOf(await guest.ask("share.download", { id: fixtures.studyId }))).toBe("notAllowed");
    const { url } = present((await readInstance(guest)).model, "model");
    const theirs = (await clinicAndLab.clinic.call("study.detail", { id: otherId })).series[0].instances[0];
    const changed = [
      url.replace(
        /[0-9a-f]{64}/,
        theirs.sha256.replace(/^./, (email) => (email === "0" ? "1" : "0")),
      ),
      url.replace("/originals/", "/converted/"),
      url.replace(clinicAndLab.clinic.iid, clinicAndLab.lab.iid),
      url.replace(/h=[0-9a-f-]+/, ""),
      url.replace(/h=[0-9a-f-]+/, `h=${crypto.randomUUID()}`),
      url.replace(/e=(\d+)/, (_, time: string) => `e=${Number(time) + 600}`),
    ];
    for (const address of changed) expect([(await guest.fetch(address)).status, address]).toEqual([403, address]);
    expect((await guest.fetch(url)).status).toBe(200);
    for (const path of ["/dicomweb/studies", "/v1/notice/stream"])
      expect((await fetchStatus(path, guest.headers())).status).toBe(401);
  });

  it("requires both its halves, and never adopts one that existed before", async () => {
    const { secret } = await createLink();
    const [guest, second] = [await openLink(secret), await openLink(secret)];
    const over = async (headers: Record<string, string>) =>
      refusalOf(await clinicAndLab.server.ask("share.visit", {}, headers)) === "shareVisitOver";
    const { visit, cookie } = guest.headers();
    const fitting = [...guest.cookies.keys()][0];
    const mixed = `${fitting}=${[...second.cookies.values()][0]}`;
    expect(await over({ visit: visit })).toBe(true);
    expect(await over({ cookie: cookie })).toBe(true);
    expect(await over({ visit: visit, cookie: mixed })).toBe(true);
    expect(await over({ visit: `${visit.split(".")[0]}.${second.sessionToken.split(".")[1]}`, cookie: cookie })).toBe(
      true,
    );
    // Planting one's own guest session in another person's browser does not get it opened.
    const victim = newGuest(clinicAndLab.server);
    const plant = {
      visit: `${crypto.randomUUID()}.${randomBytes(32).toString("base64url")}`,
      cookie: "visit-00000000-0000=x",
    };
    victim.sessionToken = plant.visit;
    victim.cookies.set("visit-00000000-0000", "x");
    await victim.open(secret, birthDate);
    expect(await over(plant)).toBe(true);
    const made = await victim.open(secret, birthDate);
    const line = made.headers.getSetCookie()[0];
    for (const word of ["HttpOnly", "SameSite=Strict", "Max-Age=1800", "Path=/"]) expect(line).toContain(word);
    expect((await victim.ask("share.leave", {})).code).toBe(200);
    expect(refusalOf(await victim.ask("share.visit", {}))).toBe("shareVisitOver");
  });

  it("ends with the link: at once for calls, within a second for addresses that were handed out", async () => {
    for (const end of ["cancel", "renew", "expire", "bin"] as const) {
      const { secret, share } = await createLink({ allowDownload: true });
      const guest = await openLink(secret);
      const { url } = present((await readInstance(guest)).model, "model");
      const archive = (await guest.ask("share.download", { id: fixtures.studyId })).data.url;
      expect((await guest.fetch(url)).status).toBe(200);
      if (end === "cancel") await cancelShare(share.id);
      if (end === "renew") await clinicAndLab.clinic.call("share.renew", { id: share.id });
      if (end === "bin") await setDeletedAt("now()");
      if (end === "expire")
        await database().asSystem((db) => sql`update share set expires_at = now() where id = ${share.id}`.execute(db));
      const ended = Date.now();
      expect([end, refusalOf(await viewStudy(guest))]).toEqual([end, end === "renew" ? "shareVisitOver" : "shareGone"]);
      await expect.poll(async () => (await guest.fetch(url)).status, { interval: 50 }).toBe(403);
      expect(scaleToIdleMachine(Date.now() - ended)).toBeLessThan(1000);
      expect((await guest.fetch(archive)).status).toBe(403);
      if (end === "bin") await setDeletedAt("null");
    }
  });

  it("has a file cut off in the middle when its link is cancelled", async () => {
    const { secret: opener, share } = await createLink();
    const guest = await openLink(opener);
    const [iid, [id = "", token = ""]] = [clinicAndLab.clinic.iid, guest.sessionToken.split(".")];
    const { sha256 } = await files().put("converted", iid, randomBytes(48_000_000));
    await database().asSystem((db) => sql`update study set thumbnail = ${sha256}`.execute(db));
    const file = { area: "converted", iid, sha256, name: "long", type: "image/webp" } as const;
    const url = createFileUrl(secret(), file, Date.now(), { id, tokenHash: secretHash(token) });
    const reader = present((await guest.fetch(url)).body, "body").getReader();
    expect((await reader.read()).done).toBe(false);
    await cancelShare(share.id);
    // The reader waits, and with it the sender: most of the file has not left yet.
    await new Promise((resolve) => setTimeout(resolve, 900));
    const rest = async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read());
    };
    await expect(rest()).rejects.toThrow("terminated");
  });

  it(
    `never outlives a link that is cancelled while it opens, in ${raceCount} races`,
    { timeout: 900_000 },
    async () => {
      let entered = 0;
      for (let race = 0; race < raceCount; race++) {
        const { secret, share } = await createLink();
        const guests = Array.from({ length: 4 }, () => newGuest(clinicAndLab.server));
        const opening = guests.map((guest) => guest.open(secret, birthDate));
        await new Promise((resolve) => setTimeout(resolve, race % 12));
        await cancelShare(share.id);
        for (const guest of guests) if (guest.sessionToken) expect(refusalOf(await viewStudy(guest))).toBe("shareGone");
        for (const answer of await Promise.all(opening)) {
          entered += answer.code === 200 ? 1 : 0;
          expect(["accepted", "shareGone"]).toContain(refusalOf(answer));
        }
        for (const guest of guests)
          expect(refusalOf(await viewStudy(guest))).toBe(guest.sessionToken ? "shareGone" : "shareVisitOver");
        const [row] = (await clinicAndLab.clinic.call("share.list", { part: "ended" })).list;
        expect([row.id, row.state]).toEqual([share.id, "cancelled"]);
      }
      console.info(
        `T-10: ${raceCount} links cancelled while 4 visitors opened each: ${entered} came in before, 0 stayed`,
      );
    },
  );
});

describe("T-10: a link without names", () => {
  it("names nobody in its answers, its files, their addresses or its archive", { timeout: 120_000 }, async () => {
    const wang = { id: "PID-4711", name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" } as const;
    const size = { columns: 32, rows: 32, slices: 8, voxel: 4 };
    const slices = [...createCbctFiles(makeHead("shares"), wang, { size })].map(({ name, bytes }) => [
      `王小明 ${name}`,
      bytes,
    ]);
    const patient = await createPatient(clinicAndLab.clinic);
    const [studyId] = (await uploadStudy(clinicAndLab.clinic, patient, Object.fromEntries(slices))).studies;
    const { secret } = await createShare(clinicAndLab.clinic, studyId, {
      nameless: true,
      factor: { kind: "none" },
      allowDownload: true,
    });
    const guest = await openLink(secret, "");
    const study = (await guest.ask("share.study", { id: studyId })).data;
    const archive = (await guest.ask("share.download", { id: studyId })).data.url;
    const texts = [JSON.stringify([study, (await guest.ask("share.visit", {})).data])];
    const addresses = [...texts[0].matchAll(/"(\/files\/[^"]+)"/g)].map(([, address]) => address);
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) {
      const response = await guest.fetch(address);
      expect(response.status).toBe(200);
      texts.push(JSON.stringify([...response.headers]), Buffer.from(await response.arrayBuffer()).toString());
    }
    const packed = await guest.fetch(archive);
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

const setDeletedAt = (at: "now()" | "null") =>
  database().asSystem((db) =>
    sql`update study set deleted_at = ${sql.raw(at)} where id = ${fixtures.studyId}`.execute(db),
  );

/** Returns the secret with one character changed, or with its case changed. */
function alterSecret(secret: string, at: number): string {
  const place = at % secret.length;
  const email = secret[place];
  const turned = email === email.toLowerCase() ? email.toUpperCase() : email.toLowerCase();
  return secret.slice(0, place) + (turned === email ? "A" : turned) + secret.slice(place + 1);
}
