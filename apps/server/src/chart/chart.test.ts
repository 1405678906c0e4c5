import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Input } from "@arcada/contract/kernel/call";
import type { chartCalls } from "@arcada/contract/chart/chart.calls";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

type Decision = Input<typeof chartCalls.decide>["decisions"][number];
type ToothInput = Input<typeof chartCalls.save>["teeth"][number];
const sound = (fdi: number): ToothInput => ({ fdi, presence: "present", crown: 0 });
const decayed = (fdi: number): ToothInput => ({
  fdi,
  presence: "present",
  crown: 1,
  findings: [{ code: "caries", surfaces: ["occlusal", "distal"], severity: "deep", remark: "近中邻面" }],
});
const saveChart = (who: TestUser, patientId: string, version: number, teeth: ToothInput[]) =>
  who.ask("chart.save", { patientId, version, teeth });

it("an assistant writes into a chart and confirms no tooth", async () => {
  const { clinic, dentist, server } = await setup();
  const assistant = await server.createUser("clinicAssistant", { id: clinic.iid });
  const patientId = await createPatient(clinic);
  await dentist.call("chart.save", { patientId, version: 0, teeth: [{ ...sound(11), confirmed: true }] });
  const teeth = [sound(11), sound(12)].map((tooth) => ({ ...tooth, confirmed: true }));
  const { content } = await assistant.call("chart.save", { patientId, version: 1, teeth });
  expect(content.teeth).toHaveLength(2);
  expect(content.teeth.find(({ fdi }) => fdi === 11)).toMatchObject({ confirmedBy: dentist.uid });
  expect(content.teeth.find(({ fdi }) => fdi === 12)).toMatchObject({ confirmedBy: null });
});

it("a chart starts unassessed, keeps every version with its author, and names the dentist who confirmed a tooth", async () => {
  const { clinic, dentist, lab } = await setup();
  const patientId = await createPatient(clinic);
  expect(await clinic.call("chart.detail", { patientId })).toMatchObject({ version: 0, content: { teeth: [] } });
  await clinic.call("chart.save", { patientId, version: 0, teeth: [sound(11), decayed(36)] });
  const second = await dentist.call("chart.save", {
    patientId,
    version: 1,
    teeth: [{ ...sound(11), confirmed: true }],
  });
  expect(second).toMatchObject({ version: 2, by: { id: dentist.uid, name: dentist.name } });
  const [front, molar] = second.content.teeth;
  expect(front).toMatchObject({ fdi: 11, confirmedBy: dentist.uid });
  expect(molar).toMatchObject({ fdi: 36, confirmedBy: null, findings: [{ status: "added", by: clinic.uid }] });
  const history = await clinic.call("chart.history", { patientId });
  expect(history.map(({ version, by, changed }) => [version, by.id, changed])).toEqual([
    [2, dentist.uid, [11]],
    [1, clinic.uid, [11, 36]],
  ]);
  expect((await clinic.call("chart.detail", { patientId, version: 1 })).content.teeth[0].confirmedBy).toBeNull();
  const back = await clinic.call("chart.restore", { patientId, version: 2, from: 1 });
  expect(back).toMatchObject({ version: 2 });
  expect(refusalOf(await lab.ask("chart.detail", { patientId }))).toBe("notAllowed");
  expect(refusalOf(await (await setup()).clinic.ask("chart.detail", { patientId }))).toBe("notFound");
});

it("restoring an old version of a chart creates a new one that is not yet confirmed", async () => {
  const { clinic } = await setup();
  const patientId = await createPatient(clinic);
  await saveChart(clinic, patientId, 0, [{ ...decayed(36), confirmed: true }]);
  await saveChart(clinic, patientId, 1, [{ fdi: 36, presence: "missing" }]);
  const back = await clinic.call("chart.restore", { patientId, version: 2, from: 1 });
  expect(back.version).toBe(3);
  expect(back.content.teeth).toMatchObject([{ fdi: 36, crown: 1, confirmedBy: null, findings: [{ code: "caries" }] }]);
  expect((await clinic.call("chart.history", { patientId }))[0]).toMatchObject({ version: 3, restoredFrom: 1 });
});

it("a chart refuses anatomically impossible content, names each tooth with a problem, and stores nothing", async () => {
  const { clinic } = await setup();
  const patientId = await createPatient(clinic);
  const refused = await saveChart(clinic, patientId, 0, [
    sound(11),
    { fdi: 36, presence: "missing", crown: 0 },
    { fdi: 46, presence: "present", crown: 0, findings: [{ code: "implant" }] },
  ]);
  expect(refusalOf(refused)).toBe("chartUnfit");
  expect(refused.data).toEqual({
    problems: [
      { fdi: 46, problem: "findingUnfit", code: "implant" },
      { fdi: 36, problem: "crownUnfit", code: null },
    ],
  });
  expect(refusalOf(await saveChart(clinic, patientId, 0, [sound(11), sound(11)]))).toBe("badInput");
  expect(refusalOf(await saveChart(clinic, patientId, 0, [sound(99)]))).toBe("badInput");
  const elsewhere = { studyId: newId(), instanceId: newId() };
  const foreign = { ...decayed(36), findings: [{ code: "caries", evidence: elsewhere }] } as ToothInput;
  expect(refusalOf(await saveChart(clinic, patientId, 0, [foreign]))).toBe("notFound");
  expect((await clinic.call("chart.detail", { patientId })).version).toBe(0);
});

