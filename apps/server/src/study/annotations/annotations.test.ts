import { describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { Annotation } from "@arcada/contract/study/annotation";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

const size = { columns: 32, rows: 32, slices: 8, voxel: 4 };
const wang = { id: "1", name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" } as const;
async function uploadVolume(clinic: TestUser): Promise<string> {
  const slices = [...createCbctFiles(makeHead("annotations"), wang, { size })];
  const files = Object.fromEntries(slices.map(({ name, bytes }) => [name, bytes]));
  return (await uploadStudy(clinic, await createPatient(clinic), files)).studies[0];
}

describe("annotations of a study", () => {
  it("are stored, and a later save from an old version never overwrites an earlier one", async () => {
    const { clinic, dentist } = await setup();
    const ct = await uploadVolume(clinic);
    const mark = (id: string): Annotation => ({
      id,
      tool: "length",
      instanceId: null,
      points: [
        [0, 0, 0],
        [1, 2, 3],
      ],
      plane: "axial",
      text: null,
    });
    expect(await clinic.call("study.marks", { id: ct })).toEqual({ version: 0, marks: [] });
    expect(await clinic.call("study.saveMarks", { id: ct, version: 0, marks: [mark("a")] })).toEqual({
      version: 1,
      marks: [mark("a")],
    });
    expect(await dentist.ask("study.saveMarks", { id: ct, version: 0, marks: [mark("b")] })).toMatchObject({
      code: refusals.marksChanged.code,
      data: { version: 1, marks: [mark("a")] },
    });
    expect(await dentist.call("study.saveMarks", { id: ct, version: 1, marks: [mark("a"), mark("b")] })).toMatchObject({
      version: 2,
    });
    expect((await clinic.call("study.marks", { id: ct })).marks.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(refusalOf(await clinic.ask("study.saveMarks", { id: ct, version: 7, marks: [] }))).toBe("marksChanged");
    // Another's drawing is kept as it was, also when it is removed at once; one's own only every ten minutes.
    for (const version of [2, 3, 4]) await clinic.call("study.saveMarks", { id: ct, version, marks: [] });
    const versions = await clinic.call("study.markVersions", { id: ct });
    expect(versions.map(({ version, count }) => [version, count])).toEqual([
      [3, 0],
      [2, 2],
      [1, 1],
    ]);
    expect((await clinic.call("study.marks", { id: ct, version: 2 })).marks.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(refusalOf(await clinic.ask("study.marks", { id: ct, version: 9 }))).toBe("notFound");
  });

  it("with too few points for their tool are refused", async () => {
    const { clinic } = await setup();
    const ct = await uploadVolume(clinic);
    const angle = { id: "a", tool: "angle", instanceId: null, points: [[0, 0]], plane: "axial", text: null } as const;
    const input = { id: ct, version: 0, marks: [{ ...angle, points: [[0, 0]] }] };
    expect(refusalOf(await clinic.ask("study.saveMarks", input))).toBe("badInput");
    expect(await clinic.call("study.marks", { id: ct })).toEqual({ version: 0, marks: [] });
  });
});
