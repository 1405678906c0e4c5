import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { makeTiffFixture } from "@arcada/testing/images/tiff-file";
import type { Study } from "@arcada/contract/study/study.schema";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";

const rgb = (compression: "none" | "lzw" | "deflate" | "packbits" | "jpeg", density = 300) =>
  sharp({ create: { width: 90, height: 60, channels: 3, background: "#b06050" } })
    .withMetadata({ density })
    .tiff({ compression, quality: 90 })
    .toBuffer();
const deep = (columns: number, rows: number, value: number) => ({
  columns,
  rows,
  samples: new Uint16Array(columns * rows).fill(value),
});

async function taken(
  files: Record<string, Uint8Array>,
): Promise<{ here: TestSetup; clinic: TestUser; studies: Study[] }> {
  const env = await setup();
  const { clinic } = env;
  const job = await uploadStudy(clinic, await createPatient(clinic), files);
  expect(job).toMatchObject({ state: "done", refused: [] });
  return {
    here: env,
    clinic,
    studies: await Promise.all(job.studies.map((id) => clinic.call("study.detail", { id }))),
  };
}
const fetched = async (env: TestSetup, url: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(new URL(url, env.server.address))).arrayBuffer());

describe("a TIFF", { timeout: 180_000 }, () => {
  it("becomes an image in every usual coding, its file kept byte for byte", async () => {
    const codings = ["none", "lzw", "deflate", "packbits", "jpeg"] as const;
    const files = Object.fromEntries(
      await Promise.all(codings.map(async (coding) => [`${coding}.tif`, new Uint8Array(await rgb(coding))] as const)),
    );
    const { here: env, studies } = await taken(files);
    expect(studies).toHaveLength(codings.length);
    for (const study of studies) {
      const { name, picture: image, originalUrl } = study.series[0].instances[0];
      expect(image).toMatchObject({ format: "image", columns: 90, rows: 60, spacing: { source: "resolution" } });
      const { data } = await sharp(await fetched(env, present(image).url))
        .raw()
        .toBuffer({ resolveWithObject: true });
      for (const [at, value] of [0xb0, 0x60, 0x50].entries()) expect(Math.abs(data[at] - value)).toBeLessThan(4);
      expect(await fetched(env, present(originalUrl))).toEqual(Buffer.from(files[name]));
    }
  });

  it("of grey values keeps all 16 bits, each page a frame, and the smaller ones keep their pixels", async () => {
    const file = makeTiffFixture([deep(40, 30, 1000), deep(20, 30, 50_000)]);
    const { here: env, studies } = await taken({ "ceph.tif": file });
    const { picture: image } = studies[0].series[0].instances[0];
    expect(image).toMatchObject({ format: "grey16", columns: 40, rows: 30, min: 0, max: 50_000, spacing: null });
    expect(image?.frames).toHaveLength(2);
    const [first, second] = await Promise.all(
      present(image).frames.map(async (url) => {
        const bytes = await fetched(env, url);
        return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
      }),
    );
    expect(new Set(first)).toEqual(new Set([1000]));
    expect([second[0], second[19], second[20]]).toEqual([50_000, 50_000, 0]);
  });

  it("that is broken, has too many pages or too many pixels is refused with its own reason", async () => {
    const { clinic } = await setup();
    const page = { columns: 2, rows: 2, samples: new Uint8Array(4) };
    const job = await uploadStudy(clinic, await createPatient(clinic), {
      "loop.tif": makeTiffFixture([page, page], () => 12),
      "many.tif": makeTiffFixture(Array.from({ length: 101 }, () => page)),
      "huge.tif": makeTiffFixture([
        {
          ...page,
          tags: [
            [256, 4, 20_000],
            [257, 4, 20_000],
          ],
        },
      ]),
      "float.tif": makeTiffFixture([{ ...page, tags: [[339, 3, 3]] }]),
      "cut.tif": new Uint8Array((await rgb("none")).subarray(0, 4000)),
    });
    expect(Object.fromEntries(job.refused.map(({ name, refusal }) => [name, refusal]))).toEqual({
      "loop.tif": "fileBroken",
      "many.tif": "filePagesMany",
      "huge.tif": "fileTooMuchMemory",
      "float.tif": "fileUnsupported",
      "cut.tif": "fileBroken",
    });
  });
});
