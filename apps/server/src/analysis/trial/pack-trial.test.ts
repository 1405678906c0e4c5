import { execFile } from "node:child_process";
import { createHash, sign } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFigures } from "@arcada/analysis/pack/engine-trial-figures";
import { trialFormat, describeTrial, type TrialFigures } from "@arcada/contract/analysis/engine-trial";
import { permanentTeeth } from "@arcada/contract/kernel/tooth-numbers";
import { waitForIngestJob } from "@arcada/testing/fixtures/uploads";
import { getTestServer, setup, type TestUser } from "@arcada/testing/setup/test-server";
import { createSigningKey, publicKeyOf } from "../../platform/security/signing-key.ts";
import { buildModel } from "@arcada/testing/analysis/onnx-model";
import { writePack, type PackFixture } from "@arcada/testing/analysis/write-engine-pack";
import {
  generateHeads,
  teethManifest,
  buildTeethModel,
  writeLabelledImage,
} from "@arcada/testing/analysis/teeth-model";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-trial-test-"));
afterAll(() => rmSync(folder, { recursive: true }));
const isFull = process.env.ARCADA_PROOF === "full";
const hasRuntime = process.platform !== "darwin" || process.arch === "arm64";

const pem = path.join(folder, "trials.pem");
const key = createSigningKey(pem);
const program = path.join(import.meta.dirname, "pack-trial.cli.ts");
const runTryPack = (...given: string[]) =>
  promisify(execFile)(process.execPath, [program, ...given]).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      said: error.stdout + error.stderr,
    }),
  );

/** The image itself is the heatmap of tooth 11. */
const brightPlace = buildModel({
  input: [1, 1, 32, 64],
  outputs: [{ name: "map", rank: 4 }],
  nodes: [{ op: "Relu", inputs: ["in"], outputs: ["map"] }],
});
let packCount = 0;
const writePackFile = (pack: Partial<PackFixture> = {}): Promise<string> =>
  writePack(path.join(folder, `${packCount++}.zip`), { model: brightPlace, ...pack });

/** A radiograph with one bright area, which is tooth 11, the only tooth of its mouth. */
async function writeLabelledRadiograph(to: string, name: string, left: number, more: object = {}): Promise<void> {
  mkdirSync(to, { recursive: true });
  const dot = { input: Buffer.alloc(400, 255), raw: { width: 20, height: 20, channels: 1 as const }, left, top: 90 };
  await sharp({ create: { width: 640, height: 320, channels: 3, background: "#000" } })
    .composite([dot])
    .png()
    .toFile(path.join(to, `${name}.png`));
  // A pack that states no sizes returns boxes of an average tooth.
  const box = { left: left - 2.8, top: 64.8, right: left + 22.8, bottom: 135.2 };
  const teeth = permanentTeeth.map((fdi) => ({
    fdi,
    presence: fdi === 11 ? "present" : "missing",
    crown: null,
    box: fdi === 11 ? box : null,
    findings: [],
  }));
  const labels = { kind: "panorama", columns: 640, rows: 320, spacing: null, heldBack: true, teeth, ...more };
  writeFileSync(path.join(to, `${name}.json`), JSON.stringify(labels));
}