it("a chart accepts one of eight concurrent saves from the same version, and returns the saved content to the others", async () => {
  const { clinic, dentist } = await setup();
  const patientId = await createPatient(clinic);
  const answers = await Promise.all(
    [11, 12, 13, 14, 15, 16, 17, 18].map((fdi, at) => saveChart(at % 2 ? clinic : dentist, patientId, 0, [sound(fdi)])),
  );
  const [first] = answers.filter(({ code }) => code === 200);
  const late = answers.filter((answer) => refusalOf(answer) === "chartChanged");
  expect(late).toHaveLength(7);
  for (const { data } of late) expect(data).toMatchObject({ version: 1, content: first.data.content });
  // A client that was late sends its own teeth again, based on the current version.
  const again = await saveChart(clinic, patientId, 1, [sound(21)]);
  expect(again.data.content.teeth).toHaveLength(2);
});

/** Observations of an analysis of one image of the patient. */
async function seedAnalysis(
  { server, clinic }: TestSetup,
  patientId: string,
  codes: [string, number, unknown?][],
  image = "a",
) {
  const [study, series, analysis] = [newId(), newId(), newId()];
  const iid = clinic.iid;
  const ids = codes.map(() => newId());
  const info = JSON.stringify({ id: "test", version: "1" });
  await server.running.database.asSystem(async (db) => {
    await sql`insert into study (institution_id, id, patient_id, kind, kind_certain, state, header, count, bytes, created_by)
      values (${iid}, ${study}, ${patientId}, 'panorama', true, 'ready', '[]', 1, 1, ${clinic.uid})`.execute(db);
    await sql`insert into series (institution_id, id, study_id, kind, place, problems)
      values (${iid}, ${series}, ${study}, 'pictures', 0, '[]')`.execute(db);
    await sql`insert into analysis (institution_id, id, study_id, series_id, image_sha256, engine_id, engine_version, engine,
      params_hash, cost) values (${iid}, ${analysis}, ${study}, ${series}, ${image.repeat(64)}, ${analysis}, '1', ${info}::jsonb, '', 1)`.execute(
      db,
    );
    for (const [place, [code, fdi, value = true]] of codes.entries())
      await sql`insert into observation (institution_id, id, analysis_id, place, code, target, value, confidence, method)
        values (${iid}, ${ids[place]}, ${analysis}, ${place}, ${code}, ${JSON.stringify({ kind: "tooth", fdi })}::jsonb,
          ${JSON.stringify(value)}::jsonb, '{"basis":"none"}', 'test')`.execute(db);
  });
  return ids;
}
const decisionsOn = async ({ server }: TestSetup, patientId: string) =>
  server.running.database.asSystem(
    async (db) =>
      (
        await sql<{
          code: string;
          decision: string;
          reason: string | null;
        }>`select code, decision, reason from chart_decision
          where patient_id = ${patientId} order by code`.execute(db)
      ).rows,
  );

it("suggestions become findings when accepted or edited, and stay rejected in a new analysis of the image", async () => {
  const env = await setup();
  const patientId = await createPatient(env.clinic);
  const first = await seedAnalysis(env, patientId, [
    ["FINDING_caries", 36, "deep"],
    ["FINDING_calculus", 46],
    ["FINDING_boneLoss", 47],
    ["TOOTH_BOX", 11],
    ["PAN_TILT", 11],
  ]);
  const [caries, calculus, boneLoss, box, tilt] = first as [string, string, string, string, string];
  const decide = (decisions: Input<typeof chartCalls.decide>["decisions"]) =>
    env.dentist.ask("chart.decide", { patientId, decisions });
  const uncharted = await decide([
    { action: "accept", observationId: caries },
    { action: "accept", observationId: tilt },
  ]);
  expect(refusalOf(uncharted)).toBe("observationUncharted");
  expect(await decisionsOn(env, patientId)).toEqual([]);

  const taken = await decide([
    { action: "accept", observationId: caries },
    { action: "edit", observationId: calculus, finding: { fdi: 45, code: "calculus", surfaces: ["lingual"] } },
    { action: "reject", observationId: boneLoss, reason: "normal for the age" },
    { action: "accept", observationId: box },
  ]);
  expect(taken.data.content.teeth).toMatchObject([
    { fdi: 11, presence: "present", crown: null },
    { fdi: 45, findings: [{ code: "calculus", status: "added", surfaces: ["lingual"], observationId: calculus }] },
    { fdi: 36, crown: 1, findings: [{ code: "caries", severity: "deep", status: "accepted", by: env.dentist.uid }] },
  ]);
  const [again] = await seedAnalysis(env, patientId, [["FINDING_boneLoss", 47]]);
  const known = (await decisionsOn(env, patientId)).find(({ code }) => code === "FINDING_boneLoss");
  expect([again !== boneLoss, known]).toEqual([
    true,
    { code: "FINDING_boneLoss", decision: "reject", reason: "normal for the age" },
  ]);

  // After a person removes it from the chart, it is not suggested again either.
  await env.dentist.call("chart.save", { patientId, version: 1, teeth: [sound(36)] });
  expect((await decisionsOn(env, patientId)).find(({ code }) => code === "FINDING_caries")?.decision).toBe("reject");
  await env.dentist.call("chart.restore", { patientId, version: 2, from: 1 });
  expect((await decisionsOn(env, patientId)).find(({ code }) => code === "FINDING_caries")?.decision).toBe("accept");
  const foreign = await setup();
  const other = await createPatient(foreign.clinic);
  const stolen = { patientId: other, decisions: [{ action: "accept", observationId: caries }] };
  expect(refusalOf(await foreign.clinic.ask("chart.decide", stolen))).toBe("notFound");
});

