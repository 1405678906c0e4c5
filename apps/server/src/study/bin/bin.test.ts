import { describe, expect, it } from "vitest";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

const person = { id: "", name: "", sex: "M", birthDate: "19900101" } as const;
const size = { columns: 32, rows: 32, slices: 1, voxel: 4 };
const image = (): Uint8Array => [...createCbctFiles(makeHead("bin"), person, { size })][0].bytes;

describe("a removed study", { timeout: 60_000 }, () => {
  it("can be restored from the bin for 30 days, unless the same study exists again", async () => {
    const env = await setup();
    const { clinic } = env;
    const patientId = await createPatient(clinic);
    const file = { "a.dcm": image() };
    const [id] = (await uploadStudy(clinic, patientId, file)).studies as [string];
    await clinic.call("study.remove", { id });
    const [binned] = await clinic.call("study.bin", { patientId });
    expect(binned).toMatchObject({ id, patientId });
    expect(Date.parse(binned.goesAt) - Date.parse(binned.removedAt)).toBe(30 * 86_400_000);
    expect(await clinic.call("study.bin", {})).toEqual([]);
    await clinic.call("study.restore", { id });
    expect(await clinic.call("study.bin", { patientId })).toEqual([]);
    expect(await clinic.call("study.list", { patientId })).toMatchObject([{ id }]);
    await clinic.call("study.remove", { id });
    const [again] = (await uploadStudy(clinic, patientId, file)).studies as [string];
    expect(refusalOf(await clinic.ask("study.restore", { id }))).toBe("studyTwice");
    await clinic.call("study.remove", { id: again });
    await env.server.running.database.asSystem((db) =>
      db
        .updateTable("study")
        .set({ deleted_at: new Date(Date.now() - 31 * 86_400_000).toISOString() })
        .where("id", "=", id)
        .execute(),
    );
    expect(refusalOf(await clinic.ask("study.restore", { id }))).toBe("notFound");
    expect((await clinic.call("study.bin", { patientId })).map((row) => row.id)).toEqual([again]);
  });
});
