import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { IngestJob, Study } from "@arcada/contract/study/study.calls";
import { world, type Person } from "../../../../tests/world.ts";

const data = process.env.ARCADA_TEST_DATA ?? path.join(import.meta.dirname, "../../../../../shared/data");
const real = (name: string): Uint8Array => readFileSync(path.join(data, name));

export async function uploaded(clinic: Person, patientId: string, files: Record<string, Uint8Array>, more: Record<string, unknown> = {}): Promise<IngestJob> {
  const uploads: string[] = [];
  for (const [name, bytes] of Object.entries(files)) uploads.push(await clinic.uploads(name, bytes));
  const job = await clinic.gets("study.open", { patientId, uploads, ...more });
  return ended(clinic, job.id);
}

export async function ended(clinic: Person, id: string): Promise<IngestJob> {
  for (;;) {
    const job = await clinic.gets("study.job", { id });
    if (job.state !== "waiting" && job.state !== "running") return job;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe.skipIf(!existsSync(data))("real files (ARCADA_TEST_DATA)", () => {
  it("takes in everything", { timeout: 120_000 }, async () => {
    const { clinic } = await world();
    const patient = await clinic.gets("patient.create", { name: "王小明", sex: "male", birthDate: "1990-01-01" });
    let t = performance.now();
    const took = () => { const now = performance.now(); const d = Math.round(now - t); t = now; return d; };
    const show = async (label: string, job: IngestJob) => {
      console.log(label, took(), "ms", JSON.stringify({ ...job, refused: job.refused.slice(0, 5), n: job.refused.length }));
      for (const id of job.studies) {
        const s: Study = await clinic.gets("study.detail", { id });
        console.log("  ", s.kind, s.kindCertain, s.state, s.count, s.bytes, s.takenAt, s.description, Boolean(s.thumbnailUrl), s.header.length);
        for (const one of s.series) console.log("     ", one.kind, one.description, one.count, JSON.stringify(one.problems), one.volume && `${one.volume.columns}x${one.volume.rows}x${one.volume.slices} g${one.volume.groups.length} ${one.volume.valueName}`, JSON.stringify(one.instances[0]?.picture ?? one.instances[0]?.model)?.slice(0, 330));
      }
    };
    await show("pano", await uploaded(clinic, patient.id, { "pano.dcm": real("pano-dicom/pano-CR-ModalityLUT.dcm") }));
    await show("ceph", await uploaded(clinic, patient.id, { "B1893L12.jpg": real("ceph-bolton/B1893L12.jpg") }));
    await show("bite", await uploaded(clinic, patient.id, { "bitewing.png": real("bitewing/bitewing.png") }));
    await show("ios", await uploaded(clinic, patient.id, { "case0-upper.stl": real("ios-smartee/derived/case0-upper.stl"), "case0-lower.stl": real("ios-smartee/derived/case0-lower.stl") }));
    await show("enc", await uploaded(clinic, patient.id, { "e.zip": real("zip-encrypted/train-gt.json.zip") }));
    await show("bad", await uploaded(clinic, patient.id, { "text.dcm": new TextEncoder().encode("hello"), "zero.dcm": new Uint8Array(), "bad.stl": real("ios-smartee/derived/case0-upper.stl").subarray(0, 100_000), "x.bin": new Uint8Array([1, 2, 3]), "t.dcm": real("pano-dicom/pano-CR-ModalityLUT.dcm").subarray(0, 600_000) }));
    const folder = mkdtempSync(path.join(tmpdir(), "zip-"));
    execFileSync("python3", ["-c", `import shutil; shutil.make_archive('${folder}/ct','zip','${data}/ct-skull-phantom','Philips/S21570')`]);
    const ct = readFileSync(path.join(folder, "ct.zip"));
    took();
    await show("ct", await uploaded(clinic, patient.id, { "ct.zip": ct }));
    await show("ct accept", await uploaded(clinic, patient.id, { "ct.zip": ct }, { acceptMismatch: true }));
    await show("ct again", await uploaded(clinic, patient.id, { "ct.zip": ct }, { acceptMismatch: true }));
    await show("dup", await uploaded(clinic, patient.id, { "d.zip": real("zip-dicom/ct-duplicate-slice-positions.zip") }, { acceptMismatch: true }));
    rmSync(folder, { recursive: true });
    console.log(await clinic.gets("patient.timeline", { id: patient.id }), (await clinic.gets("patient.list", {})).list);
    const syn = path.join(data, "dicom-syntaxes/files");
    const files = Object.fromEntries(readdirSync(syn).map((n) => [n, readFileSync(path.join(syn, n))]));
    took();
    const job = await uploaded(clinic, patient.id, files, { acceptMismatch: true });
    console.log("syntaxes", took(), job.state, job.studies.length, job.refused);
  });
});
