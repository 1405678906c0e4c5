import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { weld, type Mesh } from "../mesh/mesh.ts";
import { readMesh, type MeshKind } from "../mesh/read.ts";
import { makeHead } from "../phantom/head.ts";
import { randomFrom } from "../phantom/random.ts";
import { archScan, crownDesign } from "../phantom/scan.ts";
import { crownScan, openCrowns, partOf, prepared, splintDesign, without } from "../phantom/scan-forms.ts";
import { atRest, inverted, moved, turned, type Movement } from "../surface/movement.ts";
import { frameFrom, patientSpace, type Jaw, type PatientFrame } from "../view/patient-frame.ts";
import { dot } from "../view/vector.ts";
import { orientationOf, type PlacedScan } from "./orientation.ts";
import { scanShapeOf } from "./scan-shape.ts";

const isFull = process.env["ARCADA_PROOF"] === "full";

interface Case {
  form: string;
  jaw: Jaw | null;
  mesh: Mesh;
  truth: PatientFrame;
}

const random = randomFrom("poses of scans");

/** Any rotation, each as likely, with a shift. */
function anyPose(): Movement {
  const four = [0, 0, 0, 0].map(() => random.normal());
  const [w, x, y, z] = four.map((value) => value / Math.hypot(...four)) as [number, number, number, number];
  const shift = () => random.between(-80, 80);
  return [
    ...[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), shift()],
    ...[2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), shift()],
    ...[2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), shift()],
  ] as unknown as Movement;
}

function posed(mesh: Mesh, pose: Movement): Mesh {
  const positions = mesh.positions.slice();
  for (let i = 0; i < positions.length; i += 3)
    positions.set(moved(pose, [positions[i]!, positions[i + 1]!, positions[i + 2]!]), i);
  return { ...mesh, positions };
}

type Answer = "right" | "wrong" | "unknown";

/** Wrong is a side that lies more than 37° off, so that a letter may stand at the wrong edge. */
function answerOf(scans: readonly PlacedScan[], truth: PatientFrame, pose: Movement): Answer {
  const { frame, isKnown } = orientationOf(scans);
  if (!isKnown) return "unknown";
  const isRight = (["left", "back", "up"] as const).every((way) => dot(frame[way], turned(pose, truth[way])) > 0.8);
  return isRight ? "right" : "wrong";
}

const answerFor = ({ mesh, jaw, truth }: Case): Answer => {
  const pose = anyPose();
  return answerOf([{ shape: scanShapeOf(posed(mesh, pose)), jaw }], truth, pose);
};

const quadrants: Record<Jaw, readonly [number, number]> = { upper: [1, 2], lower: [4, 3] };
const row = (quadrant: number, from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => 10 * quadrant + from + at);

const firstHead = makeHead("orientation");

/** Whole arches, as a clinic's scanners make them. */
function arches(jaw: Jaw, head = firstHead): Case[] {
  const [right] = quadrants[jaw];
  const crowns = crownScan(head, jaw);
  const few = prepared(head, row(right, 4, 6));
  return Object.entries({
    gum: archScan(head, jaw),
    crowns,
    openCrowns: openCrowns(crowns, head, jaw),
    prepared: archScan(few, jaw),
    preparedCrowns: crownScan(few, jaw),
  }).map(([form, mesh]) => ({ form, jaw, mesh, truth: patientSpace }));
}

/** What is no whole arch, what is none, and what is hollow. */
function others(jaw: Jaw, head = firstHead): Case[] {
  const [right, left] = quadrants[jaw];
  const gum = archScan(head, jaw);
  const gaps = without(head, [...row(right, 5, 8), ...row(left, 6, 7)]);
  return Object.entries({
    quadrant: crownScan(head, jaw, row(left, 1, 7)),
    quadrantWithGum: partOf(gum, head, jaw, row(right, 1, 8)),
    frontTeeth: crownScan(head, jaw, [...row(right, 1, 3), ...row(left, 1, 3)]),
    frontWithGum: partOf(gum, head, jaw, [...row(right, 1, 3), ...row(left, 1, 3)]),
    threeQuarters: crownScan(head, jaw, [...row(right, 1, 7), ...row(left, 1, 3)]),
    threeQuartersWithGum: partOf(gum, head, jaw, [...row(right, 1, 8), ...row(left, 1, 3)]),
    toPremolars: partOf(gum, head, jaw, [...row(right, 1, 5), ...row(left, 1, 5)]),
    gaps: archScan(gaps, jaw),
    gapsInCrowns: crownScan(gaps, jaw),
    plaster: archScan(head, jaw, "closed"),
    stumps: crownScan(prepared(head, [...row(right, 1, 8), ...row(left, 1, 8)]), jaw),
    splint: splintDesign(head, jaw),
    die: crownScan(head, jaw, [10 * right + 7]),
    crown: crownDesign(head, 10 * right + 5)!,
  }).map(([form, mesh]) => ({ form, jaw, mesh, truth: patientSpace }));
}

