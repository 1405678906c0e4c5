import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { weld, type Mesh } from "../mesh/mesh.ts";
import { readMesh, type MeshKind } from "../mesh/read.ts";
import { makeHead, type HeadTruth } from "../phantom/head.ts";
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
  jaw: Jaw;
  /** Drawn on demand: a scan takes a second. */
  mesh: () => Mesh;
  truth: PatientFrame;
}

const random = randomFrom("poses of scans");

/** Any rotation, each as likely, with a shift. */
function anyPose(): Movement {
  const four = [0, 0, 0, 0].map(() => random.normal());
  const [w, x, y, z] = four.map((value) => value / Math.hypot(...four)) as [number, number, number, number];
  const rows: [number, number, number][] = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
  return rows.flatMap((line) => [...line, random.between(-80, 80)]) as unknown as Movement;
}

function posed(mesh: Mesh, pose: Movement): Mesh {
  const positions = mesh.positions.slice();
  for (let i = 0; i < positions.length; i += 3)
    positions.set(moved(pose, [positions[i]!, positions[i + 1]!, positions[i + 2]!]), i);
  return { ...mesh, positions };
}

type Answer = "right" | "wrong" | "unknown";

/** A side that is off by more than 37° is wrong: a letter could appear at the wrong edge. */
function answerOf(scans: readonly PlacedScan[], truth: PatientFrame, pose: Movement): Answer {
  const { frame, isKnown } = orientationOf(scans);
  if (!isKnown) return "unknown";
  const isRight = (["left", "back", "up"] as const).every((way) => dot(frame[way], turned(pose, truth[way])) > 0.8);
  return isRight ? "right" : "wrong";
}

const answerFor = ({ mesh, jaw, truth }: Case): Answer => {
  const pose = anyPose();
  return answerOf([{ shape: scanShapeOf(posed(mesh(), pose)), jaw }], truth, pose);
};

const quadrants: Record<Jaw, readonly [number, number]> = { upper: [1, 2], lower: [4, 3] };
const row = (quadrant: number, from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => 10 * quadrant + from + at);

const firstHead = makeHead("orientation");

type Form = (head: HeadTruth, jaw: Jaw, right: number, left: number) => Mesh;

/** Whole arches, as a clinic's scanners make them. */
const arches: Record<string, Form> = {
  gum: (head, jaw) => archScan(head, jaw),
  crowns: (head, jaw) => crownScan(head, jaw),
  openCrowns: (head, jaw) => openCrowns(crownScan(head, jaw), head, jaw),
  prepared: (head, jaw, right) => archScan(prepared(head, row(right, 4, 6)), jaw),
  preparedCrowns: (head, jaw, right) => crownScan(prepared(head, row(right, 4, 6)), jaw),
};

const gaps = (head: HeadTruth, right: number, left: number): HeadTruth =>
  without(head, [...row(right, 5, 8), ...row(left, 6, 7)]);

/** Scans that are not a whole arch, scans without an arch, and hollow scans. */
const others: Record<string, Form> = {
  quadrant: (head, jaw, _right, left) => crownScan(head, jaw, row(left, 1, 7)),
  quadrantWithGum: (head, jaw, right) => partOf(archScan(head, jaw), head, jaw, row(right, 1, 8)),
  frontTeeth: (head, jaw, right, left) => crownScan(head, jaw, [...row(right, 1, 3), ...row(left, 1, 3)]),
  frontWithGum: (head, jaw, right, left) =>
    partOf(archScan(head, jaw), head, jaw, [...row(right, 1, 3), ...row(left, 1, 3)]),
  threeQuarters: (head, jaw, right, left) => crownScan(head, jaw, [...row(right, 1, 7), ...row(left, 1, 3)]),
  threeQuartersWithGum: (head, jaw, right, left) =>
    partOf(archScan(head, jaw), head, jaw, [...row(right, 1, 8), ...row(left, 1, 3)]),
  toPremolars: (head, jaw, right, left) =>
    partOf(archScan(head, jaw), head, jaw, [...row(right, 1, 5), ...row(left, 1, 5)]),
  gaps: (head, jaw, right, left) => archScan(gaps(head, right, left), jaw),
  gapsInCrowns: (head, jaw, right, left) => crownScan(gaps(head, right, left), jaw),
  plaster: (head, jaw) => archScan(head, jaw, "closed"),
  stumps: (head, jaw, right, left) => crownScan(prepared(head, [...row(right, 1, 8), ...row(left, 1, 8)]), jaw),
  splint: (head, jaw) => splintDesign(head, jaw),
  die: (head, jaw, right) => crownScan(head, jaw, row(right, 7, 7)),
  crown: (head, _jaw, right) => crownDesign(head, 10 * right + 5) ?? crownScan(head, "upper"),
};

