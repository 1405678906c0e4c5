import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { buildPreview } from "@arcada/imaging/volume/volume-preview";
import { decodeSliceGroup } from "@arcada/imaging/volume/slice-group-codec";
import { waitForIngestJob, createPatient } from "@arcada/testing/fixtures/uploads";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { Refused } from "../../platform/http/refuse.ts";
import { files, provideServices } from "../../platform/runtime/services.ts";
import { failJob } from "./convert.store.ts";
import { runIngestJob } from "../run-ingest-job.ts";
import { craftZip } from "../archive/crafted-zip.ts";
import type { PixelTask, VolumeStep } from "./pixel-task-types.ts";
import { workerPools } from "../worker-pools.ts";
import { convertVolume } from "./convert-volume.ts";
import { buildVolume } from "../../../../../packages/imaging/src/volume/build-volume.ts";
import { present } from "@arcada/testing/require-present";

const wang = { id: "1", name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" } as const;
const size = { columns: 64, rows: 64, slices: 20, voxel: 2.4 };
const slices = [...createCbctFiles(makeHead("growing"), wang, { size })].map(({ bytes }) => bytes);
const zip = craftZip(slices.map((data, place) => ({ name: `I${place}`, data })));

const folder = mkdtempSync(path.join(tmpdir(), "arcada-growing-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const paths = slices.map((bytes, place) => {
  const file = path.join(folder, `I${String(place).padStart(2, "0")}`);
  writeFileSync(file, bytes);
  return file;
});

describe("a volume whose disk becomes full while its slices are packed", () => {
  let env: TestSetup;
  beforeAll(async () => void (env = await setup()));

  it("can be viewed, reports what is missing, and resumes after the converted groups", async () => {
    const { clinic } = await setup();
    const key = { iid: clinic.iid, job: newId() };
    const patient = await createPatient(clinic);
    const uploads = [await clinic.upload("cbct.zip", zip)];
    const { database } = env.server.running;
    await database.asSystem((db) =>
      sql`insert into ingest_job (institution_id, id, patient_id, uploads, upload_key, accept_mismatch, created_by)
        values (${key.iid}, ${key.job}, ${patient}, ${uploads}::uuid[], ${key.job}, false, ${clinic.uid})`.execute(db),
    );
    const real = files();
    let room = 4;
    // There is space for the thumbnail, the preview, its middle planes and one group.
    const adopt: typeof real.adopt = async (area, ...given) => {
      if (area === "converted" && room-- <= 0) throw new Refused("storageFull", null, false);
      return real.adopt(area, ...given);
    };
    provideServices({ files: { ...real, adopt } });
    const ending = runIngestJob(database, key, new AbortController().signal).finally(() =>
      provideServices({ files: real }),
    );
    await expect(ending).rejects.toThrow("storageFull");

    const [row] = await clinic.call("study.list", { patientId: patient });
    const volumeNow = async () =>
      present((await clinic.call("study.detail", { id: row.id })).series[0].volume, "volume");
    expect(await clinic.call("study.conversion", { id: row.id })).toMatchObject({
      state: "converting",
      isShown: true,
    });
    const growing = await volumeNow();
    expect(growing).toMatchObject({ isGrowing: true, slices: 20 });
    expect(growing.groups).toHaveLength(3);
    expect(growing.groups.filter((url) => url !== null)).toHaveLength(1);
    const preview = await fetch(new URL(present(growing.preview, "preview").url, env.server.address));
    expect((await preview.arrayBuffer()).byteLength).toBe(16 * 16 * 5 * 2);

    await database.asSystem((db) => failJob(db, key.iid, key.job, "storageFull"));
    expect((await volumeNow()).isGrowing).toBe(false);
    const made = async () =>
      (
        await database.asSystem((db) =>
          sql<{ made: string }>`select xmin::text || sha256 as made from converted_file
            where institution_id = ${key.iid} and role = 'group' order by place`.execute(db),
        )
      ).rows.map((one) => one.made);
    const [first] = await made();
    const again = await clinic.call("study.convert", { id: row.id });
    expect(await waitForIngestJob(clinic, present(again.job, "job"))).toMatchObject({ state: "done" });
    const whole = await volumeNow();
    expect(whole.groups.every(Boolean)).toBe(true);
    expect(whole.isGrowing).toBe(false);
    expect(await made()).toContain(first);
  });

  const small = path.join(folder, "small-disk");
  mkdirSync(small);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=100k", "tmpfs", small]).status === 0;
  afterAll(() => void (mounted && spawnSync("umount", ["-l", small])));
  it.skipIf(!mounted)("is not blamed for it (needs the right to mount)", async () => {
    const task: PixelTask = { do: "volume", paths, out: small, existing: [] };
    await expect(workerPools().pixels.run(task, { timeoutMs: 60_000 })).rejects.toThrow("storageFull");
  });
});

it("a large volume comes at half its resolution before it comes whole", async () => {
  const out = path.join(folder, "half");
  mkdirSync(out);
  const steps: VolumeStep[] = [];
  await convertVolume({ do: "volume", paths, out, existing: [] }, (step) => void steps.push(step), 100_000);
  const groups = steps.flatMap(({ group }) => group ?? []);
  expect(groups.map(({ role, place }) => `${role} ${place}`)).toEqual([
    "half 0",
    "half 1",
    "group 0",
    "group 1",
    "group 2",
  ]);
  const { info, data } = await buildVolume(slices.map((bytes) => readDicom(bytes)));
  const came = async (wanted: string): Promise<number[]> => {
    const files = groups.filter(({ role }) => role === wanted);
    const decoded = await Promise.all(files.map((file) => decodeSliceGroup(readFileSync(file.path))));
    return decoded.flat().flatMap((slice) => [...slice]);
  };
  expect(await came("half")).toEqual([...buildPreview(info, data, 2).data]);
  expect(await came("group")).toEqual([...data]);
});
