import { describe, expect, it } from "vitest";
import { createCurvedSurface } from "@arcada/imaging/arch/curved-surface";
import type { Vector } from "@arcada/imaging/geometry/vector";
import type { ToothRoot } from "@arcada/imaging/implant/tooth-root";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { present } from "@arcada/testing/require-present";
import { createPanoramaSpace } from "../panorama/panorama-space.ts";
import { createPanoramaProjection } from "./plan-projection.ts";

const head = makeHead("outline");
const surface = present(createCurvedSurface(head.arch.lower.filter((_, at) => at % 12 === 0)));
/** Ten pixels for each mm. */
const space = createPanoramaSpace(surface, { middle: [60, 0], scale: 10 }, { width: 1200, height: 600 }, 10);

describe("the outline of a root in a panorama", () => {
  it("encloses the root's surface within 0.2 mm", () => {
    const { rootOutline } = createPanoramaProjection(space, surface, 10);
    for (const { neck, axes, shape } of head.teeth.filter(({ jaw }) => jaw === "lower")) {
      const apex = neck.map((mm, axis) => mm - axes.crown[axis] * shape.root) as unknown as Vector;
      const root = { neck, apex, wide: 3.5, thin: 1.2 };
      const [outline, all] = [rootOutline(root), sampleDensely(root).map(space.toViewport)];
      for (const towards of directions) {
        const reach = (points: Point2D[]) => Math.max(...points.map(([x, y]) => x * towards[0] + y * towards[1]));
        expect(Math.abs(reach(outline) - reach(all))).toBeLessThan(2);
      }
    }
  });
});

/** The tips of the radii of 25 balls, close together. */
const sampleDensely = ({ neck, apex, wide, thin }: ToothRoot): Vector[] =>
  Array.from({ length: 25 }, (_, ball) => {
    const share = ball / 24;
    return Array.from({ length: 400 }, (__, tip): Vector => {
      const [height, turn] = [1 - (2 * tip) / 399, 2.39996 * tip];
      const [across, radius] = [Math.sqrt(1 - height * height), wide + (thin - wide) * share];
      const direction = [across * Math.cos(turn), across * Math.sin(turn), height];
      return direction.map(
        (part, axis) => neck[axis] + (apex[axis] - neck[axis]) * share + part * radius,
      ) as unknown as Vector;
    });
  }).flat();

const directions: Point2D[] = Array.from({ length: 24 }, (_, at) => [
  Math.cos((at * Math.PI) / 12),
  Math.sin((at * Math.PI) / 12),
]);
