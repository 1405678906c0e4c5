import { expect, it } from "vitest";
import type { CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import { normaliseTracing } from "./normalised-tracing.ts";
import { computeOutlines } from "./anatomical-outlines.ts";
import { present } from "@arcada/testing/require-present";
import { traced, usual } from "@arcada/testing/fixtures/ceph-tracings";

it("a tracing's outlines run through its landmarks and are drawn only where landmarks are marked", () => {
  const { points: places } = normaliseTracing(traced(usual));
  const near = (id: CephLandmark, name: string) => {
    const [x, y] = present(places[id]);
    const line = present(computeOutlines(places).find((one) => one.name === name)).points;
    return Math.min(...line.map(([u, v]) => Math.hypot(u - x, v - y)));
  };
  expect(near("Me", "jaw")).toBeLessThan(1e-6);
  expect(near("PogS", "profile")).toBeLessThan(1e-6);
  const { Go: _, ...withoutGo } = places;
  expect(computeOutlines(withoutGo).map(({ name }) => name)).not.toContain("jaw");
  expect(computeOutlines({ S: [0, 0], N: [1, 1] }).map(({ name }) => name)).toEqual(["SN"]);
});
