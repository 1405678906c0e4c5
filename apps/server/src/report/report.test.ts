import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import sharp from "sharp";
import { expect, it } from "vitest";
import type { Report } from "@arcada/contract/report/report.calls";
import type { ReportForm } from "@arcada/contract/report/report.schema";
import { refusals } from "@arcada/contract/kernel/refusals";
import { permanentTeeth, positionInQuadrant } from "@arcada/contract/kernel/tooth-numbers";
import { createCephalogram, getCephLandmarks, cephSize } from "@arcada/phantom/radiograph/cephalogram";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { hashPassword } from "../account/sign-in/password.ts";
import { SoftwareAuthenticator } from "@arcada/testing/peers/software-authenticator";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser } from "@arcada/testing/setup/setup";
import { present } from "@arcada/testing/present";

/** Two who work at a clinic and sign with a password. */
async function institution() {
  const env = await setup();
  const hash = await hashPassword(goodPassword);
  await env.dentist.server.running.database.asSystem((db) =>
    sql`update users set password_hash = ${hash} where id in (${env.dentist.uid}, ${env.clinic.uid})`.execute(db),
  );
  return env;
}

type Tooth = { fdi: number; presence: "present" | "missing"; crown: 0 | 1 | 3 | null };
const soundTooth = (fdi: number): Tooth => ({ fdi, presence: "present", crown: 0 });

