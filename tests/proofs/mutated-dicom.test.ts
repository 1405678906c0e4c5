import { readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { makeRleImageFixture, makeImageFixture } from "@arcada/testing/images/dicom-images";

import { deriveUid, type DicomDataset } from "@arcada/imaging/dicom/write/write-dicom";
import { craftZip } from "../../apps/server/src/ingest/archive/crafted-zip.ts";
import { hasTestData, testData, comparisonFiles } from "../../scripts/decoder-reference/real-test-files.ts";
import { createRandom, mutateFile } from "../../scripts/decoder-reference/mutate-file.ts";
import { DicomwebClient } from "@arcada/testing/clients/dicomweb-client";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { measureLongestWait } from "./support/longest-wait.ts";
import { present } from "@arcada/testing/require-present";

const isFull = process.env.ARCADA_PROOF === "full";
const [discs, onDisc, sent] = isFull ? [20, 250, 1000] : [1, 50, 30];

const patientTags = { id: "1", name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" } as const;
const slices = [
  ...createCbctFiles(makeHead("mutated"), patientTags, { size: { columns: 32, rows: 32, slices: 6, voxel: 4 } }),
];
const positionElements: DicomDataset = [
  [0x0020000d, "UI", deriveUid("mutated", "study")],
  [0x0020000e, "UI", deriveUid("mutated", "series")],
];
const values = Array.from({ length: 8 }, (_, at) => at * 100);
const made = [
  makeImageFixture(positionElements, "plain").bytes,
  makeRleImageFixture(positionElements, "coded", [values, values.toReversed()]),
];
/**
 * Small files only: the test covers the code that their headers and encodings reach. A DICOMDIR is excluded, because it
 * is not an image, intact or not.
 */
const realFiles = hasTestData
  ? comparisonFiles()
      .filter((file) => !file.includes("DICOMDIR"))
      .map((file) => readFileSync(path.join(testData, file)))
      .filter(({ length }) => length < 120_000)
  : [];
const seeds: Uint8Array[] = [...slices.map(({ bytes }) => bytes), ...made, ...realFiles];

let clinicAndLab: TestSetup;
beforeAll(async () => void (clinicAndLab = await setup()));

describe("T-06: DICOM files with some bytes changed or their end cut off", () => {
  it(
    `on discs with ${discs * onDisc} files are each in a study or named with a reason; meanwhile people are served`,
    { timeout: isFull ? 3_600_000 : 120_000 },
    async () => {
      const { clinic } = clinicAndLab;
      const below = createRandom(20_261_122);
      const ends = { shown: 0, refused: 0 };
      const began = performance.now();
      const waited = await measureLongestWait(clinic, async () => {
        for (let disc = 0; disc < discs; disc++) {
          const files = Array.from({ length: onDisc }, (_, at) => ({
            name: `${disc}-${at}.dcm`,
            data: mutateFile(seeds[below(seeds.length)], below),
          }));
          const patient = await createPatient(clinic, { name: `Disc ${disc}` });
          const job = await uploadStudy(clinic, patient, { "disc.zip": craftZip(files) }, { acceptMismatch: true });
          expect(["done", "failed"]).toContain(job.state);
          const studies = await Promise.all(job.studies.map((id) => clinic.call("study.detail", { id })));
          const shown = new Set(
            studies.flatMap(({ series }) => series.flatMap(({ instances }) => instances.map(({ name }) => name))),
          );
          const refused = new Set(job.refused.map(({ name }) => path.basename(name)));
          expect(files.map(({ name }) => name).filter((name) => !shown.has(name) && !refused.has(name))).toEqual([]);
          expect(studies.filter(({ state }) => state === "converting")).toEqual([]);
          ends.shown += shown.size;
          ends.refused += refused.size;
        }
      });
      const each = (performance.now() - began) / (discs * onDisc);
      console.info(
        `T-06: ${discs * onDisc} mutated files on ${discs} discs: ${ends.shown} in a study, ${ends.refused} named; ` +
          `${each.toFixed(0)} ms each, a page meanwhile ${waited.toFixed(0)} ms at most`,
      );
    },
  );

  it(
    `sent one by one (${sent}) are each acknowledged or refused with a reason, and acknowledged ones are processed to the end`,
    { timeout: isFull ? 3_600_000 : 120_000 },
    async () => {
      const below = createRandom(20_261_123);
      let archive: DicomwebClient | undefined;
      const answered: Record<number, number> = {};
      let slowest = 0;
      for (let at = 0; at < sent; at++) {
        // A known UID with other bytes is rejected unread. A new clinic that has none of the files lets the server read
        // more of them.
        if (at % 50 === 0) archive = new DicomwebClient((await setup()).clinic);
        const began = performance.now();
        const { status, answer } = await present(archive).store([mutateFile(seeds[below(seeds.length)], below)]);
        slowest = Math.max(slowest, performance.now() - began);
        const [kept, failed] = ["00081199", "00081198"].map((tag) => answer[tag]?.Value?.length ?? 0);
        expect([status, kept, failed]).toEqual(kept === 1 ? [200, 1, 0] : [409, 0, 1]);
        answered[status] = (answered[status] ?? 0) + 1;
      }
      const left = () =>
        clinicAndLab.server.running.database.asSystem(async (db) => {
          const { rows } = await sql<{
            left: number;
          }>`select ((select count(*) from intake) + (select count(*) from ingest_job
            where state in ('waiting', 'running')))::int as left`.execute(db);
          return rows[0].left;
        });
      await expect.poll(left, { timeout: 60_000 + sent * 200 }).toBe(0);
      console.info(`T-06: ${sent} mutated files sent: ${JSON.stringify(answered)}, slowest ${slowest.toFixed(0)} ms`);
    },
  );
});
