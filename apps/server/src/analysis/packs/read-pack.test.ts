import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPack } from "./read-pack.ts";
import { runEngine } from "../engines/run-engine.ts";
import type { EngineOutcome } from "../engines/engine-task-types.ts";
import { buildModel, type ModelFixture } from "@arcada/testing/analysis/onnx-model";
import { writePack, createSigner, type PackFixture } from "@arcada/testing/analysis/write-engine-pack";
import { openPack } from "./pack-file.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-pack-"));
const image = path.join(folder, "film.png");
beforeAll(async () => {
  const dot = {
    input: Buffer.alloc(20 * 20, 255),
    raw: { width: 20, height: 20, channels: 1 as const },
    left: 470,
    top: 90,
  };
  await sharp({ create: { width: 640, height: 320, channels: 3, background: "#000" } })
    .composite([dot])
    .png()
    .toFile(image);
});
afterAll(() => rmSync(folder, { recursive: true }));

const trustAnyone = { keys: [], unsigned: true };
const size = [1, 1, 32, 64];
const one = (op: string): ModelFixture => ({
  input: size,
  outputs: [{ name: "map", rank: 4 }],
  nodes: [{ op, inputs: ["in"], outputs: ["map"] }],
});
/** The image itself is the heatmap. */
const same = buildModel(one("Relu"));

const manyFolders = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`folder${at}/`, new Uint8Array()]));

let packCount = 0;
const writePackFile = (pack: Partial<PackFixture> = {}): Promise<string> =>
  writePack(path.join(folder, `${packCount++}.zip`), { model: same, ...pack });

async function run(pack: Partial<PackFixture>, timeoutMs?: number): Promise<EngineOutcome> {
  return runEngine(
    {
      engine: { kind: "pack", path: await writePackFile(pack), trust: { keys: [], unsigned: true } },
      source: { kind: "picture", path: image, format: "png", shows: "panorama", spacing: null },
      out: folder,
    },
    { signal: new AbortController().signal, ...(timeoutMs !== undefined && { timeoutMs }) },
  );
}

describe("an engine pack", () => {
  it("is identified by its manifest and its signer", async () => {
    const signer = createSigner("Acme");
    const answer = await readPack(await writePackFile({ signer }), { keys: [signer.trusted], unsigned: false });
    expect(answer).toMatchObject({
      pack: {
        info: {
          id: "test.teeth",
          kind: "learned",
          produces: ["TOOTH_BOX"],
          card: { licence: "CC0-1.0" },
          quotaCost: 1,
        },
        licence: "As you like.",
        signedBy: "Acme",
      },
    });
  });

  it("finds the target of its model at its position in the image", async () => {
    const outcome = await run({});
    expect(outcome).toMatchObject({
      state: "done",
      observations: [{ code: "TOOTH_BOX", target: { kind: "tooth", fdi: 11 }, confidence: { basis: "score" } }],
    });
    const box = outcome.state === "done" ? outcome.observations[0]?.geometry : null;
    if (box?.kind !== "box") throw new Error("no box");
    expect(Math.abs((box.left + box.right) / 2 - 480)).toBeLessThan(12);
    expect(Math.abs((box.top + box.bottom) / 2 - 100)).toBeLessThan(12);
  });

  it.each([
    ["a wrong sum", { manifest: { sha256: "0".repeat(64) } }, "packTampered"],
    ["a code that engines may not declare", { manifest: { produces: ["IQ_SIZE"] } }, "packInvalid"],
    [
      "a turn of a film as a class of a box",
      { manifest: { post: { classes: [{ code: "FILM_TURN" }] } } },
      "packInvalid",
    ],
    ["a newer interface", { manifest: { api: 2 } }, "packInvalid"],
    ["processing that is not on the list", { manifest: { task: "run-this@1" } }, "packInvalid"],
    ["a file that does not belong to it", { files: { "post.js": Buffer.from("0") } }, "packInvalid"],
    ["no card", { files: { "card.json": null } }, "packInvalid"],
    ["a path out of its folder", { files: { "../../left": Buffer.from("0") } }, "packInvalid"],
    ["a card elsewhere", { manifest: { card: "../card.json" } }, "packInvalid"],
    ["folders without end", { files: manyFolders }, "packInvalid"],
  ] as const)("is refused with %s", async (_, pack, fault) => {
    await expect(openPack(await writePackFile(pack), trustAnyone)).rejects.toMatchObject({ fault });
  });

  it.each([
    ["a model that is none", { model: Buffer.from("no model") }, "modelInvalid"],
    [
      "an input of another size",
      { manifest: { input: { name: "in", w: 32, h: 32, channels: ["gray-unit"] } } },
      "wrongShape",
    ],
  ] as const)("is refused with %s when it is loaded", async (_, pack, fault) => {
    expect(await readPack(await writePackFile(pack), trustAnyone)).toMatchObject({ fault });
  });

  it("is refused without a signature or with another signer's where the operator trusts certain signers", async () => {
    const [own, other] = [createSigner("Own"), createSigner("Other")];
    const pack = {
      none: await writePackFile(),
      own: await writePackFile({ signer: own }),
      other: await writePackFile({ signer: other }),
    };
    const keys = [own.trusted];
    await expect(openPack(pack.none, { keys, unsigned: false })).rejects.toMatchObject({ fault: "packUnsigned" });
    await expect(openPack(pack.none, { keys: [], unsigned: false })).rejects.toMatchObject({ fault: "packUnsigned" });
    expect(await openPack(pack.none, { keys, unsigned: true })).toMatchObject({ signedBy: null });
    expect(await openPack(pack.other, trustAnyone)).toMatchObject({ signedBy: null });
    for (const unsigned of [true, false]) {
      expect(await openPack(pack.own, { keys, unsigned })).toMatchObject({ signedBy: "Own" });
      await expect(openPack(pack.other, { keys, unsigned })).rejects.toMatchObject({ fault: "packTampered" });
    }
  });
});

