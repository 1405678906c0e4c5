import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { expect, it } from "vitest";
import type { Mesh } from "@arcada/imaging/mesh/mesh";
import { writePly, writeStl } from "@arcada/imaging/mesh/write-mesh";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createArchScan } from "@arcada/phantom/scan/arch-scan";
import { craftZip } from "../../apps/server/src/ingest/archive/crafted-zip.ts";
import { hasTestData, testData } from "../../scripts/decoder-reference/real-test-files.ts";
import { createRandom, mutateFile } from "../../scripts/decoder-reference/mutate-file.ts";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";
import { measureLongestWait } from "./support/longest-wait.ts";

const isFull = process.env.ARCADA_PROOF === "full";
const files = isFull ? 300 : 24;

/** The longest time in milliseconds that an unrelated request may wait while hostile files are read. */
const longestWaitMs = isFull ? 2000 : 10_000;

it(
  `T-06: ${files} mutated scans, photographs and archives are each shown or refused, and nobody else waits`,
  { timeout: isFull ? 3_600_000 : 180_000 },
  async () => {
    const { clinic } = await setup();
    const seeds = await seedFiles();
    const below = createRandom(20_261_124);
    const outcomes: Record<string, number> = {};
    const wait = await measureLongestWait(clinic, async () => {
      for (let at = 0; at < files; at++) {
        const [name, bytes] = seeds[at % seeds.length];
        const patient = await createPatient(clinic, { name: `Mutated ${at}` });
        // The first file of each format is intact: a refusal of every file would prove nothing.
        const isIntact = at < seeds.length;
        const sent = isIntact ? bytes : mutateFile(bytes, below);
        const job = await uploadStudy(clinic, patient, { [name]: sent }, { acceptMismatch: true });
        if (isIntact) expect(job.studies.length, name).toBeGreaterThan(0);
        expect(["done", "failed"], `${name}, file ${at}`).toContain(job.state);
        if (job.studies.length === 0)
          expect(job.refused.length + (job.refusal ? 1 : 0), `${name}, file ${at}`).toBeGreaterThan(0);
        const outcome = `${path.extname(name).slice(1)} ${job.studies.length > 0 ? "shown" : "refused"}`;
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
    });
    console.info(`T-06: ${JSON.stringify(outcomes)}; the longest unrelated request took ${wait.toFixed(0)} ms`);
    expect(wait).toBeLessThan(longestWaitMs);
  },
);

/** One valid file of each accepted format, and one archive that holds several of them. */
async function seedFiles(): Promise<[name: string, bytes: Uint8Array][]> {
  const mesh = createArchScan(makeHead("mutated material"), "upper");
  const noise = { create: { width: 320, height: 240, channels: 3, background: "#a08070" } } as const;
  const png = await sharp(noise).png().toBuffer();
  const jpeg = await sharp(noise)
    .withExif({ IFD0: { Artist: "camera" } })
    .jpeg({ progressive: true })
    .toBuffer();
  const scans: [string, Uint8Array][] = [
    ["upper.stl", writeStl(mesh)],
    ["upper.ply", writePly(mesh)],
    ["upper.obj", writeObj(mesh)],
  ];
  const folder = path.join(testData, "pano-abdi116", "images_w1024");
  const film = hasTestData ? readFileSync(path.join(folder, readdirSync(folder)[0])) : jpeg;
  return [
    ...scans,
    ["photo.png", png],
    ["photo.jpg", jpeg],
    ["film.jpg", film],
    ["case.zip", craftZip([...scans.slice(0, 2), ["photo.png", png] as const].map(([name, data]) => ({ name, data })))],
  ];
}

function writeObj({ positions, indices }: Mesh): Uint8Array {
  const places = indices ?? Uint32Array.from(positions, (_, at) => at).subarray(0, positions.length / 3);
  const lines: string[] = ["o scan"];
  for (let at = 0; at < positions.length; at += 3)
    lines.push(`v ${positions[at]} ${positions[at + 1]} ${positions[at + 2]}`);
  for (let at = 0; at < places.length; at += 3)
    lines.push(`f ${places[at] + 1} ${places[at + 1] + 1} ${places[at + 2] + 1}`);
  return new TextEncoder().encode(lines.join("\n"));
}
