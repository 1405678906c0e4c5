import { describe, expect, it } from "vitest";
import { computeBounds, countTriangles, computeEnclosedVolume, type Mesh } from "@arcada/imaging/mesh/mesh";
import { makeHead } from "../anatomy/head.ts";
import { createArchScan, createCrownDesign } from "./arch-scan.ts";
import { present } from "@arcada/testing/require-present";

const head = makeHead("test");

/** Edges that only one triangle has: none on a closed surface. */
function openEdges(mesh: Mesh): number {
  const seen = new Map<string, number>();
  const indices = present(mesh.indices, "indices");
  for (let i = 0; i < indices.length; i++) {
    const [a, b] = [indices[i], indices[i % 3 === 2 ? i - 2 : i + 1]];
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  return [...seen.values()].filter((count) => count === 1).length;
}

describe("a generated scan of a jaw", () => {
  const upper = createArchScan(head, "upper");
  const lower = createArchScan(head, "lower");

  it.each([
    ["upper", upper],
    ["lower", lower],
  ] as const)("is a dental arch of the usual size: %s", (_jaw, mesh) => {
    expect(countTriangles(mesh)).toBeGreaterThan(30_000);
    expect(countTriangles(mesh)).toBeLessThan(90_000);
    const { min, max } = computeBounds(mesh);
    expect(max[0] - min[0]).toBeGreaterThan(60);
    expect(max[0] - min[0]).toBeLessThan(85);
    expect(openEdges(mesh)).toBeGreaterThan(100);
  });

  it("has pale teeth over red gum", () => {
    const tooth = present(head.teeth.find(({ fdi }) => fdi === 31));
    const { positions } = lower;
    const colours = present(lower.colours, "colours");
    const redness = [0, 0];
    const count = [0, 0];
    for (let i = 0; i < positions.length; i += 3) {
      if (Math.hypot(positions[i] - tooth.neck[0], positions[i + 1] - tooth.neck[1]) > 5) continue;
      const side = positions[i + 2] > tooth.neck[2] + 5 ? 0 : positions[i + 2] < tooth.neck[2] - 2 ? 1 : -1;
      if (side < 0) continue;
      redness[side] += colours[i] / (colours[i + 2] + 1);
      count[side]++;
    }
    expect(redness[0] / count[0]).toBeLessThan(1.3);
    expect(redness[1] / count[1]).toBeGreaterThan(1.5);
  });
});

describe("a designed crown", () => {
  it.each([16, 26, 36, 46, 11])("is closed, hollow and faces outwards in every quadrant: %i", (fdi) => {
    const crown = present(createCrownDesign(head, fdi));
    expect(openEdges(crown)).toBe(0);
    const tooth = present(head.teeth.find((one) => one.fdi === fdi));
    const block = tooth.shape.width * tooth.shape.depth * tooth.shape.crown;
    expect(computeEnclosedVolume(crown) / block).toBeGreaterThan(0.1);
    expect(computeEnclosedVolume(crown) / block).toBeLessThan(0.6);
  });

  it("is not made for a tooth that no one has", () => {
    expect(createCrownDesign(head, 99)).toBeNull();
  });
});