describe.runIf(hasRuntime)("the trial of a pack", { timeout: 120_000 }, () => {
  const radiographs = path.join(folder, "films");
  beforeAll(async () => {
    for (const [at, left] of [100, 300].entries())
      await writeLabelledRadiograph(path.join(radiographs, "trial/P-1"), `I-${at}`, left);
    copyFileSync(path.join(radiographs, "trial/P-1/I-0.png"), path.join(radiographs, "trial/P-1/I-8.png"));
    copyFileSync(path.join(radiographs, "trial/P-1/I-0.json"), path.join(radiographs, "trial/P-1/I-8.json"));
    await writeLabelledRadiograph(path.join(radiographs, "trial/P-2"), "I-3", 200, { heldBack: false });
    await writeLabelledRadiograph(path.join(radiographs, "training/P-3"), "I-4", 200);
  });

  it("runs the pack on the held-back images as in use, and explains in sentences why the pack has not passed", async () => {
    const { code, said } = await runTryPack(await writePackFile(), radiographs);
    expect(code).toBe(1);
    expect(said).toContain("on 2 panoramas held back from training");
    expect(said).toContain("teeth found: F1 100.0 % (2 of 2, 2 boxes given)");
    expect(said).toContain("called missing by giving no tooth: 100.0 % right (62 of 62)");
    expect(said).toContain("left out: 1, which may have been trained with");
    expect(said).toContain("left out: 1, which are there twice");
    expect(said).toMatch(
      /has not passed:\n {2}images: 2, at least 85 are needed\n {2}claims: it does not say how often/,
    );
  });

  it("counts a pack whose model returns NaN as finding nothing", async () => {
    const nodes = [
      { op: "Neg", inputs: ["in"], outputs: ["low"] },
      { op: "Sqrt", inputs: ["low"], outputs: ["map"] },
    ];
    const model = buildModel({ input: [1, 1, 32, 64], outputs: [{ name: "map", rank: 4 }], nodes });
    const { code, said } = await runTryPack(await writePackFile({ model }), radiographs);
    expect([code, said]).toEqual([1, expect.stringMatching(/came to nothing with: 2;[\s\S]*I-0.png: notANumber/)]);
  });

  it.each([
    ["is no pack", { files: { "card.json": null } }],
    [
      "finds no teeth",
      {
        manifest: {
          task: "mask@1",
          outputs: { mask: "map" },
          post: { classes: [{ code: "FINDING_caries" }] },
          produces: ["FINDING_caries"],
        },
      },
    ],
  ] as const)("does not start for a pack that %s", async (_, pack) => {
    expect((await runTryPack(await writePackFile(pack), radiographs)).code).toBe(2);
  });

  it("counts only with a trusted signature, for exactly this pack, and only by its figures", async () => {
    await getTestServer({ TRIAL_KEYS: `house=${publicKeyOf(key)}`, ENGINE_UNSIGNED: "on" });
    const { clinic } = await setup();
    await clinic.server.allowEnginePacks(clinic.iid);
    const file = await writePackFile();
    const upload = await clinic.upload("pack.zip", readFileSync(file));
    const installed = present((await clinic.call("analysis.installPack", { upload })).engine, "engine");
    expect(installed.info.trial ?? null).toBeNull();
    expect(await levelOfPack(clinic)).toBe("C");

    await runTryPack(file, radiographs, "--key", pem);
    const written = readFileSync(`${file}.trial.json`, "utf8");
    const adds = (text: string) => clinic.ask("analysis.addTrial", { id: installed.id, file: text });
    const refused = async (text: string) => refusalOf(await adds(text));
    expect(await refused("{}")).toBe("trialNone");
    expect(await refused(written.replace('"images": 2', '"images": 85'))).toBe("trialUntrusted");
    const own = createSigningKey(path.join(folder, "maker.pem"));
    expect(await refused(signTrial(file, passing, own))).toBe("trialUntrusted");
    expect(await refused(signTrial(await writePackFile({ manifest: { version: "1.0.1" } }), passing))).toBe(
      "trialOther",
    );

    const failed = await clinic.call("analysis.addTrial", { id: installed.id, file: written });
    expect(failed.info.trial).toMatchObject({
      by: "house",
      faults: ["imagesFew", "claimsNone"],
      figures: { images: 2 },
    });
    expect(await levelOfPack(clinic)).toBe("C");

    const passed = await clinic.call("analysis.addTrial", { id: installed.id, file: signTrial(file, passing) });
    expect(passed.info.trial).toMatchObject({ faults: [], figures: { images: 85 } });
    expect(await levelOfPack(clinic)).toBe("B");
  });

  const passing: TrialFigures = {
    ...emptyFigures,
    images: 85,
    teeth: 2500,
    boxes: 2500,
    found: 2480,
    numbered: 2450,
    claims: [{ claim: 0.97, n: 2500, right: 2450 }],
  };
  function signTrial(file: string, figures: TrialFigures, by = key): string {
    const pack = createHash("sha256").update(readFileSync(file)).digest("hex");
    const at = new Date().toISOString();
    const result = { engine: "test.teeth", version: "1.0.0", pack, set: "0".repeat(64), at, figures };
    const signature = sign(null, Buffer.from(describeTrial(result)), by).toString("base64");
    return JSON.stringify({ format: trialFormat, ...result, algorithm: "Ed25519", signature });
  }

  /** Returns the level that a new analysis states for the pack. Each call analyses a new image. */
  let looks = 0;
  async function levelOfPack(clinic: TestUser): Promise<string> {
    const patientId = (
      await clinic.call("patient.create", { name: `Ana ${looks}`, sex: "female", birthDate: `1990-02-${10 + looks++}` })
    ).id;
    const radiograph = await sharp({ create: { width: 640, height: 320, channels: 3, background: `#00000${looks}` } })
      .png()
      .toBuffer();
    const uploads = [await clinic.upload("film.png", radiograph)];
    const { id } = await clinic.call("study.open", { patientId, uploads, kind: "panorama" });
    const studyId = (await waitForIngestJob(clinic, id)).studies[0];
    const pack = present((await clinic.call("analysis.engines", {})).engines.find(({ source }) => source === "pack"));
    const [begun] = await clinic.call("analysis.start", { studyId, engine: pack.id });
    return begun.engine.level;
  }
});

describe.runIf(isFull && hasRuntime)("a pack that finds teeth in drawn panoramas", { timeout: 1_800_000 }, () => {
  const [many, few] = [path.join(folder, "many"), path.join(folder, "few")];
  let model: Uint8Array;
  beforeAll(async () => {
    model = buildTeethModel();
    const heads = generateHeads();
    for (let at = 0; at < 85; at++) {
      const to = at < 12 ? few : many;
      await writeLabelledImage(to, `I-${at}`, present(heads.next().value, "value"));
      if (at >= 12) continue;
      mkdirSync(many, { recursive: true });
      for (const kind of ["png", "json"])
        copyFileSync(path.join(few, `I-${at}.${kind}`), path.join(many, `I-${at}.${kind}`));
    }
  }, 1_800_000);
  const teeth = (more: object = {}) => writePackFile({ model, manifest: { ...teethManifest, ...more } });

  it("passes its trial on 85 panoramas", async () => {
    const { code, said } = await runTryPack(await teeth(), many);
    expect([code, said]).toEqual([0, expect.stringContaining("It has passed.")]);
  });

  const { post, calibration } = teethManifest;
  it.each([
    ["is timid", { post: { ...post, threshold: 0.9999999 } }, /teeth found: F1 [\d.]+ %, below 97/],
    [
      "names its neighbours",
      { post: { ...post, teeth: permanentTeeth.toReversed() } },
      /own number: F1 [\d.]+ %, below 93/,
    ],
    [
      "claims too little",
      { calibration: { ...calibration, bins: [[1, 0.8]] } },
      /claims: off by [\d.]+ %, more than 3/,
    ],
    ["claims nothing", { calibration: null }, /claims: it does not say how often/],
  ])("does not pass when it %s", async (_, change, why) => {
    const { code, said } = await runTryPack(await teeth(change), few);
    expect([code, said]).toEqual([1, expect.stringMatching(why)]);
    expect(said).toContain("images: 12, at least 85");
  });
});
