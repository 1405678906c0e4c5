import { describe, expect, it } from "vitest";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

const person = { id: "", name: "", sex: "M", birthDate: "19900101" } as const;
const size = { columns: 32, rows: 32, slices: 1, voxel: 4 };
const image = (): Uint8Array => [...createCbctFiles(makeHead("move"), person, { size })][0].bytes;
const auditOf = async (env: TestSetup, id: string) =>
  env.server.running.database.asSystem((db) =>
    db.selectFrom("audit").select(["action", "detail"]).where("subject", "=", id).orderBy("id").execute(),
  );

describe("a study that moves to another patient", { timeout: 60_000 }, () => {
  it("leaves the patient that the user saw with a reason in the audit log", async () => {
    const env = await setup();
    const { clinic, dentist } = env;
    const [one, other] = [await createPatient(clinic), await createPatient(clinic, { name: "李四" })];
    const [id] = (await uploadStudy(clinic, one, { "a.dcm": image() })).studies as [string];
    expect(refusalOf(await clinic.ask("study.move", { id, from: one, patientId: other, reason: " " }))).toBe(
      "badInput",
    );
    expect(refusalOf(await clinic.ask("study.attach", { id, patientId: other }))).toBe("studyElsewhere");
    const twice = await Promise.all([
      clinic.ask("study.move", { id, from: one, patientId: other, reason: "wrong person chosen" }),
      dentist.ask("study.move", { id, from: one, patientId: await createPatient(clinic), reason: "also" }),
    ]);
    expect(new Set(twice.map(refusalOf))).toEqual(new Set(["accepted", "studyElsewhere"]));
    expect(await clinic.call("study.list", { patientId: one })).toEqual([]);
    const moves = (await auditOf(env, id)).filter(({ action }) => action === "study.move");
    expect(moves).toMatchObject([{ detail: { from: one, reason: expect.any(String) } }]);
    const left = (await auditOf(env, one)).filter(({ action }) => action === "study.moveAway");
    expect(left).toMatchObject([{ detail: { study: id } }]);
  });
});
