import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import sharp from "sharp";
import { expect, it } from "vitest";
import type { Report } from "@arcada/contract/report/report.calls";
import type { ReportForm } from "@arcada/contract/report/report.shape";
import { refusals } from "@arcada/contract/kernel/refusals";
import { permanentTeeth, placeOf } from "@arcada/contract/kernel/tooth";
import { ceph, cephLandmarks, cephSize } from "@arcada/imaging/phantom/ceph";
import { makeHead } from "@arcada/imaging/phantom/head";
import { hashPassword } from "../account/password.ts";
import { Authenticator } from "../../../../tests/authenticator.ts";
import { goodPassword } from "../../../../tests/human.ts";
import { newPatient, uploaded } from "../../../../tests/uploads.ts";
import { world } from "../../../../tests/world.ts";
import type { Person } from "../../../../tests/world.ts";

/** Two who work at a clinic and sign with a password. */
async function house() {
  const here = await world();
  const hash = await hashPassword(goodPassword);
  await here.dentist.server.running.database.asSystem((db) =>
    sql`update users set password_hash = ${hash} where id in (${here.dentist.uid}, ${here.clinic.uid})`.execute(db),
  );
  return here;
}

type Tooth = { fdi: number; presence: "present" | "missing"; crown: 0 | 1 | 3 | null };
const sound = (fdi: number): Tooth => ({ fdi, presence: "present", crown: 0 });

const charted = (who: Person, patientId: string, version: number, teeth: Tooth[]) =>
  who.gets("chart.save", {
    patientId,
    version,
    teeth: teeth.map((tooth) => ({
      ...tooth,
      confirmed: true,
      findings:
        tooth.crown === 1
          ? [{ code: "caries" as const, severity: "deep" as const, surfaces: ["distal" as const] }]
          : [],
    })),
  });
const saved = (who: Person, report: Report, form: Partial<ReportForm>, seen = false) =>
  who.gets("report.save", { id: report.id, version: report.version, form: { ...report.form, ...form }, seen });
const signed = (who: Person, { id, version }: Report, more: object = {}) =>
  who.asks("report.sign", { id, version, licence: "110441900000123", password: goodPassword, ...more });

