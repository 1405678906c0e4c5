import type { Annotation } from "@arcada/contract/study/annotation";
import { describe, expect, it } from "vitest";
import type { Translate } from "../../../../i18n/texts.ts";
import { insertControlPoint } from "../insert-control-point.ts";
import { defaultImplantSize, completeImplant, moveImplantPoint, buildPlan, resizeImplant } from "./implant-plan.ts";
import { listPlannedImplants } from "./implant-plan.ts";
import {
  describeBone,
  listDistances,
  isTooNear,
  defaultSafetyDistances,
  formatSafetyDistance,
  listUnchecked,
  listUncheckedParts,
  listWarnings,
} from "./plan-warnings.ts";

const drawn = (
  id: string,
  tool: "implant" | "canal" | "root" | "sinus",
  points: number[][],
  settings: Annotation["settings"] = {},
): Annotation => ({
  id,
  tool,
  instanceId: "1",
  plane: "volume",
  text: null,
  points,
  settings,
});
const canal = drawn(
  "c",
  "canal",
  [
    [-20, 0, -15],
    [20, 0, -15],
  ],
  { diameter: 2, side: "right" },
);
const implant = (id: string, x: number, z: number) =>
  drawn(
    id,
    "implant",
    [
      [x, 0, z],
      [x, 0, z - 10],
    ],
    { diameter: 4, tip: 4 },
  );

describe("an implant plan", () => {
  it("warns if an implant is closer to the canal or another implant than is safe", () => {
    const { implants } = buildPlan([canal, implant("a", 0, -1), implant("b", 10, -3)]);
    expect(implants.map(({ toCanal }) => Number(toCanal?.mm.toFixed(2)))).toEqual([3, 1]);
    expect(implants[0].toImplant).toMatchObject({ number: 2, degrees: 0 });
    expect(implants[0].toImplant?.mm).toBeCloseTo(6, 1);
    const isWarned = (
      each: (typeof implants)[number],
      safetyDistances = { ...defaultSafetyDistances } as Record<keyof typeof defaultSafetyDistances, number>,
    ) => listDistances(each, safetyDistances).some((gap) => isTooNear(gap, safetyDistances));
    expect(implants.map((each) => isWarned(each))).toEqual([false, true]);
    expect(isWarned(implants[0], { ...defaultSafetyDistances, implants: 7 })).toBe(true);
  });

  it("reports no distances to missing structures", () => {
    expect(buildPlan([implant("a", 0, 0)]).implants[0]).toMatchObject({
      toCanal: null,
      toImplant: null,
      toRoot: null,
      length: 10,
    });
  });

  it("counts the canal of the implant's own side alone, and names the own one as unchecked", () => {
    const own = { ...implant("a", 0, 0), text: "46" };
    const other = { ...implant("b", 0, 0), text: "36" };
    const right = { ...canal, settings: { ...canal.settings, side: "right" } };
    expect(buildPlan([own, right]).implants[0].toCanal).not.toBeNull();
    expect(buildPlan([other, right]).implants[0].toCanal).toBeNull();
    expect(listUncheckedParts(buildPlan([own, right]), [0, 0, 1])).not.toContain("canals");
    expect(listUncheckedParts(buildPlan([other, right]), [0, 0, 1])).toContain("canals");
    const far = { ...right, points: right.points.map(([x, y, z]) => [x + 60, y, z]) };
    expect(buildPlan([implant("c", 0, 0), far]).implants[0].toCanal).toBeNull();
  });

  it("keeps an implant's length while its tip is turned, and its direction while it is moved or resized", () => {
    const turned = moveImplantPoint(implant("a", 0, 0), 1, [30, 0, 0]);
    expect(turned.points).toEqual([
      [0, 0, 0],
      [10, 0, 0],
    ]);
    expect(moveImplantPoint(turned, 0, [0, 5, 0]).points).toEqual([
      [0, 5, 0],
      [10, 5, 0],
    ]);
    const longer = resizeImplant(turned, { diameter: 5, length: 12, isCone: true });
    expect(longer.points).toEqual([
      [0, 0, 0],
      [12, 0, 0],
    ]);
    expect(longer.settings).toEqual({ diameter: 5, tip: 3 });
  });

  it("places an implant upright in its jaw if only its position was set", () => {
    const set = drawn("a", "implant", [
      [1, 2, 3],
      [1, 2, 3],
    ]);
    expect(completeImplant(set, defaultImplantSize, "lower", [0, 0, 1]).points[1]).toEqual([1, 2, -7]);
    expect(completeImplant(set, defaultImplantSize, "upper", [0, 0, 1]).points[1]).toEqual([1, 2, 13]);
  });
});