describe("a tooth that an engine found and a dentist accepted", () => {
  async function acceptTooth(fdi: number) {
    const env = await setup();
    const patientId = await createPatient(env.clinic);
    const [box] = await seedAnalysis(env, patientId, [["TOOTH_BOX", fdi]]);
    const decide = (decision: Pick<Decision, "action"> & Record<string, unknown>, observationId = present(box)) =>
      env.dentist.ask("chart.decide", { patientId, decisions: [{ ...decision, observationId } as Decision] });
    const accepted = (await decide({ action: "accept" })).data;
    expect(accepted.content.teeth).toMatchObject([{ fdi, presence: "present", confirmedBy: env.dentist.uid }]);
    return { ...env, env, patientId, decide };
  }

  it("leaves its first number when it is renumbered later", async () => {
    const { decide, dentist } = await acceptTooth(36);
    const { content } = (await decide({ action: "renumber", fdi: 37 })).data;
    expect(content.teeth).toMatchObject([{ fdi: 37, presence: "present", confirmedBy: dentist.uid }]);
    const back = (await decide({ action: "accept" })).data;
    expect(back.content.teeth).toMatchObject([{ fdi: 36, presence: "present", confirmedBy: dentist.uid }]);
  });

  it("is not assessed any more when it is rejected later", async () => {
    const { decide } = await acceptTooth(36);
    expect((await decide({ action: "reject" })).data.content.teeth).toEqual([]);
  });

  it("stays when a person wrote more about it, or another image shows it", async () => {
    const { decide, dentist, patientId, env } = await acceptTooth(36);
    const [other] = await seedAnalysis(env, patientId, [["TOOTH_BOX", 36]], "b");
    await decide({ action: "accept" }, other);
    const shown = (await decide({ action: "reject" })).data;
    expect(shown.content.teeth).toMatchObject([{ fdi: 36, confirmedBy: dentist.uid }]);
    await saveChart(dentist, patientId, shown.version, [{ ...sound(36), confirmed: true }]);
    const { content } = (await decide({ action: "reject" }, other)).data;
    expect(content.teeth).toMatchObject([{ fdi: 36, crown: 0, confirmedBy: dentist.uid }]);
  });

  it("stays no longer than the last image that shows it", async () => {
    const { decide, patientId, env } = await acceptTooth(36);
    const [other] = await seedAnalysis(env, patientId, [["TOOTH_BOX", 36]], "b");
    await decide({ action: "accept" }, other);
    await decide({ action: "reject" });
    expect((await decide({ action: "reject" }, other)).data.content.teeth).toEqual([]);
  });

  it("is refused, and changes nothing, where the chart says otherwise", async () => {
    const { dentist, patientId, env } = await acceptTooth(36);
    await saveChart(dentist, patientId, 1, [{ fdi: 46, presence: "missing", confirmed: true }]);
    const [gap, box, other] = (
      await seedAnalysis(
        env,
        patientId,
        [
          ["TOOTH_MISSING", 36],
          ["TOOTH_BOX", 46],
          ["TOOTH_BOX", 47],
        ],
        "b",
      )
    ).map((observationId) => ({ observationId }));
    const accept = { action: "accept" as const };
    for (const decisions of [
      [{ ...accept, ...present(gap) }],
      [
        { ...accept, ...present(other) },
        { ...accept, ...present(box) },
      ],
      [{ action: "renumber" as const, fdi: 46, ...present(other) }],
    ])
      expect(refusalOf(await dentist.ask("chart.decide", { patientId, decisions }))).toBe("toothContradicted");
    expect((await dentist.call("chart.detail", { patientId })).version).toBe(2);
    expect(await decisionsOn(env, patientId)).toHaveLength(1);
  });
});
