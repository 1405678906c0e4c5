import { createSphereMesh } from "@arcada/phantom/math/solid-meshes";
import type { GlbDecoder } from "@arcada/imaging/mesh/read-glb";
import { writeGlb, type GlbEncoder } from "@arcada/imaging/mesh/write-glb";
import { present } from "@arcada/testing/require-present";
import { beforeEach, expect, it, vi } from "vitest";
import type { MeshJob, MeshMessage } from "./load-mesh.worker.ts";

type Module = Record<string, unknown>;

/** Runs the worker on a ball, with the code of its tree as given, and returns the names of what it answers. */
async function loadBall(tree: () => Module | Promise<Module>, copies: Partial<MeshJob> = {}): Promise<string[]> {
  vi.doMock("./surface-tree.ts", tree);
  vi.doMock("three/addons/libs/meshopt_decoder.module.js", () => ({ MeshoptDecoder }));
  const { promise: job, resolve: listens } = Promise.withResolvers<(event: { data: MeshJob }) => void>();
  const { promise: ended, resolve: ends } = Promise.withResolvers<void>();
  const answers: string[] = [];
  vi.stubGlobal("self", {
    addEventListener: (_: string, listener: (event: { data: MeshJob }) => void) => listens(listener),
    postMessage: (message: MeshMessage) => {
      if ("coarse" in message) answers.push(`coarse copy of ${message.coarse.triangles}`);
      if ("mesh" in message) answers.push(`mesh of ${message.mesh.triangles}`);
      if ("tree" in message) answers.push("tree");
      if ("fault" in message) answers.push(message.fault);
      if ("tree" in message || "fault" in message) ends();
    },
  });
  vi.stubGlobal("fetch", async (url: string) => {
    if (url.includes("stalled")) await new Promise(() => {});
    if (url.includes("lost")) throw new TypeError("Failed to fetch");
    return new Response(url.endsWith(".glb") ? writeGlbBall(url.includes("coarse") ? 8 : 32) : writeBall());
  });
  await import("./load-mesh.worker.ts");
  (await job)({ data: { glb: null, coarse: null, url: "https://arcada.test/ball.stl", kind: "stl", ...copies } });
  if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(2000);
  await ended;
  return answers;
}

/** A streaming copy of a ball, by an encoder that packs nothing and a decoder that unpacks nothing. */
function writeGlbBall(steps: number): Uint8Array<ArrayBuffer> {
  const encoder: GlbEncoder = {
    reorderMesh: (indices) => [
      Uint32Array.from({ length: Math.max(...indices) + 1 }, (_, at) => at),
      Math.max(...indices) + 1,
    ],
    encodeGltfBuffer: (source) => source,
  };
  return writeGlb(createSphereMesh([0, 0, 0], 5, steps), encoder).bytes;
}
const MeshoptDecoder: GlbDecoder & { ready: Promise<void> } = {
  ready: Promise.resolve(),
  decodeGltfBuffer: (target, _count, _size, source) => target.set(source),
};

/** A binary STL file of a ball. */
function writeBall(): Uint8Array<ArrayBuffer> {
  const { positions, indices } = createSphereMesh([0, 0, 0], 5, 4);
  const corners = present(indices);
  const file = new DataView(new ArrayBuffer(84 + (corners.length / 3) * 50));
  file.setUint32(80, corners.length / 3, true);
  corners.forEach((corner, at) => {
    for (let axis = 0; axis < 3; axis++)
      file.setFloat32(
        84 + Math.floor(at / 3) * 50 + 12 * (1 + (at % 3)) + 4 * axis,
        present(positions[3 * corner + axis]),
        true,
      );
  });
  return new Uint8Array(file.buffer);
}

beforeEach(() => {
  vi.resetModules();
  vi.unstubAllGlobals();
});

it("answers with a surface and then its tree", async () => {
  const answers = await loadBall(() => vi.importActual<Module>("./surface-tree.ts"));
  expect(answers).toEqual([expect.stringMatching(/^mesh of \d+$/), "tree"]);
});

it("shows a surface whose tree's code cannot be fetched, and reports the network", async () => {
  const answers = await loadBall(() => {
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  expect(answers).toEqual([expect.stringMatching(/^mesh of \d+$/), "network"]);
});

it("shows a surface whose tree does not fit in the memory, and does not call it damaged", async () => {
  const buildMeshTree = () => {
    throw new RangeError("Array buffer allocation failed");
  };
  const answers = await loadBall(() => ({ buildMeshTree }));
  expect(answers).toEqual([expect.stringMatching(/^mesh of \d+$/), "tooLarge"]);
});

const glb = "https://arcada.test/ball.glb";

it("answers with the coarse copy before the surface", async () => {
  const copies = { glb, coarse: "https://arcada.test/coarse.glb" };
  const answers = await loadBall(() => vi.importActual<Module>("./surface-tree.ts"), copies);
  expect(answers).toEqual(["coarse copy of 48", "mesh of 960", "tree"]);
});

it.each(["https://arcada.test/lost.glb", "https://arcada.test/ball.stl"])(
  "says nothing of a coarse copy that cannot be loaded: %s",
  async (coarse) => {
    const answers = await loadBall(() => vi.importActual<Module>("./surface-tree.ts"), { glb, coarse });
    expect(answers).toEqual(["mesh of 960", "tree"]);
  },
);

it("does not wait longer than two seconds for a coarse copy that never comes", async ({ onTestFinished }) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const copies = { glb, coarse: "https://arcada.test/stalled.glb" };
  const answers = await loadBall(() => vi.importActual<Module>("./surface-tree.ts"), copies);
  expect(answers).toEqual(["mesh of 960", "tree"]);
});