describe("a line of points", () => {
  it("inserts a point into the nearest segment or at an end, and none twice", () => {
    const line = [
      [0, 0, 0],
      [10, 0, 0],
      [20, 0, 0],
    ] as const;
    expect(insertControlPoint(line, [14, 2, 0])[2]).toEqual([14, 2, 0]);
    expect(insertControlPoint(line, [26, 0, 0])[3]).toEqual([26, 0, 0]);
    expect(insertControlPoint(line, [10.2, 0, 0])).toBe(line);
  });
});

const root = (id: string, x: number, text: string | null) => ({
  ...drawn(
    id,
    "root",
    [
      [x, 0, 0],
      [x, 0, -12],
    ],
    { diameter: 4, tip: 2 },
  ),
  text,
});
const translate: Translate = (key, values = {}) => [key.split(".").at(-1), ...Object.values(values)].join(" ");

describe("the warnings of a plan", () => {
  const listAllWarnings = (...annotations: Annotation[]) =>
    buildPlan(annotations).implants.map((each) =>
      listWarnings(translate, "fdi", each, defaultSafetyDistances, null, false),
    );

  it("name the root that is too close to an implant, and state in words if the implant is in it", () => {
    expect(listAllWarnings(implant("a", 0, 0), root("r", 5, "36"))).toEqual([["toRoot 1.0 36"]]);
    expect(listAllWarnings(implant("a", 0, 0), root("r", 3, "36"))).toEqual([["inRoot 36"]]);
    expect(listAllWarnings(implant("a", 0, 0), root("r", 3, null))).toEqual([["inUnnamedRoot 1"]]);
    expect(listAllWarnings(implant("a", 0, 0), root("r", 6, "36"))).toEqual([[]]);
  });

  it("state that an implant is in a canal or another implant, and never a negative distance", () => {
    expect(listAllWarnings(canal, implant("a", 0, -5))).toEqual([["inCanal"]]);
    expect(listAllWarnings(implant("a", 0, 0), implant("b", 3, 0))).toEqual([["inImplant 2"], ["inImplant 1"]]);
  });

  it("measure to the nearest of all implants and roots, however many are far away", () => {
    const many = Array.from({ length: 12 }, (_, at) => implant(`i${at}`, at * 9, at % 3));
    const { implants } = buildPlan([...many, ...many.map((_, at) => root(`r${at}`, at * 9 + 4.5, "36"))]);
    for (const { toImplant, toRoot } of implants) {
      expect(toImplant?.mm).toBeCloseTo(5, 3);
      expect(toRoot?.mm).toBeLessThan(1.6);
    }
  });

  it("state how much of the surface may leave the bone and where, and nothing if it could not be judged", () => {
    const cover = { outside: 0.2, unseen: 0, buccal: 0.15, inner: 0, apex: 0.05 };
    expect(describeBone(translate, cover, false)).toEqual({ text: "about leavesAt 20 buccal, apex", isWarning: true });
    expect(describeBone(translate, { ...cover, outside: 0.04 }, false)).toEqual({
      text: "about within",
      isWarning: false,
    });
    expect(describeBone(translate, { ...cover, buccal: 0, inner: 0.2 }, true).text).toContain("palatal");
    expect(describeBone(translate, "unjudged", true)).toEqual({ text: "about unjudged", isWarning: false });
  });

  it("list the structures that are not drawn and therefore not checked", () => {
    expect(listUnchecked(translate, buildPlan([implant("a", 0, 0)]), [0, 0, 1])).toEqual(["canals", "roots"]);
    expect(listUnchecked(translate, buildPlan([canal, root("r", 9, "36")]), [0, 0, 1])).toEqual(["otherRoots"]);
  });
});

it.each([
  [1.97, "1.9"],
  [2, "2.0"],
  [0.3 - 0.1, "0.2"],
])("shows a safety distance of %d mm as %s, never longer than it is", (mm, shown) => {
  expect(formatSafetyDistance(mm)).toBe(shown);
});

it("lists the size of each planned implant and its distance to the nearest other one, for an order", () => {
  const implants = listPlannedImplants([
    {
      ...drawn(
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
    drawn(
      "b",
      "implant",
      [
        [10, 0, 0],
        [10, 0, -8],
      ],
      { diameter: 4, tip: 4 },
    ),
  ]);
  expect(implants).toMatchObject([
    { tooth: 46, system: null, diameter: 4, length: 10, distances: [{ to: "implant" }] },
    { tooth: null, diameter: 4, length: 8 },
  ]);
  expect(implants[0]?.distances[0]?.mm).toBeCloseTo(6, 1);
});
