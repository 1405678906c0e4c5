import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { weld, type Mesh } from "../mesh/mesh.ts";
import { readMesh, type MeshFormat } from "../mesh/read-mesh.ts";
import { makeHead, type HeadTruth } from "@arcada/phantom/anatomy/head";
import { createRandom } from "@arcada/phantom/math/random";
import { createArchScan, createCrownDesign } from "@arcada/phantom/scan/arch-scan";
import {
  createCrownScan,
  openCrowns,
  cutOutTeeth,
  prepareTeeth,
  createSplintDesign,
  removeTeeth,
} from "@arcada/phantom/scan/scan-variants";
import {
  identityTransform,
  invertTransform,
  transformPoint,
  rotate,
  type RigidTransform,
} from "../geometry/rigid-transform.ts";
import { createPatientFrame, lpsFrame, type Jaw, type PatientFrame } from "../geometry/patient-frame.ts";
import { dot } from "../geometry/vector.ts";
import { determineOrientation, type PlacedScan } from "./scan-orientation.ts";
import { measureScanShape } from "./orientation-from-shape.ts";

const isFull = process.env["ARCADA_PROOF"] === "full";

interface Case {
  form: string;
  jaw: Jaw;
  /** Generated on demand: a scan takes a second. */
  mesh: () => Mesh;
  truth: PatientFrame;
}

const random = createRandom("poses of scans");

/** Any rotation, each as likely, with a shift. */
function randomPose(): RigidTransform {
  const four = [0, 0, 0, 0].map(() => random.normal());
  const [w, x, y, z] = four.map((value) => value / Math.hypot(...four)) as [number, number, number, number];
  const rows: [number, number, number][] = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
  return rows.flatMap((line) => [...line, random.between(-80, 80)]) as unknown as RigidTransform;
}

function applyPose(mesh: Mesh, pose: RigidTransform): Mesh {
  const positions = mesh.positions.slice();
  for (let i = 0; i < positions.length; i += 3)
    positions.set(transformPoint(pose, [positions[i], positions[i + 1], positions[i + 2]]), i);
  return { ...mesh, positions };
}

type Outcome = "right" | "wrong" | "unknown";

/** A side that is off by more than 37° is wrong: an orientation letter could appear at the wrong edge. */
function judge(scans: readonly PlacedScan[], truth: PatientFrame, pose: RigidTransform): Outcome {
  const { frame, isKnown } = determineOrientation(scans);
  if (!isKnown) return "unknown";
  const isRight = (["left", "back", "up"] as const).every((way) => dot(frame[way], rotate(pose, truth[way])) > 0.8);
  return isRight ? "right" : "wrong";
}

const judgeCase = ({ mesh, jaw, truth }: Case): Outcome => {
  const pose = randomPose();
  return judge([{ shape: measureScanShape(applyPose(mesh(), pose)), jaw }], truth, pose);
};

const quadrants: Record<Jaw, readonly [number, number]> = { upper: [1, 2], lower: [4, 3] };
const row = (quadrant: number, from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => 10 * quadrant + from + at);

const firstHead = makeHead("orientation");

type Form = (head: HeadTruth, jaw: Jaw, right: number, left: number) => Mesh;

/** Whole arches, as a clinic's scanners make them. */
const arches: Record<string, Form> = {
  gum: (head, jaw) => createArchScan(head, jaw),
  crowns: (head, jaw) => createCrownScan(head, jaw),
  openCrowns: (head, jaw) => openCrowns(createCrownScan(head, jaw), head, jaw),
  prepared: (head, jaw, right) => createArchScan(prepareTeeth(head, row(right, 4, 6)), jaw),
  preparedCrowns: (head, jaw, right) => createCrownScan(prepareTeeth(head, row(right, 4, 6)), jaw),
};

const gaps = (head: HeadTruth, right: number, left: number): HeadTruth =>
  removeTeeth(head, [...row(right, 5, 8), ...row(left, 6, 7)]);

/** Scans that are not a whole arch, scans without an arch, and hollow scans. */
const others: Record<string, Form> = {
  quadrant: (head, jaw, _right, left) => createCrownScan(head, jaw, row(left, 1, 7)),
  quadrantWithGum: (head, jaw, right) => cutOutTeeth(createArchScan(head, jaw), head, jaw, row(right, 1, 8)),
  frontTeeth: (head, jaw, right, left) => createCrownScan(head, jaw, [...row(right, 1, 3), ...row(left, 1, 3)]),
  frontWithGum: (head, jaw, right, left) =>
    cutOutTeeth(createArchScan(head, jaw), head, jaw, [...row(right, 1, 3), ...row(left, 1, 3)]),
  threeQuarters: (head, jaw, right, left) => createCrownScan(head, jaw, [...row(right, 1, 7), ...row(left, 1, 3)]),
  threeQuartersWithGum: (head, jaw, right, left) =>
    cutOutTeeth(createArchScan(head, jaw), head, jaw, [...row(right, 1, 8), ...row(left, 1, 3)]),
  toPremolars: (head, jaw, right, left) =>
    cutOutTeeth(createArchScan(head, jaw), head, jaw, [...row(right, 1, 5), ...row(left, 1, 5)]),
  gaps: (head, jaw, right, left) => createArchScan(gaps(head, right, left), jaw),
  gapsInCrowns: (head, jaw, right, left) => createCrownScan(gaps(head, right, left), jaw),
  plaster: (head, jaw) => createArchScan(head, jaw, "closed"),
  stumps: (head, jaw, right, left) =>
    createCrownScan(prepareTeeth(head, [...row(right, 1, 8), ...row(left, 1, 8)]), jaw),
  splint: (head, jaw) => createSplintDesign(head, jaw),
  die: (head, jaw, right) => createCrownScan(head, jaw, row(right, 7, 7)),
  crown: (head, _jaw, right) => createCrownDesign(head, 10 * right + 5) ?? createCrownScan(head, "upper"),
};

