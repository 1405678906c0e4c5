import { truncate } from "node:fs/promises";
import { expect, it } from "vitest";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { DicomwebClient } from "@arcada/testing/clients/dicomweb-client";
import { present } from "@arcada/testing/require-present";
import { setup } from "@arcada/testing/setup/test-server";
import { files } from "../../platform/runtime/services.ts";
import { indexStudies } from "./index.jobs.ts";

const createSlice = (seed: string): Uint8Array => {
  const size = { columns: 16, rows: 16, slices: 1, voxel: 4 };
  const [slice] = createCbctFiles(makeHead(seed), { id: seed, name: seed, sex: "F", birthDate: "19900101" }, { size });
  return present(slice).bytes;
};

/** A clinic with three studies of one file each: "one", "bad" and "other", which are read in one batch. */
async function storeThree() {
  const { server, clinic } = await setup();
  const { database } = server.running;
  const device = new DicomwebClient(clinic);
  await device.store(["one", "bad", "other"].map(createSlice));
  await device.waitForResults("/studies", 3);
  const rows = await database.asSystem((db) =>
    db
      .selectFrom("instance")
      .innerJoin("study_person", (join) =>
        join
          .onRef("study_person.study_id", "=", "instance.study_id")
          .on("study_person.institution_id", "=", clinic.iid),
      )
      .select(["instance.study_id", "instance.sha256", "study_person.name"])
      .where("instance.institution_id", "=", clinic.iid)
      .execute(),
  );
  const studies = rows.map(({ study_id }) => study_id);
  const indexAnew = async () => {
    await database.asSystem((db) => db.deleteFrom("dicom_instance").where("institution_id", "=", clinic.iid).execute());
    await database.asSystem((db) => db.deleteFrom("dicom_study").where("institution_id", "=", clinic.iid).execute());
    await indexStudies(database, { iid: clinic.iid, studies }, new AbortController().signal);
  };
  const { sha256: bad } = present(rows.find(({ name }) => name === "bad"));
  const findNames = async () =>
    new Set((await device.search("/studies")).map((study) => study["00100020"]?.Value?.[0]));
  return { clinic, database, indexAnew, bad, findNames };
}

it("files of a batch keep their own studies", { timeout: 60_000 }, async () => {
  const { clinic, database, indexAnew } = await storeThree();
  await indexAnew();
  const indexed = await database.asSystem((db) =>
    db
      .selectFrom("dicom_instance as d")
      .innerJoin("instance as i", (join) =>
        join.onRef("i.institution_id", "=", "d.institution_id").onRef("i.id", "=", "d.instance_id"),
      )
      .select(["d.study_id", "d.uid", "i.study_id as own_study", "i.sop_uid as own_uid"])
      .where("d.institution_id", "=", clinic.iid)
      .execute(),
  );
  expect(indexed).toHaveLength(3);
  for (const one of indexed) expect([one.study_id, one.uid]).toEqual([one.own_study, one.own_uid]);
});

it("a file that the store has lost leaves the others of its batch findable", { timeout: 60_000 }, async () => {
  const { clinic, indexAnew, bad, findNames } = await storeThree();
  await files().remove("originals", clinic.iid, bad);
  await indexAnew();
  expect(await findNames()).toEqual(new Set(["one", "other"]));
});

it("a file that ends its thread leaves the others of its batch findable", { timeout: 60_000 }, async () => {
  const { clinic, indexAnew, bad, findNames } = await storeThree();
  // More than a thread may hold; none of it is on the disk.
  await files().local("originals", clinic.iid, bad, (path) => truncate(path, 600_000_000));
  await indexAnew();
  expect(await findNames()).toEqual(new Set(["one", "other"]));
});
