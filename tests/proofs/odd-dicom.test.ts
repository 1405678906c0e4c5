import { sql } from "kysely";
import pg from "pg";
import { expect, it } from "vitest";
import { makeImageFixture } from "@arcada/testing/images/dicom-images";
import { deriveUid, type DicomDataset } from "@arcada/imaging/dicom/write/write-dicom";
import { DicomwebClient } from "@arcada/testing/clients/dicomweb-client";
import { setup } from "@arcada/testing/setup/test-server";

/** Values that no device would write. They cover every kind: beyond 32 bits, not a number, not a day, not a letter. */
const oddValues = [
  "2147483648",
  "-2147483649",
  "9007199254740993",
  "99999999999999999999",
  "1e999",
  "NaN",
  "-1",
  "0",
  "1.5",
  "x",
  "",
  "00000101",
  "00010101",
  "99991231",
  "20260230",
  "275760",
  "2147483648\\1\\2",
  "a\0b",
  "\ud800",
  "\u007f\u0080",
  "\u001b$B",
  ..."__proto__|../../x|%00|<b>|'; --|💥".split("|"),
  "x".repeat(3000),
];
const texts: [number, string][] = [
  ...([0x00280008, 0x00200011, 0x00200012, 0x00200013, 0x00280034] as const).map((tag): [number, string] => [
    tag,
    "IS",
  ]),
  ...([0x00280030, 0x00281050, 0x00281051, 0x00281052, 0x00281053, 0x00200032, 0x00200037, 0x00180050] as const).map(
    (tag): [number, string] => [tag, "DS"],
  ),
  ...([0x00080020, 0x00080021, 0x00080023, 0x00100030, 0x00400244] as const).map((tag): [number, string] => [
    tag,
    "DA",
  ]),
  ...([0x00080030, 0x00080033] as const).map((tag): [number, string] => [tag, "TM"]),
  ...([0x00100010, 0x00080090] as const).map((tag): [number, string] => [tag, "PN"]),
  ...([0x00100020, 0x0008103e, 0x00081030, 0x00080050, 0x00200010] as const).map((tag): [number, string] => [
    tag,
    "LO",
  ]),
  ...([0x00080005, 0x00080060, 0x00100040, 0x00280004] as const).map((tag): [number, string] => [tag, "CS"]),
  [0x0008002a, "DT"],
  [0x00101010, "AS"],
];
const counts = [0x00280010, 0x00280011, 0x00280100, 0x00280101, 0x00280102, 0x00280103, 0x00280002];

it("T-23: odd values in every attribute of DICOM files leave no job that fails", { timeout: 300_000 }, async () => {
  const clinicAndLab = await setup();
  const device = new DicomwebClient(clinicAndLab.clinic);
  const files: Uint8Array[] = [];
  const add = (...change: DicomDataset) => {
    const name = `odd ${files.length}`;
    const place: DicomDataset = [
      [0x0020000d, "UI", deriveUid(name, "study")],
      [0x0020000e, "UI", deriveUid(name, "series")],
    ];
    const set = new Set(change.map(([tag]) => tag));
    try {
      files.push(makeImageFixture([...place.filter(([tag]) => !set.has(tag)), ...change], name).bytes);
    } catch {
      // Our own writer does not write it.
    }
  };
  const isFull = process.env.ARCADA_PROOF === "full";
  texts.forEach(([tag, vr], at) =>
    oddValues.forEach((text, place) => {
      if (isFull || (at + place) % 24 === 0 || tag === 0x00280008) add([tag, vr, text] as DicomDataset[number]);
    }),
  );
  for (const tag of counts) for (const count of [0, 1, 65_535]) add([tag, "US", count]);
  const statuses = new Set<number>();
  for (let from = 0; from < files.length; from += 20)
    statuses.add((await device.store(files.slice(from, from + 20))).status);
  const owner = new pg.Client(clinicAndLab.server.running.connection);
  await owner.connect();
  const jobs = async () =>
    (
      await owner.query<{ name: string; state: string; output: unknown }>(
        "select name, state, output from pgboss.job where state in ('created', 'active', 'retry', 'failed') and name in ('dicomweb.index', 'intake.open', 'ingest')",
      )
    ).rows;
  const broken = async () => (await jobs()).filter(({ state }) => state === "retry" || state === "failed");
  await expect
    .poll(async () => (await jobs()).length === 0 || (await broken()).length > 0, { timeout: 200_000, interval: 500 })
    .toBe(true);
  const found = await broken();
  const { rows: indexed } = await clinicAndLab.server.running.database.asSystem((db) =>
    sql<{
      n: number;
    }>`select count(*)::int as n from dicom_instance where institution_id = ${clinicAndLab.clinic.iid}`.execute(db),
  );
  await owner.end();
  console.info(`T-23: ${files.length} odd files, ${indexed[0].n} of them indexed, ${found.length} jobs that fail`);
  expect(found).toEqual([]);
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  expect(indexed[0].n).toBeGreaterThan(0);
});
