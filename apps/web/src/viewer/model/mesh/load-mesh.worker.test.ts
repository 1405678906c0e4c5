import { createSphereMesh } from "@arcada/phantom/math/solid-meshes";
import { present } from "@arcada/testing/require-present";
import { beforeEach, expect, it, vi } from "vitest";
import type { MeshJob, MeshMessage } from "./load-mesh.worker.ts";

type Module = Record<string, unknown>;

/** Runs the worker on a ball, with the code of its tree as given, and returns the names of what it answers. */
async function loadBall(tree: () => Module | Promise<Module>): Promise<string[]> {
  vi.doMock("./surface-tree.ts", tree);
  const { promise: job, resolve: listens } = Promise.withResolvers<(event: { data: MeshJob }) => void>();
  const { promise: ended, resolve: ends } = Promise.withResolvers<void>();
  const answers: string[] = [];
  vi.stubGlobal("self", {
    addEventListener: (_: string, listener: (event: { data: MeshJob }) => void) => listens(listener),
    postMessage: (message: MeshMessage) => {
      if ("mesh" in message) answers.push(`mesh of ${message.mesh.triangles}`);
      if ("tree" in message) answers.push("tree");
      if ("fault" in message) answers.push(message.fault);
      if ("tree" in message || "fault" in message) ends();
    },
  });
  vi.stubGlobal("fetch", async () => new Response(writeBall()));
  await import("./load-mesh.worker.ts");
  (await job)({ data: { glb: null, url: "https://arcada.test/ball.stl", kind: "stl" } });
  await ended;
  return answers;
}

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