const saveChart = (who: TestUser, patientId: string, version: number, teeth: Tooth[]) =>
  who.call("chart.save", {
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
const saveReport = (who: TestUser, report: Report, form: Partial<ReportForm>, seen = false) =>
  who.call("report.save", { id: report.id, version: report.version, form: { ...report.form, ...form }, seen });
const signReport = (who: TestUser, { id, version }: Report, more: object = {}) =>
  who.ask("report.sign", { id, version, licence: "110441900000123", password: goodPassword, ...more });

async function printReport(who: TestUser, id: string, lang: "zh" | "en"): Promise<Buffer> {
  const { url } = await who.call("report.paper", { id, lang });
  const answer = await fetch(who.server.address + url);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  return Buffer.from(await answer.arrayBuffer());
}
/** Returns the text of the document as a PDF reader extracts it; null if the machine has no such reader. */
function pdfText(pdf: Buffer): string | null {
  if (!existsSync("/usr/bin/pdftotext")) return null;
  const folder = mkdtempSync(path.join(tmpdir(), "report-"));
  const file = path.join(folder, "paper.pdf");
  writeFileSync(file, pdf);
  const text = execFileSync("/usr/bin/pdftotext", ["-layout", file, "-"], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return text;
}
const countOccurrences = (text: string, word: string): number => text.split(word).length - 1;

it("states 32 unassessed teeth for an unassessed mouth, gives no score, and states on each page that it is unsigned", async () => {
  const { dentist } = await setup();
  const report = await dentist.call("report.create", { patientId: await createPatient(dentist), source: "ai" });
  expect(report).toMatchObject({ number: "R0000001", state: "draft", score: null });
  const { lists, score, engines, measurements } = report.content;
  expect([lists.notAssessed.length, Object.values(lists).flat().length]).toEqual([32, 32]);
  expect([score.score, score.why, engines, measurements]).toEqual([null, "notAssessed", [], []]);
  const [zh, en] = [
    pdfText(await printReport(dentist, report.id, "zh")),
    pdfText(await printReport(dentist, report.id, "en")),
  ];
  if (zh === null || en === null) return;
  // One row for each of 32 teeth.
  expect(countOccurrences(en, "not assessed")).toBeGreaterThanOrEqual(32);
  expect(countOccurrences(zh, "未评估")).toBeGreaterThanOrEqual(32);
  for (const word of ["No score", "No analysis engine was used", "R0000001", "王小明"]) expect(en).toContain(word);
  for (const word of ["无评分", "未使用分析引擎", "口腔健康报告", "王小明"]) expect(zh).toContain(word);
  for (const text of [/T-Health/, /\bhealthy\b/]) expect(en).not.toMatch(text);
  const pages = en.split("\f").filter((page) => page.trim());
  for (const page of pages) expect(page).toContain("Draft, not reviewed by a dentist");
}, 60_000);

it("is signed after re-entering the password, prints the same bytes from then on, and cannot be changed", async () => {
  const { dentist, clinic, lab } = await institution();
  const patientId = await createPatient(dentist);
  const scored = permanentTeeth.filter((fdi) => positionInQuadrant(fdi) < 8).map(soundTooth);
  const teeth = scored.map((tooth, at): Tooth => {
    if (at < 2) return { ...tooth, crown: 3 };
    if (at === 2) return { ...tooth, crown: 1 };
    return at === 3 ? { ...tooth, presence: "missing", crown: null } : tooth;
  });
  await saveChart(dentist, patientId, 0, teeth);
  const begun = await dentist.call("report.create", { patientId, source: "ai" });
  expect(begun.content).toMatchObject({ score: { score: 90 }, problemTeethNum: 1 });
  expect(begun.form.problems).toMatchObject([{ code: "caries", severity: "deep", surfaces: ["distal"] }]);
  const empty = await signReport(dentist, begun);
  expect(empty.code).toBe(refusals.reportEmpty.code);
  const draft = await saveReport(dentist, begun, { diagnosis: "龋病 Caries", advice: "三个月后复查" });
  expect((await signReport(dentist, draft, { password: "not it at all" })).code).not.toBe(200);
  expect((await signReport(dentist, draft, { password: undefined })).code).not.toBe(200);
  expect((await dentist.call("report.detail", { id: draft.id })).state).toBe("draft");

  const done = (await signReport(dentist, draft)).data;
  expect(done).toMatchObject({ state: "signed", score: 90, licence: "110441900000123", signer: dentist.name });
  expect(done.papers.map(({ language, bytes }) => [language, bytes < 3_000_000])).toEqual([
    ["en", true],
    ["zh", true],
  ]);
  const first = await printReport(clinic, done.id, "en");
  // Signed content stays the same, whatever happens to the chart and the names.
  await saveChart(dentist, patientId, 1, [{ fdi: 11, presence: "missing", crown: null }]);
  expect(Buffer.compare(await printReport(clinic, done.id, "en"), first)).toBe(0);
  expect((await dentist.call("report.detail", { id: done.id })).content).toEqual(done.content);
  for (const [name, input] of [
    ["report.save", { id: done.id, version: done.version, form: done.form }],
    ["report.sign", { id: done.id, version: done.version, licence: "1", password: goodPassword }],
    ["report.step", { id: done.id, version: done.version, action: "remove" }],
  ] as const)
    expect((await dentist.ask(name, input)).code, name).toBe(refusals.reportActionNotAllowed.code);
  const wall = { system: true } as const;
  for (const change of [sql`score = 100`, sql`content = '{}'`, sql`state = 'draft'`, sql`licence = 'x'`])
    await expect(
      dentist.server.running.database.as(wall, (db) =>
        sql`update report set ${change} where id = ${done.id}`.execute(db),
      ),
    ).rejects.toThrow("stays as it was signed");
  expect((await lab.ask("report.detail", { id: done.id })).code).toBe(refusals.notAllowed.code);
  expect((await (await setup()).dentist.ask("report.detail", { id: done.id })).code).toBe(refusals.notFound.code);
  const words = pdfText(first);
  if (words === null) return;
  for (const word of [
    "T-Health",
    "90",
    "4 × 28",
    "龋病 Caries",
    "110441900000123",
    present(done.sha256, "sha256"),
    "Page 2 of",
  ])
    expect(words).toContain(word);
  expect(words).not.toContain("Draft");
}, 60_000);

it("cannot be signed after the record or the chart changed until its author has reviewed it, and can be signed with a passkey", async () => {
  const { dentist, clinic } = await institution();
  const patientId = await createPatient(dentist);
  const begun = await dentist.call("report.create", { patientId, source: "manual" });
  const draft = await saveReport(dentist, begun, { diagnosis: "x" });
  await saveChart(clinic, patientId, 0, [soundTooth(11), soundTooth(21)]);
  const refused = await signReport(dentist, draft);
  expect([refused.code, refused.data]).toMatchObject([
    refusals.reportMoved.code,
    { changes: { chart: true, teeth: [11, 21], patient: [], tracing: false } },
  ]);
  const seen = await saveReport(dentist, draft, {}, true);
  expect(seen.changes).toBeNull();
  const other = await saveReport(clinic, seen, { advice: "y" });
  expect((await signReport(dentist, seen)).code).toBe(refusals.reportChanged.code);
  const key = new SoftwareAuthenticator(dentist.server.address);
  const made = await dentist.call("factor.passkeyStart", { password: goodPassword });
  await dentist.call("factor.passkeyAdd", { name: "Laptop", response: key.createCredential(made) });
  const shownTo = async (who: TestUser) => ({
    password: undefined,
    passkey: key.getAssertion(await who.call("factor.proofOptions", {})),
  });
  expect((await signReport(dentist, other, await shownTo(clinic))).code).toBe(refusals.passkeyWrong.code);
  expect((await signReport(dentist, other, await shownTo(dentist))).data.state).toBe("signed");
}, 60_000);

it("is corrected by a separate report, and withdrawn with a reason by its signer", async () => {
  const { dentist, clinic } = await institution();
  const patientId = await createPatient(dentist);
  const begun = await dentist.call("report.create", { patientId, source: "manual" });
  const old = (await signReport(dentist, await saveReport(dentist, begun, { diagnosis: "x" }))).data;
  const step = (who: TestUser, { id, version }: Report, action: string, more = {}) =>
    who.ask("report.step", { id, version, action, ...more });
  const draft = present((await step(dentist, old, "amend")).data, "data");
  expect(draft).toMatchObject({
    state: "draft",
    number: "R0000002",
    previous: { id: old.id },
    form: { diagnosis: "x" },
  });
  expect((await step(clinic, old, "amend")).code).toBe(refusals.reportCorrected.code);
  expect((await clinic.call("report.detail", { id: old.id })).state).toBe("signed");
  const next = (await signReport(dentist, await saveReport(dentist, draft, { diagnosis: "z" }))).data;
  const replaced = await clinic.call("report.detail", { id: old.id });
  expect(replaced).toMatchObject({ state: "amended", next: { id: next.id }, content: { form: { diagnosis: "x" } } });
  expect((await step(dentist, next, "withdraw")).code).toBe(refusals.reportReasonMissing.code);
  const gone = present((await step(dentist, next, "withdraw", { reason: "wrong patient" })).data, "data");
  expect(gone).toMatchObject({ state: "withdrawn", ended: { reason: "wrong patient" }, actions: [] });
  const words = pdfText(await printReport(clinic, gone.id, "en"));
  if (words !== null) expect(words).toContain("wrong patient");
  expect((await clinic.call("report.list", { patientId })).list.map(({ number, state }) => [number, state])).toEqual([
    ["R0000002", "withdrawn"],
    ["R0000001", "amended"],
  ]);
}, 60_000);

it("shows a radiograph that was scanned sideways in the orientation of its tracing, also among the images", async () => {
  const { dentist } = await institution();
  const patientId = await createPatient(dentist);
  const [columns, rows] = [cephSize.columns / 8, cephSize.rows / 8];
  const plain = { create: { width: columns, height: rows, channels: 3 as const, background: "#555" } };
  const files = { "film.png": await sharp(plain).png().toBuffer() };
  const [studyId] = (await uploadStudy(dentist, patientId, files, { kind: "lateralCeph" })).studies;
  const [film] = await dentist.call("ceph.list", { patientId });
  const lying = ({ column, row }: { column: number; row: number }): [number, number] => [
    columns / 2 + 0.7 * (row / 8 - rows / 2),
    rows / 2 - 0.7 * (column / 8 - columns / 2),
  ];
  const truth = getCephLandmarks(makeHead("report lying"));
  const places = ["S", "N", "A", "B", "Pog", "Gn", "Me", "Go", "Po", "Or", "ANS", "PNS", "Ar"];
  const landmarks = Object.fromEntries(places.map((id) => [id, lying(truth[id])]));
  const { instanceId } = film;
  const content = { landmarks, aspect: 1, calibration: null, population: "white", remark: null } as const;
  await dentist.call("ceph.save", { studyId: studyId, instanceId, version: 0, content });
  const begun = await dentist.call("report.create", { patientId, source: "ai" });
  await saveReport(dentist, begun, { images: [{ studyId: studyId, instanceId, caption: "" }] });
  const report = await dentist.call("report.detail", { id: begun.id });
  const turns = present(report.content.images[0].turns, "turns");
  expect([1, 3]).toContain(turns);
  expect(report.content.ceph?.drawing?.turns).toBe(turns);
  const shown = present(
    (await dentist.call("report.pictures", { id: begun.id })).find(({ box }) => box === `turned ${turns}`),
  );
  expect(shown.width / shown.height).toBeCloseTo(rows / columns, 2);
}, 60_000);

it("shows the tracing over its radiograph, and keeps its lines when it is signed", async () => {
  const { dentist } = await institution();
  const patientId = await createPatient(dentist);
  const head = makeHead("report traced");
  const { name, bytes } = createCephalogram(head, { name: "WANG^XIAOMING", id: "C1", birthDate: "19900101", sex: "M" });
  const [studyId] = (await uploadStudy(dentist, patientId, { [name]: bytes }, { acceptMismatch: true })).studies;
  const [film] = await dentist.call("ceph.list", { patientId });
  const truth = getCephLandmarks(head);
  const places = ["S", "N", "A", "B", "Pog", "Gn", "Me", "Go", "Po", "Or", "ANS", "PNS", "Ar"];
  const landmarks = Object.fromEntries(places.map((id) => [id, [truth[id].column, truth[id].row] as [number, number]]));
  const calibration = { source: "file", width: 0.125, magnification: 1.1, line: null } as const;
  const content = { landmarks, aspect: 1, calibration, population: "white", remark: null } as const;
  const { instanceId } = film;
  await dentist.call("ceph.save", { studyId: studyId, instanceId, version: 0, content });
  const begun = await dentist.call("report.create", { patientId, source: "ai" });
  const { version } = await saveReport(dentist, begun, { diagnosis: "Class I" });
  const { drawing } = present(begun.content.ceph, "ceph");
  expect(drawing?.marks.map(({ sign }) => sign).toSorted()).toEqual(places.toSorted());
  const kept = async () =>
    (
      await dentist.server.running.database.asSystem((db) =>
        db.selectFrom("report_picture").where("report_id", "=", begun.id).selectAll().execute(),
      )
    ).length;
  expect((await printReport(dentist, begun.id, "en")).includes("/DCTDecode")).toBe(true);
  expect(await kept()).toBe(0);
  const images = await dentist.call("report.pictures", { id: begun.id });
  expect(await kept()).toBe(1);
  expect(images).toMatchObject([{ instanceId, box: "upright 0" }]);
  expect(images[0].height / images[0].width).toBeCloseTo(present(drawing).height, 2);
  const done = await signReport(dentist, { ...begun, version });
  expect(done.code).toBe(200);
  const moved = { ...content, landmarks: { ...landmarks, A: [900, 900] as [number, number] } };
  await dentist.call("ceph.save", { studyId: studyId, instanceId, version: 1, content: moved });
  expect(present((await dentist.call("report.detail", { id: begun.id })).content.ceph, "ceph").drawing).toEqual(
    drawing,
  );
  const words = pdfText(await printReport(dentist, begun.id, "en"));
  if (words !== null)
    for (const word of ["Cephalometry", "Steiner", "SNA", "ANS", "PNS"]) expect(words).toContain(word);
}, 60_000);
