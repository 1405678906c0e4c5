import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { builtInEngine } from "@arcada/contract/analysis/analysis.calls";
import type { Observation } from "@arcada/contract/analysis/observation";
import { analysisRules } from "@arcada/contract/analysis/analysis.rules";
import { setupAnalysis } from "@arcada/testing/fixtures/analysis-setup";
import type { AnalysisWork } from "@arcada/testing/workers/endless-analysis-process";
import { saveReport } from "@arcada/testing/fixtures/reports";
import { getTestServer } from "@arcada/testing/setup/test-server";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { uploadParts } from "../platform/runtime/services.ts";
import { sweepAnalyses } from "./runs/run-analysis.ts";
import type { EngineOutcome } from "./engines/engine-task-types.ts";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

// No worker processes jobs here: each test runs the jobs that it needs.
beforeAll(() => getTestServer({ ARCADA_ROLE: "web" }));

const caries = (): Observation => ({
  id: newId(),
  code: "FINDING_caries",
  target: { kind: "tooth", fdi: 16 },
  value: true,
  unit: null,
  geometry: { kind: "box", left: 1, top: 2, right: 3, bottom: 4 },
  confidence: { basis: "score", value: 0.8 },
  method: "boxes@1",
});
const waitUntilDone = (more: Partial<Extract<EngineOutcome, { state: "done" }>> = {}): EngineOutcome => ({
  state: "done",
  observations: [],
  abstentions: [],
  artefacts: [],
  milliseconds: 1,
  ...more,
});
const abstainingRun = { code: "FINDING_caries", target: { kind: "image" }, reason: "quality", detail: null } as const;

