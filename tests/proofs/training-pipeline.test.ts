import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { permanentTeeth } from "@arcada/contract/kernel/tooth-numbers";
import { createTrainingPanorama } from "@arcada/phantom/training/training-panorama";
import { runEngine } from "../../apps/server/src/analysis/engines/run-engine.ts";
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
    const { png } = await writeFilm(folder, "film", "a film to look at");
    const outcome = await runEngine(
      {
        engine: { kind: "pack", path: pack, trust },
        source: { kind: "picture", path: png, format: "png", shows: "panorama", spacing: null },
        out: folder,
      },
      { signal: new AbortController().signal },
    );
    // It sees teeth everywhere, and abstains.
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

/** A drawn film as the archive of signed charts has it. */
async function writeFilm(to: string, name: string, seed: string, heldBack = false): Promise<{ png: string }> {
  const { columns, rows, pixels, teeth } = createTrainingPanorama(seed);
  mkdirSync(to, { recursive: true });
  const png = path.join(to, `${name}.png`);
  await sharp(pixels, { raw: { width: columns, height: rows, channels: 1 } })
    .toColourspace("grey16")
    .png()
    .toFile(png);
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
  return { png };
}
