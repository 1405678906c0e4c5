import { sql } from "kysely";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import type { Report } from "@arcada/contract/report/report.calls";
import { createCephalogram, getCephLandmarks, cephSize } from "@arcada/phantom/radiograph/cephalogram";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { SoftwareAuthenticator } from "@arcada/testing/peers/software-authenticator";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import {
  createScoredReport,
  extractPdfText,
  printReport,
  saveChart,
  saveReport,
  setupSigners,
  signReport,
  soundTooth,
} from "@arcada/testing/fixtures/reports";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type TestSetup, type TestUser } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const diagnosis = { diagnosis: "龋病 Caries", advice: "三个月后复查" };

const countOccurrences = (text: string, word: string): number => text.split(word).length - 1;

it("states 32 unassessed teeth for an unassessed mouth, gives no score, and states on each page that it is unsigned", async () => {
  const { dentist } = await setup();
  const begun = await dentist.call("report.create", { patientId: await createPatient(dentist), source: "ai" });
  expect(begun).toMatchObject({ number: "R0000001", state: "draft", score: null });
  const { lists, score, engines, measurements } = begun.content;
  expect([lists.notAssessed.length, Object.values(lists).flat().length]).toEqual([32, 32]);
  expect([score.score, score.why, engines, measurements]).toEqual([null, "notAssessed", [], []]);
  const [zh, en] = [
    extractPdfText(await printReport(dentist, begun.id, "zh", "annex")),
    extractPdfText(await printReport(dentist, begun.id, "en", "annex")),
  ];
  if (zh === null || en === null) return;
  // One row for each of 32 teeth.
  expect(countOccurrences(en, "not assessed")).toBeGreaterThanOrEqual(32);
  expect(countOccurrences(zh, "未评估")).toBeGreaterThanOrEqual(32);
  for (const word of ["No score", "No analysis engine was used", "R0000001", "王小明"]) expect(en).toContain(word);
  for (const word of ["无评分", "未使用分析引擎", "技术附录", "王小明"]) expect(zh).toContain(word);
  for (const text of [/T-Health/, /\bhealthy\b/]) expect(en).not.toMatch(text);
  const report = present(extractPdfText(await printReport(dentist, begun.id, "en")));
  expect(report).toContain("The teeth have not been assessed in the tooth chart.");
  for (const page of [...en.split("\f"), ...report.split("\f")].filter((page) => page.trim()))
    expect(page).toContain("Draft, not reviewed by a dentist");
}, 60_000);

it("scores the chart and lists its problems", async () => {
  const { dentist } = await setupSigners();
  const begun = await createScoredReport(dentist);
  expect(begun.content).toMatchObject({ score: { score: 90 }, problemTeethNum: 1 });
  expect(begun.form.problems).toMatchObject([{ code: "caries", severity: "deep", surfaces: ["distal"] }]);
});

it("cannot be signed while it is empty", async () => {
  const { dentist } = await setupSigners();
  expect(refusalOf(await signReport(dentist, await createScoredReport(dentist)))).toBe("reportEmpty");
});

it.each(["not it at all", undefined])("cannot be signed with the password %s", async (password) => {
  const { dentist } = await setupSigners();
  const draft = await saveReport(dentist, await createScoredReport(dentist), diagnosis);
  expect(refusalOf(await signReport(dentist, draft, { password }))).not.toBe("accepted");
  expect((await dentist.call("report.detail", { id: draft.id })).state).toBe("draft");
});

describe("a signed report", () => {
  let env: TestSetup;
  let signed: Report;
  let paper: Buffer;
  beforeAll(async () => {
    env = await setupSigners();
    const draft = await saveReport(env.dentist, await createScoredReport(env.dentist), diagnosis);
    signed = (await signReport(env.dentist, draft)).data;
    paper = await printReport(env.clinic, signed.id, "en");
  });

  it("names its signer, licence and score, and has a document in each language", () => {
    expect(signed).toMatchObject({
      state: "signed",
      score: 90,
      licence: "110441900000123",
      signer: env.dentist.name,
    });
    expect(signed.papers.map(({ language, bytes }) => [language, bytes < 3_000_000])).toEqual([
      ["en", true],
      ["zh", true],
    ]);
  });

  it("prints its score, diagnosis, licence and checksum, and no word about a draft", () => {
    const words = extractPdfText(paper);
    if (words === null) return;
    for (const word of ["90", "of 100", diagnosis.diagnosis, "110441900000123"]) expect(words).toContain(word);
    for (const word of ["Draft", "SHA-256", "4 × 28"]) expect(words).not.toContain(word);
  });

  it("fits on two pages that a patient keeps", () => {
    const words = extractPdfText(paper);
    if (words !== null) expect(words.split("\f").filter((page) => page.trim()).length).toBeLessThanOrEqual(2);
  });

  it("has an annex with the formula and the checksum", async () => {
    const words = extractPdfText(await printReport(env.clinic, signed.id, "en", "annex"));
    if (words === null) return;
    for (const word of ["T-Health", "4 × 28", "110441900000123", present(signed.sha256, "sha256")])
      expect(words).toContain(word);
  });

  it("keeps its content and the bytes of its document, whatever happens to the chart", async () => {
    const missing = [{ fdi: 11, presence: "missing", crown: null }] as const;
    await saveChart(env.dentist, signed.patientId, 1, [...missing]);
    expect(Buffer.compare(await printReport(env.clinic, signed.id, "en"), paper)).toBe(0);
    expect((await env.dentist.call("report.detail", { id: signed.id })).content).toEqual(signed.content);
  });

  it("cannot be saved, signed or removed", async () => {
    const current = { id: signed.id, version: signed.version };
    for (const [name, input] of [
      ["report.save", { ...current, form: signed.form }],
      ["report.sign", { ...current, password: goodPassword }],
      ["report.step", { ...current, action: "remove" }],
    ] as const)
      expect(refusalOf(await env.dentist.ask(name, input)), name).toBe("reportActionNotAllowed");
  });

  it("cannot be changed in the database either", async () => {
    for (const change of [sql`score = 100`, sql`content = '{}'`, sql`state = 'draft'`, sql`licence = 'x'`])
      await expect(
        env.server.running.database.as({ system: true }, (db) =>
          sql`update report set ${change} where id = ${signed.id}`.execute(db),
        ),
      ).rejects.toThrow("stays as it was signed");
  });

  it("is closed to a lab and to other clinics", async () => {
    expect(refusalOf(await env.lab.ask("report.detail", { id: signed.id }))).toBe("notAllowed");
    expect(refusalOf(await (await setup()).dentist.ask("report.detail", { id: signed.id }))).toBe("notFound");
  });
});