describe("an analysis", () => {
  it("charges the quota once when it returns a result, even without findings, and charges nothing when it fails", async () => {
    const clinic = await setupAnalysis();
    const endings: [EngineOutcome, string, number][] = [
      [waitUntilDone({ observations: [caries()] }), "done", 1],
      [waitUntilDone(), "done", 1],
      [waitUntilDone({ abstentions: [abstainingRun] }), "done", 0],
      [{ state: "failed", fault: "timeout", detail: "" }, "failed", 0],
      [{ state: "failed", fault: "notANumber", detail: "" }, "failed", 0],
      [{ state: "failed", fault: "codeUndeclared", detail: "" }, "failed", 0],
      [{ state: "failed", fault: "imageUnreadable", detail: "" }, "failed", 0],
    ];
    let cost = 0;
    for (const [outcome, state, price] of endings) {
      const row = await clinic.starts(await clinic.films(1));
      await clinic.runs(row.id, async () => outcome);
      cost += price;
      const after = await clinic.who.call("analysis.detail", { id: row.id });
      expect([after.state, after.error]).toEqual([state, outcome.state === "failed" ? outcome.fault : null]);
      expect(await clinic.who.call("capacity.analyses", {})).toEqual({ noi: cost, total: 20, percent: cost * 5 });
    }
  });

  it("tells in the list by how many degrees an intra-oral film is to be turned, and null if it does not know", async () => {
    const clinic = await setupAnalysis();
    const turned: Observation = {
      ...caries(),
      code: "FILM_TURN",
      target: { kind: "image" },
      value: 270,
      unit: "°",
      geometry: null,
    };
    for (const [observations, turn] of [
      [[turned, caries()], 270],
      // An engine may answer anything: no value breaks the list.
      [[true, 1e20, "90"].map((value) => ({ ...turned, id: newId(), value })), null],
      [[caries()], null],
    ] as const) {
      const row = await clinic.starts(await clinic.films(1));
      await clinic.runs(row.id, async () => waitUntilDone({ observations: [...observations] }));
      const [listed] = await clinic.who.call("analysis.list", { patientId: clinic.patientId });
      expect(listed).toMatchObject({ id: row.id, turn });
    }
  });

  it("is reused free of charge for the same image and engine; a failed or cancelled one can be requested again", async () => {
    const clinic = await setupAnalysis();
    const study = await clinic.films(1);
    const first = await clinic.starts(study);
    expect((await clinic.starts(study)).id).toBe(first.id);
    await clinic.runs(first.id, async () => ({ state: "failed", fault: "died", detail: "" }));
    const second = await clinic.starts(study);
    expect(second.id).not.toBe(first.id);
    await clinic.who.call("analysis.cancel", { id: second.id });
    const again = await clinic.who.ask("analysis.cancel", { id: second.id });
    expect(refusalOf(again)).toBe("analysisOver");
    const third = await clinic.starts(study);
    await clinic.runs(third.id, async () => waitUntilDone({ observations: [caries()] }));
    expect(await clinic.starts(study)).toMatchObject({ id: third.id, state: "done", observations: 1, open: 1 });
    const told = async () =>
      (await clinic.who.call("patient.timeline", { id: clinic.patientId, kinds: "analysis" })).list;
    expect(await told()).toMatchObject([{ id: third.id, label: "acme.teeth" }]);
    await clinic.who.server.running.database.asSystem((db) =>
      sql`update analysis set engine = engine || '{"kind": "measurement"}' where id = ${third.id}`.execute(db),
    );
    expect(await told()).toMatchObject([{ id: third.id, label: builtInEngine }]);
    expect(await clinic.listLedgerKinds()).toEqual(["reserve", "release", "reserve", "release", "reserve", "commit"]);
  });

  it("does not start and charges nothing after the operator revokes the organisation's permission for packs", async () => {
    const clinic = await setupAnalysis();
    const row = await clinic.starts(await clinic.films(1));
    const operator = await clinic.who.server.createUser("operator");
    await operator.call("analysis.allowPacks", { institutionId: clinic.who.iid, allowed: false });
    await clinic.runs(row.id, async () => waitUntilDone({ observations: [caries()] }));
    const after = await clinic.who.call("analysis.detail", { id: row.id });
    expect(after).toMatchObject({ state: "failed", error: "packsForbidden", seen: [] });
    expect(await clinic.listLedgerKinds()).toEqual(["reserve", "release"]);
  });

  it("ends its engine, charges nothing and discards a late result when it is cancelled while running", async () => {
    const clinic = await setupAnalysis();
    const row = await clinic.starts(await clinic.films(1));
    await clinic.runs(row.id, async (_, { signal }) => {
      await clinic.who.call("analysis.cancel", { id: row.id });
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return waitUntilDone({ observations: [caries()] });
    });
    const after = await clinic.who.call("analysis.detail", { id: row.id });
    expect(after).toMatchObject({ state: "cancelled", seen: [] });
    expect(await clinic.listLedgerKinds()).toEqual(["reserve", "release"]);
  });

  it(
    "releases its reserved quota within seconds after its worker is killed, and can be requested again",
    { timeout: 120_000 },
    async () => {
      const clinic = await setupAnalysis();
      const study = await clinic.films(1);
      const row = await clinic.starts(study);
      const { database, connection } = clinic.who.server.running;
      const folder = uploadParts().workFolder;
      await clinic.stores(row.id);
      const work: AnalysisWork = { connection, folder, iid: clinic.who.iid, id: row.id };
      const worker = spawn(
        process.execPath,
        [path.join(import.meta.dirname, "../../../../packages/testing/src/workers/endless-analysis-process.ts")],
        {
          env: { ...process.env, ANALYSIS_WORK: JSON.stringify(work) },
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
      await once(worker.stdout, "data");
      const state = async () => (await clinic.who.call("analysis.detail", { id: row.id })).state;
      expect([await state(), await sweepAnalyses(database)]).toEqual(["running", 0]);
      worker.kill("SIGKILL");
      const killed = Date.now();
      while ((await sweepAnalyses(database)) === 0) await new Promise((resolve) => setTimeout(resolve, 500));
      expect(Date.now() - killed).toBeLessThan((analysisRules.silenceSeconds + 5) * 1000);
      expect(await clinic.who.call("analysis.detail", { id: row.id })).toMatchObject({
        state: "failed",
        error: "interrupted",
      });
      expect(await clinic.listLedgerKinds()).toEqual(["reserve", "release"]);
      expect((await clinic.starts(study)).id).not.toBe(row.id);
    },
  );

  it("leaves its suggestions to a dentist, shows each decision with its suggestion and keeps the decision for the image", async () => {
    const clinic = await setupAnalysis();
    const study = await clinic.films(1);
    const row = await clinic.starts(study);
    await clinic.runs(row.id, async () => waitUntilDone({ observations: [caries()] }));
    const { seen, patientId } = await clinic.who.call("analysis.detail", { id: row.id });
    const decision = { action: "reject" as const, observationId: seen[0].id, reason: "overlap" };
    await clinic.who.call("chart.decide", { patientId: present(patientId), decisions: [decision] });
    const after = await clinic.who.call("analysis.detail", { id: row.id });
    expect(after).toMatchObject({
      open: 0,
      seen: [{ decision: { what: "reject", reason: "overlap", by: clinic.who.name } }],
    });
    await clinic.newVersion();
    const other = await clinic.starts(study);
    await clinic.runs(other.id, async () => waitUntilDone({ observations: [caries()] }));
    expect(await clinic.who.call("analysis.detail", { id: other.id })).toMatchObject({
      open: 0,
      seen: [{ decision: { what: "reject" } }],
    });
  });
});

it("shows in a report only a tooth that a dentist accepted, under the number that the dentist gave it", async () => {
  const { who, patientId, ...clinic } = await setupAnalysis();
  const boxOf = (fdi: number): Observation => ({ ...caries(), code: "TOOTH_BOX", target: { kind: "tooth", fdi } });
  const row = await clinic.starts(await clinic.films(1));
  await clinic.runs(row.id, async () => waitUntilDone({ observations: [boxOf(36), boxOf(46)] }));
  const { seen } = await who.call("analysis.detail", { id: row.id });
  const ids = new Map(seen.map(({ id, target }) => [target.kind === "tooth" ? target.fdi : 0, id]));
  const decided = { action: "renumber" as const, observationId: present(ids.get(36)), fdi: 37 };
  const { version } = await who.call("chart.decide", { patientId, decisions: [decided] });
  const decayed = [36, 37, 46].map((fdi) => ({ fdi, presence: "present" as const, crown: 1 as const }));
  const findings = [{ code: "caries" as const, severity: "deep" as const, surfaces: ["distal" as const] }];
  const teeth = decayed.map((tooth) => ({ ...tooth, findings, confirmed: true }));
  await who.call("chart.save", { patientId, version, teeth });
  const shownTeeth = async () => {
    const draft = await who.call("report.create", { patientId, source: "ai" });
    const { content } = await saveReport(who, draft, { analysisIds: [row.id] });
    return content.toothPictures.map(({ fdi }) => fdi);
  };
  expect(await shownTeeth()).toEqual([37]);
  const accepted = { action: "accept" as const, observationId: present(ids.get(46)) };
  await who.call("chart.decide", { patientId, decisions: [accepted] });
  expect(await shownTeeth()).toEqual([46, 37]);
});

const countMany = process.env.ARCADA_PROOF === "full" ? 200 : 60;
describe("the quota", () => {
  it(
    `is never overdrawn: of ${countMany} concurrent starts on a remainder of 10 exactly 10 begin`,
    { timeout: 120_000 },
    async () => {
      const clinic = await setupAnalysis();
      await clinic.setRemainingQuota(10);
      const studyId = await clinic.films(countMany);
      const images = await clinic.listImages(studyId);
      const answers = await Promise.all(
        images.map((imageId) => clinic.who.ask("analysis.start", { studyId, imageId, engine: clinic.engine() })),
      );
      const begun = answers.filter(({ code }) => code === 200).flatMap(({ data }) => data);
      expect([begun.length, new Set(answers.map(refusalOf))]).toEqual([10, new Set(["accepted", "analysisQuota"])]);
      await Promise.all(begun.map(({ id }) => clinic.runs(id, async () => waitUntilDone())));
      expect(await clinic.who.call("capacity.analyses", {})).toEqual({ noi: 10, total: 10, percent: 100 });
      expect((await clinic.listLedgerKinds()).filter((kind) => kind === "commit").length).toBe(10);
    },
  );

  it(
    "equals the sum of its ledger after any sequence of events, and never exceeds what is granted",
    { timeout: 120_000 },
    async () => {
      const clinic = await setupAnalysis();
      const study = await clinic.films(4);
      const images = await clinic.listImages(study);
      const what = fc.constantFrom("start", "answer", "abstain", "fail", "cancel", "sweep");
      const courses = fc.array(fc.tuple(what, fc.nat(images.length - 1)), { minLength: 4, maxLength: 8 });
      const { who } = clinic;
      await fc.assert(
        fc.asyncProperty(courses, async (course) => {
          await clinic.newVersion();
          for (const [doing, at] of course) {
            const [row] = await clinic.who.call("analysis.list", { patientId: clinic.patientId, imageId: images[at] });
            if (doing === "start")
              await who.ask("analysis.start", { studyId: study, imageId: images[at], engine: clinic.engine() });
            else if (row && doing === "cancel") await who.ask("analysis.cancel", { id: row.id });
            else if (row && doing === "answer") await clinic.runs(row.id, async () => waitUntilDone());
            else if (row && doing === "abstain")
              await clinic.runs(row.id, async () => waitUntilDone({ abstentions: [abstainingRun] }));
            else if (row && doing === "fail")
              await clinic.runs(row.id, async () => ({ state: "failed", fault: "died", detail: "" }));
            else await sweepAnalyses(who.server.running.database);
            const { noi, total } = await who.call("capacity.analyses", {});
            const sums = await clinic.sumQuota();
            expect([noi, total]).toEqual([sums.held + sums.committed, 20]);
            expect(noi).toBeLessThanOrEqual(total);
          }
        }),
        { numRuns: process.env.ARCADA_PROOF === "full" ? 30 : 3 },
      );
    },
  );
});
