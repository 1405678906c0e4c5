import sharp from "sharp";
import { MeshoptDecoder } from "meshoptimizer/decoder";
import { beforeAll, describe, expect, it } from "vitest";
import { readMaterials } from "@arcada/imaging/mesh/obj-materials";
import { readGlb } from "@arcada/imaging/mesh/read-glb";
import { convertSrgbToLinear } from "@arcada/imaging/mesh/srgb-to-linear";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";

const text = (lines: string): Uint8Array => new TextEncoder().encode(lines);
/** A red triangle, and one whose texture is green on its left and blue on its right. */
const obj = text(`# made
mtllib .\\Tooth Colours.MTL
v 0 0 0
v 10 0 0
v 0 10 0
v 20 0 0
v 30 0 0
v 20 10 0
vt 0.1 0.5
vt 0.9 0.5
vt 1.2 -0.5
usemtl gum red
f 1 2 3
usemtl tooth
f -3/1 -2/2 -1/3
`);
const library = text(
  "newmtl gum red\nKa 1 1 1\nKd 0.8 0.2 0\n\nnewmtl tooth\nKd 1 1 1\nmap_Kd -s 1 1 1 C:\\scan\\Shade.PNG\n",
);
const shade = async (): Promise<Uint8Array> =>
  sharp(Buffer.from([0, 255, 0, 0, 0, 255]), { raw: { width: 2, height: 1, channels: 3 } })
    .png()
    .toBuffer();

let env: TestSetup;
beforeAll(async () => {
  env = await setup();
  await MeshoptDecoder.ready;
});

async function seen(files: Record<string, Uint8Array>) {
  const { clinic } = env;
  const patient = await createPatient(clinic);
  await uploadStudy(clinic, patient, files);
  const studies = await clinic.call("study.list", { patientId: patient });
  const models = present(studies.find(({ kind }) => kind === "model"));
  const { series } = await clinic.call("study.detail", { id: models.id });
  const { glb } = present(series[0].instances.find(({ model }) => model)?.model, "model");
  const bytes = await (await fetch(new URL(present(glb).url, env.server.address))).arrayBuffer();
  const { positions, colours } = readGlb(new Uint8Array(bytes), MeshoptDecoder);
  const at = (x: number, y: number) => {
    const place = present(
      Array.from({ length: positions.length / 3 }, (_, vertex) => vertex).find(
        (vertex) => Math.hypot(positions[3 * vertex] - x, positions[3 * vertex + 1] - y) < 0.1,
      ),
    );
    return colours && [...colours.subarray(3 * place, 3 * place + 3)];
  };
  return { studies, series, at };
}
const linear = (...bytes: number[]): number[] => [...convertSrgbToLinear(Uint8Array.from(bytes))];

describe("an OBJ with its materials", { timeout: 60_000 }, () => {
  it("is shown with their colours and textures, as one study with them", async () => {
    const { studies, series, at } = await seen({
      "tooth.obj": obj,
      "tooth colours.mtl": library,
      "shade.png": await shade(),
    });
    expect(studies).toHaveLength(1);
    expect(series).toMatchObject([{ kind: "models", problems: [], count: 3 }]);
    for (const [x, y] of [
      [0, 0],
      [10, 0],
      [0, 10],
    ] as const)
      expect(at(x, y)).toEqual(linear(204, 51, 0));
    expect([at(20, 0), at(30, 0), at(20, 10)]).toEqual([linear(0, 255, 0), linear(0, 0, 255), linear(0, 255, 0)]);
  });

  it("reports missing materials, and is shown all the same", async () => {
    const bare = await seen({ "tooth.obj": obj });
    expect(bare.series).toMatchObject([{ problems: [{ code: "materialMissing" }], count: 1 }]);
    expect(bare.at(0, 0)).toBeNull();
    const half = await seen({ "tooth.obj": obj, "tooth colours.mtl": library });
    expect(half.series).toMatchObject([{ problems: [{ code: "materialMissing" }] }]);
    expect(half.at(0, 0)).toEqual(linear(204, 51, 0));
  });

  it("does not store a material without a model", async () => {
    const { clinic } = env;
    const patient = await createPatient(clinic);
    const job = await uploadStudy(clinic, patient, { "alone.mtl": library, "shade.png": await shade() });
    expect(job).toMatchObject({ refused: [{ name: "alone.mtl", refusal: "fileUnsupported" }] });
    expect(await clinic.call("study.list", { patientId: patient })).toMatchObject([{ kind: "photo", count: 1 }]);
  });
});

describe("a material library", () => {
  it("is read where it can be, and is none without a material", () => {
    const odd = readMaterials(
      text("Kd 1 0 0\nnewmtl a\nKd spectral x.rfl\nnewmtl b\nKd 0.5\nmap_Kd -bm 1 -clamp on a b.jpg"),
    );
    expect([...odd]).toEqual([
      ["a", { colour: [204, 204, 204], textureFile: null }],
      ["b", { colour: [128, 128, 128], textureFile: "a b.jpg" }],
    ]);
    expect(() => readMaterials(text("hello"))).toThrow("notMesh");
  });
});
