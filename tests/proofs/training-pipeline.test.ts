import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ImageKind } from "@arcada/imaging/dicom/parse/image-kind";
import { permanentTeeth } from "@arcada/contract/kernel/tooth-numbers";
import { createTrainingIntraoral } from "@arcada/phantom/training/training-intraoral";
import { createTrainingPanorama } from "@arcada/phantom/training/training-panorama";
import { createTrainingCephalogram } from "@arcada/phantom/training-cephalogram/training-cephalogram";
import { runEngine } from "../../apps/server/src/analysis/engines/run-engine.ts";
import type { EngineOutcome } from "../../apps/server/src/analysis/engines/engine-task-types.ts";
import { readPack } from "../../apps/server/src/analysis/packs/read-pack.ts";
import { createSigningKey, publicKeyOf } from "../../apps/server/src/platform/security/signing-key.ts";

// Training needs Python with PyTorch, which machines of continuous integration lack: there, these tests are skipped with
// this reason, and the shared cases of the decoder are compared in decode-tooth-votes.test.ts.
const python = ["python3", "/usr/bin/python3"].find(
  (program) => spawnSync(program, ["-c", "import torch, onnx, numpy, PIL"]).status === 0,
);
const why = "no Python with PyTorch, ONNX, NumPy and Pillow";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-training-"));
afterAll(() => rmSync(folder, { recursive: true }));
const root = path.join(import.meta.dirname, "../..");
const [trained, tuned] = [path.join(folder, "trained"), path.join(folder, "tuned")];
const pack = path.join(trained, "arcada.teeth-0.1.0.zip");
const pem = path.join(folder, "packs.pem");
const trust = { keys: [`house=${publicKeyOf(createSigningKey(pem))}`], unsigned: false };

const runTraining = (options: string[], more: Record<string, string>): string => {
  const env = { ...process.env, OMP_NUM_THREADS: "1", PYTHON: python ?? "", KEY: pem, DATE: "2026-01-02", ...more };
  const { stdout, stderr, status } = spawnSync("bash", ["training/run", ...options], {
    cwd: root,
    env,
    encoding: "utf8",
  });
  return `${stdout}${stderr}\nended with ${status}`;
};

describe("training from an empty folder", { timeout: 900_000 }, () => {
  let said = "";
  beforeAll(() => {
    if (python) said = runTraining(["teeth", trained, "8", "4"], { HELD_BACK: "3" });
  }, 600_000);

  it("ends with a signed pack and the row of its run", async ({ skip }) => {
    skip(!python, why);
    expect(said).toMatch(/ended with 0$/);
    expect(said).toMatch(/\| 2026-01-02 \| 1 \| \d \| .*3 drawn films, held back/);
    const read = await readPack(pack, trust);
    expect(read).toMatchObject({ pack: { signedBy: "house", info: { id: "arcada.teeth", tasks: ["tooth-votes@1"] } } });
    const metrics = "pack" in read ? read.pack.info.card.metrics.map(({ name }) => name) : [];
    expect(metrics).toContain("F1 of teeth found under their own number");
    expect(metrics).toContain("Time of one core for a film, ms");
  });

  it("gives a pack that the product runs on a film, and that says nothing after four steps", async ({ skip }) => {
    skip(!python, why);
    // It sees teeth everywhere, and abstains.
    const outcome = await runPack(pack, "panorama", createTrainingPanorama("a film to look at"));
    expect(outcome).toMatchObject({ state: "done", observations: [], abstentions: [{ reason: "outOfRange" }] });
  });

  it("goes on from the pack on an owner's archive, and ends with the verdict of the trial", async ({ skip }) => {
    skip(!python, why);
    const archive = path.join(folder, "archive");
    for (let patient = 0; patient < 5; patient++)
      await writeFilm(path.join(archive, "training", `P-${patient}`), "I-0", `own ${patient}`);
    await writeFilm(path.join(archive, "trial", "P-9"), "I-0", "own 9", true);
    const told = runTraining(["teeth-finetune", tuned, archive, pack, "2"], { DRAWN: "4" });
    expect(told).toMatch(/4 films to train on \(1 times each\), 1 apart, 0 left out, 4 drawn/);
    const film = readFileSync(path.join(tuned, "mixed", "own-000001.pgm"));
    const white = film.filter((value) => value === 255).length / film.length;
    expect(white).toBeLessThan(0.2);
    expect(told).toContain("arcada.teeth 0.1.0-own");
    expect(told).toMatch(/It has not passed:\n {2}images: 1, at least 85 are needed[\s\S]*ended with 1$/);
  });
});