const makeCases = (forms: Record<string, Form>, head: HeadTruth, jaw: Jaw): Case[] =>
  Object.entries(forms).map(([form, make]) => {
    let made: Mesh | undefined;
    return { form, jaw, mesh: () => (made ??= make(head, jaw, ...quadrants[jaw])), truth: lpsFrame };
  });

const data = join(process.env["ARCADA_TEST_DATA"] ?? "../shared/data", "ios-smartee/derived");
const real = (["case0-upper.ply", "case0-lower.ply", "case1-upper.stl", "case1-lower.stl"] as const).filter((name) =>
  existsSync(join(data, name)),
);
/** The y axis of these files points to the head, z to the lips. */
const realTruth = createPatientFrame([0, 1, 0], [0, 0, -1]);
const realCase = (name: string): Case => ({
  form: "real",
  jaw: name.includes("upper") ? "upper" : "lower",
  mesh: () => weld(readMesh(readFileSync(join(data, name)), name.slice(-3) as MeshFormat)),
  truth: realTruth,
});

describe("the orientation of a scan", { timeout: 120_000 }, () => {
  const { gum, crowns, openCrowns: open, preparedCrowns } = arches as Record<string, Form>;
  it.each(makeCases({ gum: gum, crowns: crowns, open: open, preparedCrowns: preparedCrowns }, firstHead, "upper"))(
    "is found for a whole arch in any rotation: $form",
    (one) => expect(judgeCase(one)).toBe("right"),
  );

  const { quadrant, threeQuarters, splint, crown } = others as Record<string, Form>;
  it.each(
    makeCases({ quadrant: quadrant, threeQuarters: threeQuarters, splint: splint, crown: crown }, firstHead, "lower"),
  )("is unknown rather than wrong: $form", (one) => expect(judgeCase(one)).toBe("unknown"));

  it("is unknown if the jaw is not stated", () => {
    const mesh = createCrownScan(firstHead, "lower");
    expect(determineOrientation([{ shape: measureScanShape(mesh), jaw: null }]).isKnown).toBe(false);
  });
});

describe("the orientation of two jaws", { timeout: 120_000 }, () => {
  const pose = randomPose();
  const placedAs = (jaw: Jaw, mesh: Mesh, way = pose) => ({ jaw, shape: measureScanShape(applyPose(mesh, way)) });
  const lowerCrowns = createCrownScan(firstHead, "lower");
  const crowns = placedAs("lower", lowerCrowns).shape;

  it("follows from their positions if their crowns are not found, since they face each other", () => {
    const [upper, lower] = [createArchScan(firstHead, "upper", "closed"), createArchScan(firstHead, "lower", "closed")];
    const models = [placedAs("upper", upper), placedAs("lower", lower)];
    expect(judge([models[0]], lpsFrame, pose)).toBe("unknown");
    expect(judge(models, lpsFrame, pose)).toBe("right");
  });

  it("is unknown where they contradict each other", () => {
    const [x, y, z] = rotate(pose, [0, 0, 15]);
    const above: RigidTransform = [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z];
    const lower = { jaw: "lower", shape: crowns } as const;
    expect(determineOrientation([lower, { jaw: "upper", shape: crowns, pose: above }]).isKnown).toBe(false);
    expect(determineOrientation([lower, placedAs("lower", lowerCrowns, randomPose())]).isKnown).toBe(false);
  });

  it("follows a scan that is moved in its scene", () => {
    const scan = { jaw: "lower", shape: crowns, pose: invertTransform(pose) } as const;
    expect(judge([scan], lpsFrame, identityTransform)).toBe("right");
  });
});

describe.skipIf(real.length === 0)("the orientation of real scans (ARCADA_TEST_DATA)", { timeout: 120_000 }, () => {
  it("is right although they are crowns alone, closed all round", () => {
    expect(real.map((name) => judgeCase(realCase(name)))).toEqual(real.map(() => "right"));
  });
});

it.runIf(isFull)("names no wrong side in 1,000 poses", { timeout: 3_600_000 }, () => {
  const heads = [0, 1].map((at) => makeHead(`orientation ${at}`));
  const cases = heads.flatMap((head) =>
    (["upper", "lower"] as const).flatMap((jaw) => makeCases({ ...arches, ...others }, head, jaw)),
  );
  cases.push(...real.map(realCase));
  const counts: Record<string, Record<Outcome, number>> = {};
  for (let at = 0; at < 1000; at++) {
    const one = cases[at % cases.length];
    (counts[one.form] ??= { right: 0, wrong: 0, unknown: 0 })[judgeCase(one)]++;
  }
  console.table(counts);
  expect(Object.values(counts).reduce((sum, { wrong }) => sum + wrong, 0)).toBe(0);
  const whole = ["gum", "crowns", "openCrowns", "preparedCrowns"];
  expect(whole.map((form) => counts[form]?.unknown)).toEqual([0, 0, 0, 0]);
});
