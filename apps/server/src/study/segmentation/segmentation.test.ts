import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Input } from "@arcada/contract/kernel/call";
import type { annotationCalls } from "@arcada/contract/study/annotation.calls";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { decodeFrame } from "@arcada/imaging/dicom/pixels/decode-frame";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { createPatient, uploadStudy, waitForIngestJob } from "@arcada/testing/fixtures/uploads";
import { isToolInstalled } from "@arcada/testing/peers/dcmtk";
import { refusalOf } from "@arcada/testing/refusal-of";
import { present } from "@arcada/testing/require-present";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";

type Marks = Input<typeof annotationCalls.saveMarks>["marks"];

let env: TestSetup;
let study: string;
let series: string;
let canal: Marks[number];
let root: Marks[number];
beforeAll(async () => {
  env = await setup();
  const patient = await createPatient(env.clinic);
  const person = { id: "1", name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" } as const;
  const size = { columns: 60, rows: 48, slices: 40, voxel: 1 };
  const files = [...createCbctFiles(makeHead("segmentation"), person, { size })].map(
    ({ bytes }, place) => [`${place}.dcm`, bytes] as const,
  );
  const job = await uploadStudy(env.clinic, patient, Object.fromEntries(files), { acceptMismatch: true });
  study = present(job.studies[0]);
  const detail = await env.clinic.call("study.detail", { id: study });
  const volume = present(detail.series.find(({ kind }) => kind === "volume"));
  series = volume.id;
  const middle = present(volume.volume).origin.map((value, axis) => value + (axis === 2 ? 20 : 24));
  const owner = { instanceId: present(volume.instances[0]).id, plane: null };
  const at = (...shift: number[]) => middle.map((value, axis) => value + (shift[axis] ?? 0));
  canal = {
    ...owner,
    id: "canal",
    tool: "canal",
    text: null,
    points: [at(-8, -6, -9), at(0, 0, 0), at(9, 4, 11)],
    settings: { diameter: 4, side: "left", isTraced: true },
  };
  root = {
    ...owner,
    id: "root",
    tool: "root",
    text: "36",
    points: [at(-6, 5, 8), at(-4, 5, -8)],
    settings: { diameter: 8, tip: 4 },
  };
}, 120_000);

const save = async (marks: Marks): Promise<number> => {
  const { version } = await env.clinic.call("study.marks", { id: study });
  return (await env.clinic.call("study.saveMarks", { id: study, version, marks })).version;
};

/** Waits until the index knows the volume. */
async function makeSegmentation(version: number) {
  await expect
    .poll(() => env.clinic.ask("study.segmentation", { id: study, seriesId: series, version }).then(refusalOf), {
      timeout: 20_000,
    })
    .not.toBe("studyBusy");
  const job = await env.clinic.call("study.segmentation", { id: study, seriesId: series, version });
  return waitForIngestJob(env.clinic, job.id);
}

async function readStored() {
  const detail = await env.clinic.call("study.detail", { id: study });
  const found = detail.series.filter(({ modality }) => modality === "SEG");
  const stored = present(found.at(-1)?.instances[0]);
  const answer = await fetch(new URL(present(stored.originalUrl), env.server.address));
  return { detail, found, stored, bytes: new Uint8Array(await answer.arrayBuffer()) };
}

describe("a segmentation of drawn structures", { timeout: 120_000 }, () => {
  it("is a series of its study, kept once however often it is made", async () => {
    const version = await save([canal, root]);
    expect(await makeSegmentation(version)).toMatchObject({ state: "done", studies: [study], refused: [] });
    expect(await makeSegmentation(version)).toMatchObject({ state: "done", added: 0, known: 1 });
    const { detail, found, stored } = await readStored();
    expect(detail).toMatchObject({ kind: "ct", state: "ready" });
    expect(found.length).toBe(1);
    expect(stored).toMatchObject({ picture: null, fault: null });
    expect(stored.document?.url).not.toBeNull();
  });

  it("has each voxel within half a voxel of the drawn line and its radius", async () => {
    const { bytes } = await readStored();
    const file = readDicom(bytes);
    const labels = file.sequence("x00620002").map((one) => one.text("x00620005"));
    expect(labels).toEqual(["Mandibular canal, left", "Root of tooth 36"]);
    const groups = file.sequence("x52009230");
    const centres: number[] = [];
    for (const [frame, group] of groups.entries()) {
      if (group.sequence("x0062000a")[0]?.number("x0062000b") !== 2) continue;
      const [left = NaN, top = NaN, height = NaN] = present(group.sequence("x00209113")[0]).numbers("x00200032");
      const { data } = await decodeFrame(file, frame);
      const columns = present(file.uint16("x00280011"));
      const set = [...data].flatMap((value, index) => (value === 1 ? [index] : []));
      const mean = (of: (index: number) => number) => set.reduce((sum, index) => sum + of(index), 0) / set.length;
      const x = left + mean((index) => index % columns);
      const y = top + mean((index) => Math.floor(index / columns));
      const [[fromX = 0, fromY = 0, fromZ = 0] = [], [toX = 0, toY = 0, toZ = 0] = []] = root.points;
      const share = (height - fromZ) / (toZ - fromZ);
      if (share < 0.1 || share > 0.9) continue;
      centres.push(Math.hypot(x - fromX - share * (toX - fromX), y - fromY - share * (toY - fromY)));
    }
    expect(centres.length).toBeGreaterThan(10);
    expect(Math.max(...centres)).toBeLessThan(0.5);
  });

  it.skipIf(!isToolInstalled("dciodvfy"))("is free of errors for dciodvfy", async ({ onTestFinished }) => {
    const folder = mkdtempSync(path.join(tmpdir(), "arcada-seg-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const name = path.join(folder, "seg.dcm");
    writeFileSync(name, (await readStored()).bytes);
    const said = execFileSync("sh", ["-c", `dciodvfy ${name} 2>&1 || true`], { encoding: "utf8" });
    expect(said.split("\n").filter((line) => line.startsWith("Error"))).toEqual([]);
  });

  it("is refused without a structure, and for marks that have changed", async () => {
    const before = await save([canal]);
    const version = await save([]);
    const ask = async (wish: number) =>
      refusalOf(await env.clinic.ask("study.segmentation", { id: study, seriesId: series, version: wish }));
    expect(await ask(version)).toBe("segmentationEmpty");
    expect(await ask(before)).toBe("marksChanged");
  });

  it("is refused for structures outside of the volume", async () => {
    const version = await save([{ ...canal, points: canal.points.map(([x = 0, y = 0, z = 0]) => [x + 500, y, z]) }]);
    const answer = await env.clinic.ask("study.segmentation", { id: study, seriesId: series, version });
    expect(refusalOf(answer)).toBe("segmentationEmpty");
  });
});
