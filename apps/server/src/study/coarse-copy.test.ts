import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { smallScanStl } from "@arcada/testing/fixtures/orders";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { present } from "@arcada/testing/require-present";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { saveCoarseCopy, saveModel } from "./conversion.writes.ts";
import { removeLostDerivedFile } from "./retention.writes.ts";

let env: TestSetup;
beforeAll(async () => void (env = await setup()));

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A study of one scan with a coarse copy, which is then converted again with a coarse copy of that content, or none. */
async function uploadScan(name: string) {
  const { clinic, server } = env;
  const iid = present(clinic.iid);
  const { database } = server.running;
  const { studies } = await uploadStudy(clinic, await createPatient(clinic), { [name]: smallScanStl() });
  const id = present(studies[0]);
  const [coarse, glb] = [hash(`coarse ${name}`), hash(`glb ${name}`)];
  const convert = (copyOf: string | null) =>
    database.asSystem(async (db) => {
      const row = await db
        .selectFrom("instance")
        .selectAll()
        .where("institution_id", "=", iid)
        .where("study_id", "=", id)
        .executeTakeFirstOrThrow();
      const copy = (sha256: string) => ({ sha256, bytes: 1, type: "model/gltf-binary" });
      const { coarseError: _, ...info } = present(row.model);
      await saveModel(db, row, {
        info: { ...info, glbError: 0.01 },
        glb: copy(glb),
        surface: null,
        thumbnail: { sha256: present(row.thumbnail), bytes: 1 },
      });
      return copyOf && saveCoarseCopy(db, { ...row, glb: copyOf }, { sha256: coarse, bytes: 1, error: 0.1 });
    });
  await convert(glb);
  return {
    coarse,
    convert,
    lose: (sha256: string) => database.asSystem((db) => removeLostDerivedFile(db, iid, sha256)),
    read: async () => {
      const { state, series } = await clinic.call("study.detail", { id });
      return { state, glb: present(series[0]?.instances[0]).model?.glb };
    },
    countPlaces: () =>
      database.asSystem(async (db) => {
        const rows = await db.selectFrom("converted_file").select("place").where("study_id", "=", id).execute();
        const released = await db.selectFrom("unneeded").select("sha256").where("sha256", "=", coarse).execute();
        return {
          places: rows.map(({ place }) => place).toSorted((one, other) => one - other),
          released: released.length,
        };
      }),
  };
}

describe("a scan's coarse copy", () => {
  it("leaves the streaming copy on view when it is lost", async () => {
    const scan = await uploadScan("lost.stl");
    expect(await scan.read()).toMatchObject({ state: "ready", glb: { coarse: { error: expect.closeTo(0.11) } } });
    expect(await scan.lose(scan.coarse)).toEqual([]);
    const { state, glb } = await scan.read();
    expect([state, present(glb).coarse]).toEqual(["ready", null]);
  });

  it("is released with its row by a new conversion that makes none", async () => {
    const scan = await uploadScan("again.stl");
    expect(await scan.countPlaces()).toEqual({ places: [0, 2], released: 0 });
    await scan.convert(null);
    expect(await scan.countPlaces()).toEqual({ places: [0], released: 1 });
  });

  it("is not saved for another streaming copy than that it was made from", async () => {
    const scan = await uploadScan("stale.stl");
    expect(await scan.convert(hash("an earlier streaming copy"))).toBe(false);
    expect(await scan.countPlaces()).toEqual({ places: [0], released: 1 });
    expect((await scan.read()).glb?.coarse).toBeNull();
  });
});