const drawn = (forms: Record<string, Form>, head: HeadTruth, jaw: Jaw): Case[] =>
  Object.entries(forms).map(([form, make]) => {
    let made: Mesh | undefined;
    return { form, jaw, mesh: () => (made ??= make(head, jaw, ...quadrants[jaw])), truth: patientSpace };
  });

const data = join(process.env["ARCADA_TEST_DATA"] ?? "../shared/data", "ios-smartee/derived");
const real = (["case0-upper.ply", "case0-lower.ply", "case1-upper.stl", "case1-lower.stl"] as const).filter((name) =>
  existsSync(join(data, name)),
);
/** The y axis of these files points to the head, z to the lips. */
const realTruth = frameFrom([0, 1, 0], [0, 0, -1]);
const realCase = (name: string): Case => ({
  form: "real",
  jaw: name.includes("upper") ? "upper" : "lower",
  mesh: () => weld(readMesh(readFileSync(join(data, name)), name.slice(-3) as MeshKind)),
  truth: realTruth,
});

describe("the orientation of a scan", { timeout: 120_000 }, () => {
  const { gum, crowns, openCrowns: open, preparedCrowns } = arches as Record<string, Form>;
  it.each(drawn({ gum: gum!, crowns: crowns!, open: open!, preparedCrowns: preparedCrowns! }, firstHead, "upper"))(
    "is found for a whole arch, whatever way it is turned: $form",
    (one) => expect(answerFor(one)).toBe("right"),
  );

  const { quadrant, threeQuarters, splint, crown } = others as Record<string, Form>;
  it.each(
    drawn({ quadrant: quadrant!, threeQuarters: threeQuarters!, splint: splint!, crown: crown! }, firstHead, "lower"),
  )("is unknown rather than wrong: $form", (one) => expect(answerFor(one)).toBe("unknown"));

  it("is unknown where nobody says which jaw it is", () => {
    const mesh = crownScan(firstHead, "lower");
    expect(orientationOf([{ shape: scanShapeOf(mesh), jaw: null }]).isKnown).toBe(false);
  });
});

describe("the orientation of two jaws", { timeout: 120_000 }, () => {
  const pose = anyPose();
  const placedAs = (jaw: Jaw, mesh: Mesh, way = pose) => ({ jaw, shape: scanShapeOf(posed(mesh, way)) });
  const lowerCrowns = crownScan(firstHead, "lower");
  const crowns = placedAs("lower", lowerCrowns).shape;

  it("is told by their places where their crowns are not found: they face each other", () => {
    const [upper, lower] = [archScan(firstHead, "upper", "closed"), archScan(firstHead, "lower", "closed")];
    const models = [placedAs("upper", upper), placedAs("lower", lower)];
    expect(answerOf([models[0]!], patientSpace, pose)).toBe("unknown");
    expect(answerOf(models, patientSpace, pose)).toBe("right");
  });

  it("is unknown where they contradict each other", () => {
    const [x, y, z] = turned(pose, [0, 0, 15]);
    const above: Movement = [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z];
    const lower = { jaw: "lower", shape: crowns } as const;
    expect(orientationOf([lower, { jaw: "upper", shape: crowns, pose: above }]).isKnown).toBe(false);
    expect(orientationOf([lower, placedAs("lower", lowerCrowns, anyPose())]).isKnown).toBe(false);
  });

  it("follows a scan that is moved in its scene", () => {
    const scan = { jaw: "lower", shape: crowns, pose: inverted(pose) } as const;
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
  const cases = heads.flatMap((head) =>
    (["upper", "lower"] as const).flatMap((jaw) => drawn({ ...arches, ...others }, head, jaw)),
  );
  cases.push(...real.map(realCase));
  const tally: Record<string, Record<Answer, number>> = {};
  for (let at = 0; at < 1000; at++) {
    const one = cases[at % cases.length]!;
    (tally[one.form] ??= { right: 0, wrong: 0, unknown: 0 })[answerFor(one)]++;
  }
  console.table(tally);
  expect(Object.values(tally).reduce((sum, { wrong }) => sum + wrong, 0)).toBe(0);
  const whole = ["gum", "crowns", "openCrowns", "preparedCrowns"];
  expect(whole.map((form) => tally[form]?.unknown)).toEqual([0, 0, 0, 0]);
});
