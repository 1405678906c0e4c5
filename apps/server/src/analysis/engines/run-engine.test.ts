import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeSliceGroup } from "@arcada/imaging/volume/slice-group-codec";
import { runEngine } from "./run-engine.ts";
import type { EngineOutcome, EngineSource } from "./engine-task-types.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-engine-"));
const radiograph = path.join(folder, "film.jpg");
beforeAll(async () => {
  const noise = { type: "gaussian" as const, mean: 120, sigma: 40 };
  await sharp({ create: { width: 1000, height: 500, channels: 3, background: "#000", noise } })
    .jpeg()
    .toFile(radiograph);
});
afterAll(() => rmSync(folder, { recursive: true }));

const observe: number[] = [];
const run = (source: EngineSource): Promise<EngineOutcome> =>
  runEngine(
    { engine: { kind: "measurement" }, source, out: folder },
    { signal: new AbortController().signal, onProgress: (share) => observe.push(share) },
  );
const image = (file: string, format: "dicom" | "jpeg" | "png"): EngineSource => ({
  kind: "picture",
  path: file,
  format,
  shows: "panorama",
  spacing: null,
});

describe("an engine's run", () => {
  it("analyses a stored image outside the event loop and reports its progress", async () => {
    const outcome = await run(image(radiograph, "jpeg"));
    if (outcome.state === "failed") throw new Error(outcome.detail);
    expect(outcome.observations.map(({ code }) => code)).toContain("IQ_SIZE");
    expect(new Set(outcome.observations.map(({ id }) => id)).size).toBe(outcome.observations.length);
    expect(outcome.abstentions.map(({ code }) => code)).toContain("PAN_TILT");
    expect(observe.length).toBeGreaterThan(0);
  });

  it("fails with a named fault for an image of another format than declared, and does not affect the next run", async () => {
    const broken = path.join(folder, "broken.dcm");
    writeFileSync(broken, Buffer.alloc(4000, 7));
    for (const source of [image(radiograph, "png"), image(broken, "dicom"), image(broken, "jpeg")])
      expect(await run(source)).toMatchObject({ state: "failed", fault: "imageUnreadable" });
    expect(await run(image(radiograph, "jpeg"))).toMatchObject({ state: "done" });
  });

  it("reads a volume by its groups of slices, and refuses a volume with missing slices", async () => {
    const size = { columns: 20, rows: 20, slices: 9 };
    const group = async (count: number) => {
      const file = path.join(folder, `${count}.group`);
      writeFileSync(
        file,
        await encodeSliceGroup(
          Array.from({ length: count }, () => new Int16Array(400)),
          size,
        ),
      );
      return file;
    };
    const groups = [await group(8), await group(1)];
    const geometry = {
      ...size,
      spacing: [1, 1, 1] as [number, number, number],
      origin: [0, 0, 0] as [number, number, number],
      direction: [1, 0, 0, 0, 1, 0, 0, 0, 1] as [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
      ],
    };
    const source = { kind: "volume", geometry, path: null, groups } as const;
    expect(await run(source)).toMatchObject({
      state: "done",
      observations: [],
      abstentions: ["CBCT_ARCH", "CBCT_PANO", "CBCT_CANAL", "CBCT_TOOTH", "CBCT_JAW"].map((code) => ({ code })),
    });
    expect(await run({ ...source, groups: groups.slice(1) })).toMatchObject({ fault: "imageUnreadable" });
  });
});