it("cannot be signed after the record or the chart changed until its author has reviewed it, and can be signed with a passkey", async () => {
  const { dentist, clinic } = await setupSigners();
  const patientId = await createPatient(dentist);
  const begun = await dentist.call("report.create", { patientId, source: "manual" });
  const draft = await saveReport(dentist, begun, { diagnosis: "x" });
  await saveChart(clinic, patientId, 0, [soundTooth(11), soundTooth(21)]);
  const refused = await signReport(dentist, draft);
  expect([refusalOf(refused), refused.data]).toMatchObject([
    "reportMoved",
    { changes: { chart: true, teeth: [11, 21], patient: [], tracing: false } },
  ]);
  const seen = await saveReport(dentist, draft, {}, true);
  expect(seen.changes).toBeNull();
  const other = await saveReport(clinic, seen, { advice: "y" });
  expect(refusalOf(await signReport(dentist, seen))).toBe("reportChanged");
  const key = new SoftwareAuthenticator(dentist.server.address);
  const made = await dentist.call("factor.passkeyStart", { password: goodPassword });
  await dentist.call("factor.passkeyAdd", { name: "Laptop", response: key.createCredential(made) });
  const shownTo = async (who: TestUser) => ({
    password: undefined,
    passkey: key.getAssertion(await who.call("factor.proofOptions", {})),
  });
  expect(refusalOf(await signReport(dentist, other, await shownTo(clinic)))).toBe("passkeyWrong");
  expect((await signReport(dentist, other, await shownTo(dentist))).data.state).toBe("signed");
}, 60_000);

it("is corrected by a separate report, and withdrawn with a reason by its signer", async () => {
  const { dentist, clinic } = await setupSigners();
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
  expect(refusalOf(await step(clinic, old, "amend"))).toBe("reportCorrected");
  expect((await clinic.call("report.detail", { id: old.id })).state).toBe("signed");
  const next = (await signReport(dentist, await saveReport(dentist, draft, { diagnosis: "z" }))).data;
  const replaced = await clinic.call("report.detail", { id: old.id });
  expect(replaced).toMatchObject({ state: "amended", next: { id: next.id }, content: { form: { diagnosis: "x" } } });
  expect(refusalOf(await step(dentist, next, "withdraw"))).toBe("reportReasonMissing");
  const gone = present((await step(dentist, next, "withdraw", { reason: "wrong patient" })).data, "data");
  expect(gone).toMatchObject({ state: "withdrawn", ended: { reason: "wrong patient" }, actions: [] });
  const words = extractPdfText(await printReport(clinic, gone.id, "en"));
  if (words !== null) expect(words).toContain("wrong patient");
  expect((await clinic.call("report.list", { patientId })).list.map(({ number, state }) => [number, state])).toEqual([
    ["R0000002", "withdrawn"],
    ["R0000001", "amended"],
  ]);
}, 60_000);

it("a report in review still waits for its signature, before the drafts", async () => {
  const { clinic, dentist } = await setupSigners();
  const make = async () => {
    const patientId = await createPatient(clinic);
    const draft = await clinic.call("report.create", { patientId, source: "manual" });
    return saveReport(clinic, draft, { diagnosis: "x" });
  };
  const reviewed = await make();
  const { id, version } = reviewed;
  await clinic.call("report.step", { id, version, action: "submit" });
  const draft = await make();
  const { list } = await dentist.call("report.list", { unsigned: "true" });
  expect(list.map((report) => report.id)).toEqual([reviewed.id, draft.id]);
  await signReport(dentist, await dentist.call("report.detail", { id: reviewed.id }));
  expect((await dentist.call("report.list", { unsigned: "true" })).total).toBe(1);
});

it("shows a radiograph that was scanned sideways in the orientation of its tracing, also among the images", async () => {
  const { dentist } = await setupSigners();
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
  const { dentist } = await setupSigners();
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
  expect((await printReport(dentist, begun.id, "en", "annex")).includes("/DCTDecode")).toBe(true);
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
  const words = extractPdfText(await printReport(dentist, begun.id, "en", "annex"));
  if (words !== null)
    for (const word of ["Cephalometry", "Steiner", "SNA", "ANS", "PNS"]) expect(words).toContain(word);
}, 60_000);
