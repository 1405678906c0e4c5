import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { present } from "@arcada/testing/require-present";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { archImagesPlace } from "../tables/study-columns.ts";
import { completeVolume } from "./conversion.writes.ts";
import { deleteStudy, removeLostDerivedFile } from "./retention.writes.ts";

let env: TestSetup;
beforeAll(async () => void (env = await setup()));

const who = { id: "1", name: "Li^Arch", sex: "F", birthDate: "19900101" } as const;
const size = { columns: 96, rows: 96, slices: 20, voxel: 1.6 };

/** A volume whose arch was found, or is not found by a new conversion. */
async function uploadVolume(head: string) {
  const { clinic, server } = env;
  const iid = present(clinic.iid);
  const { database } = server.running;
  const slices = [...createCbctFiles(makeHead(head), who, { size })];
  const files = Object.fromEntries(slices.map(({ bytes }, place) => [`I${place}.dcm`, bytes]));
  const { studies } = await uploadStudy(clinic, await createPatient(clinic), files, { acceptMismatch: true });
  const id = present(studies[0]);
  const readVolume = async () => present((await clinic.call("study.detail", { id })).series[0]?.volume);
  const { arch } = await readVolume();
  const listContents = () =>
    database.asSystem(async (db) => {
      const rows = await db
        .selectFrom("converted_file")
        .select("sha256")
        .where("study_id", "=", id)
        .where("role", "=", "preview")
        .where("place", "=", archImagesPlace)
        .execute();
      return rows.map(({ sha256 }) => sha256);
    });
  const isReleased = (sha256: string) =>
    database.asSystem(async (db) => {
      const rows = await db.selectFrom("unneeded").select("sha256").where("sha256", "=", sha256).execute();
      return rows.length > 0;
    });
  const complete = (sha256: string | null) =>
    database.asSystem(async (db) => {
      const series = await db.selectFrom("series").selectAll().where("study_id", "=", id).executeTakeFirstOrThrow();
      const file = sha256 === null ? null : { sha256, bytes: 1, type: "application/octet-stream" };
      await completeVolume(db, series, file && present(arch), file);
    });
  return { id, iid, readVolume, listContents, isReleased, complete };
}

describe("the images of an arch", () => {
  it("are replaced by those of a new conversion", async () => {
    const volume = await uploadVolume("converted again");
    expect((await volume.readVolume()).archImages).toContain("arch-images.bin");
    const other = createHash("sha256").update("other").digest("hex");
    await volume.complete(other);
    expect(await volume.listContents()).toEqual([other]);
  });

  it("are released by a new conversion that finds no arch", async () => {
    const volume = await uploadVolume("without arch");
    const [sha256 = ""] = await volume.listContents();
    await volume.complete(null);
    expect((await volume.readVolume()).archImages).toBeNull();
    expect([await volume.listContents(), await volume.isReleased(sha256)]).toEqual([[], true]);
  });

  it("leave the volume on view when they are lost", async () => {
    const volume = await uploadVolume("lost images");
    const [sha256 = ""] = await volume.listContents();
    const { database } = env.server.running;
    const unconverted = await database.asSystem((db) => removeLostDerivedFile(db, volume.iid, sha256));
    const { archImages, preview } = await volume.readVolume();
    expect([unconverted, archImages]).toEqual([[], null]);
    expect(preview).not.toBeNull();
  });

  it("are released with their study", async () => {
    const volume = await uploadVolume("deleted");
    const [sha256 = ""] = await volume.listContents();
    const released = await env.server.running.database.asSystem((db) => deleteStudy(db, volume.iid, volume.id));
    expect(released).toContainEqual({ area: "converted", sha256 });
  });
});