async function printed(who: Person, id: string, lang: "zh" | "en"): Promise<Buffer> {
  const { url } = await who.gets("report.paper", { id, lang });
  const answer = await fetch(who.server.running.address + url);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  return Buffer.from(await answer.arrayBuffer());
}
/** Returns the words of the paper as a PDF reader finds them; null if the machine has no such reader. */
function wordsOf(pdf: Buffer): string | null {
  if (!existsSync("/usr/bin/pdftotext")) return null;
  const folder = mkdtempSync(path.join(tmpdir(), "report-"));
  const file = path.join(folder, "paper.pdf");
  writeFileSync(file, pdf);
  const text = execFileSync("/usr/bin/pdftotext", ["-layout", file, "-"], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return text;
}
const times = (text: string, word: string): number => text.split(word).length - 1;

it("says of a mouth that nobody looked at that 32 teeth are not assessed, gives no score, and says on each page that nobody signed", async () => {
  const { dentist } = await world();
  const report = await dentist.gets("report.create", { patientId: await newPatient(dentist), source: "ai" });
  expect(report).toMatchObject({ number: "R0000001", state: "draft", score: null });
  const { lists, score, engines, measurements } = report.content;
  expect([lists.notAssessed.length, Object.values(lists).flat().length]).toEqual([32, 32]);
  expect([score.score, score.why, engines, measurements]).toEqual([null, "notAssessed", [], []]);
  const [zh, en] = [wordsOf(await printed(dentist, report.id, "zh")), wordsOf(await printed(dentist, report.id, "en"))];
  if (zh === null || en === null) return;
  // One row for each of 32 teeth.
  expect(times(en, "not assessed")).toBeGreaterThanOrEqual(32);
  expect(times(zh, "未评估")).toBeGreaterThanOrEqual(32);
  for (const word of ["No score", "No analysis engine was used", "R0000001", "王小明"]) expect(en).toContain(word);
  for (const word of ["无评分", "未使用分析引擎", "口腔健康报告", "王小明"]) expect(zh).toContain(word);
  for (const text of [/T-Health/, /\bhealthy\b/]) expect(en).not.toMatch(text);
  const pages = en.split("\f").filter((page) => page.trim());
  for (const page of pages) expect(page).toContain("Draft, not reviewed by a dentist");
}, 60_000);

it("is signed with the password once more, prints the same bytes for ever, and is changed by nobody", async () => {
  const { dentist, clinic, lab } = await house();
  const patientId = await newPatient(dentist);
  const scored = permanentTeeth.filter((fdi) => placeOf(fdi) < 8).map(sound);
  const teeth = scored.map((tooth, at): Tooth => {
    if (at < 2) return { ...tooth, crown: 3 };
    if (at === 2) return { ...tooth, crown: 1 };
    return at === 3 ? { ...tooth, presence: "missing", crown: null } : tooth;
  });
  await charted(dentist, patientId, 0, teeth);
  const begun = await dentist.gets("report.create", { patientId, source: "ai" });
  expect(begun.content).toMatchObject({ score: { score: 90 }, problemTeethNum: 1 });
  expect(begun.form.problems).toMatchObject([{ code: "caries", severity: "deep", surfaces: ["distal"] }]);
  const empty = await signed(dentist, begun);
  expect(empty.code).toBe(refusals.reportEmpty.code);
  const draft = await saved(dentist, begun, { diagnosis: "龋病 Caries", advice: "三个月后复查" });
  expect((await signed(dentist, draft, { password: "not it at all" })).code).not.toBe(200);
  expect((await signed(dentist, draft, { password: undefined })).code).not.toBe(200);
  expect((await dentist.gets("report.detail", { id: draft.id })).state).toBe("draft");

  const done = (await signed(dentist, draft)).data;
  expect(done).toMatchObject({ state: "signed", score: 90, licence: "110441900000123", signer: dentist.name });
  expect(done.papers.map(({ language, bytes }) => [language, bytes < 3_000_000])).toEqual([
    ["en", true],
    ["zh", true],
  ]);
  const first = await printed(clinic, done.id, "en");
  // Signed content stays the same, whatever happens to the chart and the names.
  await charted(dentist, patientId, 1, [{ fdi: 11, presence: "missing", crown: null }]);
  expect(Buffer.compare(await printed(clinic, done.id, "en"), first)).toBe(0);
  expect((await dentist.gets("report.detail", { id: done.id })).content).toEqual(done.content);
  for (const [name, input] of [
    ["report.save", { id: done.id, version: done.version, form: done.form }],
    ["report.sign", { id: done.id, version: done.version, licence: "1", password: goodPassword }],
    ["report.step", { id: done.id, version: done.version, action: "remove" }],
  ] as const)
    expect((await dentist.asks(name, input)).code, name).toBe(refusals.reportActionNotAllowed.code);
  const wall = { system: true } as const;
  for (const change of [sql`score = 100`, sql`content = '{}'`, sql`state = 'draft'`, sql`licence = 'x'`])
    await expect(
      dentist.server.running.database.as(wall, (db) =>
        sql`update report set ${change} where id = ${done.id}`.execute(db),
      ),
    ).rejects.toThrow("stays as it was signed");
  expect((await lab.asks("report.detail", { id: done.id })).code).toBe(refusals.notAllowed.code);
  expect((await (await world()).dentist.asks("report.detail", { id: done.id })).code).toBe(refusals.notFound.code);
  const words = wordsOf(first);
  if (words === null) return;
  for (const word of ["T-Health", "90", "4 × 28", "龋病 Caries", "110441900000123", done.sha256!, "Page 2 of"])
    expect(words).toContain(word);
  expect(words).not.toContain("Draft");
}, 60_000);

it("is not signed where the record or the chart moved under it, until its writer has looked, and a passkey signs as well", async () => {
  const { dentist, clinic } = await house();
  const patientId = await newPatient(dentist);
  const begun = await dentist.gets("report.create", { patientId, source: "manual" });
  const draft = await saved(dentist, begun, { diagnosis: "x" });
  await charted(clinic, patientId, 0, [sound(11), sound(21)]);
  const refused = await signed(dentist, draft);
  expect([refused.code, refused.data]).toMatchObject([
    refusals.reportMoved.code,
    { changes: { chart: true, teeth: [11, 21], patient: [], tracing: false } },
  ]);
  const seen = await saved(dentist, draft, {}, true);
  expect(seen.changes).toBeNull();
  const other = await saved(clinic, seen, { advice: "y" });
  expect((await signed(dentist, seen)).code).toBe(refusals.reportChanged.code);
  const key = new Authenticator(dentist.server.running.address!);
  const made = await dentist.gets("factor.passkeyStart", { password: goodPassword });
  await dentist.gets("factor.passkeyAdd", { name: "Laptop", response: key.makes(made) });
  const shownTo = async (who: Person) => ({
    password: undefined,
    passkey: key.shows(await who.gets("factor.proofOptions", {})),
  });
  expect((await signed(dentist, other, await shownTo(clinic))).code).toBe(refusals.passkeyWrong.code);
  expect((await signed(dentist, other, await shownTo(dentist))).data.state).toBe("signed");
}, 60_000);

it("is corrected by a report of its own, and withdrawn with a reason by who signed it", async () => {
  const { dentist, clinic } = await house();
  const patientId = await newPatient(dentist);
  const begun = await dentist.gets("report.create", { patientId, source: "manual" });
  const old = (await signed(dentist, await saved(dentist, begun, { diagnosis: "x" }))).data;
  const step = (who: Person, { id, version }: Report, action: string, more = {}) =>
    who.asks("report.step", { id, version, action, ...more });
  const draft = (await step(dentist, old, "amend")).data!;
  expect(draft).toMatchObject({
    state: "draft",
    number: "R0000002",
    previous: { id: old.id },
    form: { diagnosis: "x" },
  });
  expect((await step(clinic, old, "amend")).code).toBe(refusals.reportCorrected.code);
  expect((await clinic.gets("report.detail", { id: old.id })).state).toBe("signed");
  const next = (await signed(dentist, await saved(dentist, draft, { diagnosis: "z" }))).data;
  const replaced = await clinic.gets("report.detail", { id: old.id });
  expect(replaced).toMatchObject({ state: "amended", next: { id: next.id }, content: { form: { diagnosis: "x" } } });
  expect((await step(dentist, next, "withdraw")).code).toBe(refusals.reportReasonMissing.code);
  const gone = (await step(dentist, next, "withdraw", { reason: "wrong patient" })).data!;
  expect(gone).toMatchObject({ state: "withdrawn", ended: { reason: "wrong patient" }, actions: [] });
  const words = wordsOf(await printed(clinic, gone.id, "en"));
  if (words !== null) expect(words).toContain("wrong patient");
  expect((await clinic.gets("report.list", { patientId })).list.map(({ number, state }) => [number, state])).toEqual([
    ["R0000002", "withdrawn"],
    ["R0000001", "amended"],
  ]);
}, 60_000);

it("shows a film that was scanned lying as its tracing stands, among the images too", async () => {
  const { dentist } = await house();
  const patientId = await newPatient(dentist);
  const [columns, rows] = [cephSize.columns / 8, cephSize.rows / 8];
  const plain = { create: { width: columns, height: rows, channels: 3 as const, background: "#555" } };
  const files = { "film.png": await sharp(plain).png().toBuffer() };
  const [studyId] = (await uploaded(dentist, patientId, files, { kind: "lateralCeph" })).studies;
  const [film] = await dentist.gets("ceph.list", { patientId });
  const lying = ({ column, row }: { column: number; row: number }): [number, number] => [
    columns / 2 + 0.7 * (row / 8 - rows / 2),
    rows / 2 - 0.7 * (column / 8 - columns / 2),
  ];
  const truth = cephLandmarks(makeHead("report lying"));
  const places = ["S", "N", "A", "B", "Pog", "Gn", "Me", "Go", "Po", "Or", "ANS", "PNS", "Ar"];
  const landmarks = Object.fromEntries(places.map((id) => [id, lying(truth[id]!)]));
  const { instanceId } = film!;
  const content = { landmarks, aspect: 1, calibration: null, population: "white", remark: null } as const;
  await dentist.gets("ceph.save", { studyId: studyId!, instanceId, version: 0, content });
  const begun = await dentist.gets("report.create", { patientId, source: "ai" });
  await saved(dentist, begun, { images: [{ studyId: studyId!, instanceId, caption: "" }] });
  const report = await dentist.gets("report.detail", { id: begun.id });
  const turns = report.content.images[0]!.turns!;
  expect([1, 3]).toContain(turns);
  expect(report.content.ceph!.drawing!.turns).toBe(turns);
  const shown = (await dentist.gets("report.pictures", { id: begun.id })).find(({ box }) => box === `turned ${turns}`)!;
  expect(shown.width / shown.height).toBeCloseTo(rows / columns, 2);
}, 60_000);

it("shows the tracing over its film, and keeps its lines when it is signed", async () => {
  const { dentist } = await house();
  const patientId = await newPatient(dentist);
  const head = makeHead("report traced");
  const { name, bytes } = ceph(head, { name: "WANG^XIAOMING", id: "C1", birthDate: "19900101", sex: "M" });
  const [studyId] = (await uploaded(dentist, patientId, { [name]: bytes }, { acceptMismatch: true })).studies;
  const [film] = await dentist.gets("ceph.list", { patientId });
  const truth = cephLandmarks(head);
  const places = ["S", "N", "A", "B", "Pog", "Gn", "Me", "Go", "Po", "Or", "ANS", "PNS", "Ar"];
  const landmarks = Object.fromEntries(
    places.map((id) => [id, [truth[id]!.column, truth[id]!.row] as [number, number]]),
  );
  const calibration = { source: "file", width: 0.125, magnification: 1.1, line: null } as const;
  const content = { landmarks, aspect: 1, calibration, population: "white", remark: null } as const;
  const { instanceId } = film!;
  await dentist.gets("ceph.save", { studyId: studyId!, instanceId, version: 0, content });
  const begun = await dentist.gets("report.create", { patientId, source: "ai" });
  const { version } = await saved(dentist, begun, { diagnosis: "Class I" });
  const { drawing } = begun.content.ceph!;
  expect(drawing!.marks.map(({ sign }) => sign).toSorted()).toEqual(places.toSorted());
  const kept = async () =>
    (
      await dentist.server.running.database.asSystem((db) =>
        db.selectFrom("report_picture").where("report_id", "=", begun.id).selectAll().execute(),
      )
    ).length;
  expect((await printed(dentist, begun.id, "en")).includes("/DCTDecode")).toBe(true);
  expect(await kept()).toBe(0);
  const pictures = await dentist.gets("report.pictures", { id: begun.id });
  expect(await kept()).toBe(1);
  expect(pictures).toMatchObject([{ instanceId, box: "upright 0" }]);
  expect(pictures[0]!.height / pictures[0]!.width).toBeCloseTo(drawing!.height, 2);
  const done = await signed(dentist, { ...begun, version });
  expect(done.code).toBe(200);
  const moved = { ...content, landmarks: { ...landmarks, A: [900, 900] as [number, number] } };
  await dentist.gets("ceph.save", { studyId: studyId!, instanceId, version: 1, content: moved });
  expect((await dentist.gets("report.detail", { id: begun.id })).content.ceph!.drawing).toEqual(drawing);
  const words = wordsOf(await printed(dentist, begun.id, "en"));
  if (words !== null)
    for (const word of ["Cephalometry", "Steiner", "SNA", "ANS", "PNS"]) expect(words).toContain(word);
}, 60_000);