describe("training of the other packs", { timeout: 600_000 }, () => {
  it("ends for intra-oral films with a signed pack that the product runs on one", async ({ skip }) => {
    skip(!python, why);
    const to = path.join(folder, "film");
    expect(runTraining(["film", to, "6", "0.05"], { HELD_BACK: "3" })).toMatch(/ended with 0$/);
    const made = path.join(to, "arcada.film-0.1.0.zip");
    const read = await readPack(made, trust);
    expect(read).toMatchObject({ pack: { signedBy: "house", info: { id: "arcada.film", tasks: ["film-votes@1"] } } });
    const outcome = await runPack(made, "dentalFilm", createTrainingIntraoral("a film to look at"));
    expect(outcome).toMatchObject({ state: "done" });
    expect(codesOf(outcome)).toContain("FINDING_caries");
  });

  it("ends for cephalograms with a signed pack that answers for every landmark", async ({ skip }) => {
    skip(!python, why);
    const to = path.join(folder, "ceph");
    expect(runTraining(["ceph", to, "6", "6"], { HELD_BACK: "4", OTHERS: "2" })).toMatch(/ended with 0$/);
    const made = path.join(to, "arcada.ceph-0.1.0.zip");
    const read = await readPack(made, trust);
    const info = { id: "arcada.ceph", tasks: ["landmark-heatmap@1"] };
    expect(read).toMatchObject({ pack: { signedBy: "house", info } });
    const outcome = await runPack(made, "lateralCeph", createTrainingCephalogram("a film to look at", "usual"));
    expect(outcome).toMatchObject({ state: "done" });
    const produced = "pack" in read ? read.pack.info.produces : [];
    expect(produced).toHaveLength(30);
    expect(codesOf(outcome).toSorted()).toEqual(produced.toSorted());
  });
});

/** Runs a pack as the product does, on a film as a person uploads it. */
async function runPack(file: string, shows: ImageKind, film: Drawn): Promise<EngineOutcome> {
  const png = path.join(folder, `${shows}.png`);
  await writePng(png, film);
  const source = { kind: "picture", path: png, format: "png", shows, spacing: null } as const;
  const engine = { kind: "pack", path: file, trust } as const;
  return runEngine({ engine, source, out: folder }, { signal: new AbortController().signal });
}

/** The codes that were seen or abstained from. */
const codesOf = (outcome: EngineOutcome): string[] =>
  outcome.state === "done" ? [...outcome.observations, ...outcome.abstentions].map(({ code }) => code) : [];

interface Drawn {
  columns: number;
  rows: number;
  pixels: Uint8Array;
}
const writePng = (file: string, { columns, rows, pixels }: Drawn) =>
  sharp(pixels, { raw: { width: columns, height: rows, channels: 1 } })
    .toColourspace("grey16")
    .png()
    .toFile(file);

/** A drawn film as the archive of signed charts has it. */
async function writeFilm(to: string, name: string, seed: string, heldBack = false): Promise<void> {
  const film = createTrainingPanorama(seed);
  const { columns, rows, teeth } = film;
  mkdirSync(to, { recursive: true });
  await writePng(path.join(to, `${name}.png`), film);
  const shown = new Map(teeth.map((tooth) => [tooth.fdi, tooth]));
  const all = [...new Set([...permanentTeeth, ...shown.keys()])];
  const labels = {
    kind: "panorama",
    columns,
    rows,
    spacing: null,
    heldBack,
    teeth: all.map((fdi) => {
      const tooth = shown.get(fdi);
      const presence = !tooth ? "missing" : tooth.condition === "implant" ? "implant" : "present";
      return { fdi, presence, crown: null, box: tooth?.box ?? null, findings: [] };
    }),
  };
  writeFileSync(path.join(to, `${name}.json`), JSON.stringify(labels));
}
