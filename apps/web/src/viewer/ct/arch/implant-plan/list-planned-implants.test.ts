import { expect, it } from "vitest";
import type { Annotation } from "@arcada/contract/study/annotation";
import { listPlannedImplants } from "./list-planned-implants.ts";

const mark = (id: string, tool: string, points: number[][], settings: Annotation["settings"] = {}): Annotation =>
  ({ id, tool, points, settings, text: "", instanceId: "ct", plane: null }) as unknown as Annotation;

it("lists the size of each planned implant and its distance to the nearest other one", () => {
  const implants = listPlannedImplants([
    {
      ...mark(
        "a",
        "implant",
        [
          [0, 0, 0],
          [0, 0, -10],
        ],
        { diameter: 4, tip: 4 },
      ),
      text: "46",
    },
    mark(
      "b",
      "implant",
      [
        [10, 0, 0],
        [10, 0, -8],
      ],
      { diameter: 4, tip: 4 },
    ),
    mark("c", "length", [
      [0, 0, 0],
      [0, 0, 5],
    ]),
  ]);
  expect(implants).toMatchObject([
    { tooth: 46, system: null, diameter: 4, length: 10, distances: [{ to: "implant" }] },
    { tooth: null, diameter: 4, length: 8 },
  ]);
  expect(implants[0]?.distances[0]?.mm).toBeCloseTo(6, 1);
});