describe("a model that misbehaves", () => {
  const huge: ModelFixture = {
    input: size,
    outputs: [{ name: "map", rank: 4 }],
    nodes: [
      { op: "ConstantOfShape", inputs: ["lengths"], outputs: ["zeros"] },
      { op: "ReduceMean", inputs: ["in"], outputs: ["mean"] },
      { op: "Add", inputs: ["zeros", "mean"], outputs: ["map"] },
    ],
    weights: { lengths: { dims: [4], whole: [1, 512, 1024, 1024] } },
  };
  const slow: ModelFixture = {
    input: size,
    outputs: [{ name: "map", rank: 4 }],
    nodes: [
      { op: "ReduceMean", inputs: ["in"], outputs: ["mean"] },
      { op: "Expand", inputs: ["mean", "lengths"], outputs: ["wide"] },
      ...["a", "b", "c", "d", "e", "f"].map((name, at, all) => ({
        op: "MatMul",
        inputs: [at === 0 ? "wide" : all[at - 1], "wide"],
        outputs: [name],
      })),
      { op: "Relu", inputs: ["f"], outputs: ["map"] },
    ],
    weights: { lengths: { dims: [4], whole: [1, 1, 6000, 6000] } },
  };
  const nan: ModelFixture = {
    ...one("Sqrt"),
    nodes: [
      { op: "Neg", inputs: ["in"], outputs: ["low"] },
      { op: "Sqrt", inputs: ["low"], outputs: ["map"] },
    ],
  };
  const flat: ModelFixture = { ...one("Flatten"), outputs: [{ name: "map", rank: 2 }] };
  const mask = {
    task: "mask@1",
    outputs: { mask: "map" },
    post: { classes: [{ code: "FINDING_caries" }] },
    produces: ["TOOTH_BOX"],
  };

  it.each([
    ["no numbers", { model: buildModel(nan) }, ["notANumber"], undefined],
    ["another shape", { model: buildModel(flat) }, ["wrongShape"], undefined],
    ["a code that it did not declare", { manifest: mask }, ["codeUndeclared"], undefined],
    ["a tensor of 2 GB", { model: buildModel(huge) }, ["memory", "tooLarge"], undefined],
    ["nothing in time", { model: buildModel(slow) }, ["timeout"], 2500],
  ] as const)(
    "answers %s: the run is refused as a whole, and the next run is not affected",
    async (_, pack, faults, timeoutMs) => {
      const outcome = await run(pack, timeoutMs);
      expect(outcome).toMatchObject({ state: "failed" });
      expect(faults).toContain(outcome.state === "failed" ? outcome.fault : null);
    },
  );

  it("is stopped when its caller cancels the run", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("cancelled")), 300);
    const work = runEngine(
      {
        engine: {
          kind: "pack",
          path: await writePackFile({ model: buildModel(slow) }),
          trust: { keys: [], unsigned: true },
        },
        source: { kind: "picture", path: image, format: "png", shows: "panorama", spacing: null },
        out: folder,
      },
      { signal: stop.signal },
    );
    await expect(work).rejects.toThrow("cancelled");
  });
});