const data = join(process.env["ARCADA_TEST_DATA"] ?? "../shared/data", "ios-smartee/derived");
const real = (["case0-upper.ply", "case0-lower.ply", "case1-upper.stl", "case1-lower.stl"] as const).filter((name) =>
  existsSync(join(data, name)),
);
/** The y axis of these files points to the head, z to the lips. */
const realTruth = frameFrom([0, 1, 0], [0, 0, -1]);
const realCase = (name: string): Case => ({
  form: "real",
  jaw: name.includes("upper") ? "upper" : "lower",
  mesh: weld(readMesh(readFileSync(join(data, name)), name.slice(-3) as MeshKind)),
  truth: realTruth,
});

describe("the orientation of a scan", { timeout: 120_000 }, () => {
  it("is found for whole arches with gum and without, prepared or not, whatever way they are turned", () => {
    const cases = arches("upper").filter(({ form }) => form !== "prepared");
    expect(cases.map((one) => [one.form, answerFor(one)])).toEqual(cases.map(({ form }) => [form, "right"]));
  });

  it("is unknown rather than wrong for a part of an arch, a single tooth and a hollow splint", () => {
    const [right, left] = quadrants.lower;
    const meshes = [
      crownScan(firstHead, "lower", row(left, 1, 7)),
      crownScan(firstHead, "lower", [...row(right, 1, 7), ...row(left, 1, 3)]),
      splintDesign(firstHead, "lower"),
      crownDesign(firstHead, 45)!,
    ];
    const answers = meshes.map((mesh) => answerFor({ form: "", jaw: "lower", mesh, truth: patientSpace }));
    expect(answers).toEqual(["unknown", "unknown", "unknown", "unknown"]);
  });

  it("is unknown where nobody says which jaw it is", () => {
    const mesh = crownScan(firstHead, "lower");
    expect(orientationOf([{ shape: scanShapeOf(mesh), jaw: null }]).isKnown).toBe(false);
  });
});

describe("the orientation of two jaws", { timeout: 120_000 }, () => {
  const pose = anyPose();
  const splints = (["upper", "lower"] as const).map((jaw) => ({
    jaw,
    shape: scanShapeOf(posed(splintDesign(firstHead, jaw), pose)),
  }));
  const [crowns, stranger] = [pose, anyPose()].map((way) => scanShapeOf(posed(crownScan(firstHead, "lower"), way)));

  it("is told by their places where their crowns are not found: they face each other", () => {
    expect(answerOf([splints[0]!], patientSpace, pose)).toBe("unknown");
    expect(answerOf(splints, patientSpace, pose)).toBe("right");
  });

  it("is unknown where they contradict each other", () => {
    expect(answerOf([splints[0]!, { jaw: "lower", shape: crowns! }], patientSpace, pose)).toBe("right");
    expect(answerOf([{ jaw: "upper", shape: crowns! }, splints[1]!], patientSpace, pose)).toBe("unknown");
    expect(orientationOf([{ jaw: "lower", shape: crowns! }, { jaw: "lower", shape: stranger! }]).isKnown).toBe(false);
  });

  it("follows a scan that is moved in its scene", () => {
    const scan = { jaw: "lower", shape: crowns!, pose: inverted(pose) } as const;
    expect(answerOf([scan], patientSpace, atRest)).toBe("right");
  });
});

describe.skipIf(real.length === 0)("the orientation of real scans (ARCADA_TEST_DATA)", { timeout: 120_000 }, () => {
  it("is right although they are crowns alone, closed all round", () => {
    expect(real.map((name) => answerFor(realCase(name)))).toEqual(real.map(() => "right"));
  });
});

it.runIf(isFull)("names no wrong side in 1,000 poses", { timeout: 3_600_000 }, () => {
  const heads = [0, 1].map((at) => makeHead(`orientation ${at}`));
  const drawn = heads.flatMap((head) =>
    (["upper", "lower"] as const).flatMap((jaw) => [...arches(jaw, head), ...others(jaw, head)]),
  );
  const cases = [...drawn, ...real.map(realCase)].filter(({ mesh }) => mesh.positions.length > 0);
  const tally: Record<string, Record<Answer, number>> = {};
  for (let at = 0; at < 1000; at++) {
    const one = cases[at % cases.length]!;
    (tally[one.form] ??= { right: 0, wrong: 0, unknown: 0 })[answerFor(one)]++;
  }
  console.table(tally);
  expect(Object.values(tally).reduce((sum, { wrong }) => sum + wrong, 0)).toBe(0);
  for (const form of ["gum", "crowns", "openCrowns", "prepared", "preparedCrowns"]) expect(tally[form]?.unknown).toBe(0);
});
