import type { PackManifest } from "@arcada/contract/analysis/engine-pack";
import { findingToCode, type Abstention, type Confidence } from "@arcada/contract/analysis/observation";
import type { FindingCode } from "@arcada/contract/chart/chart.schema";
import type { EngineImage, NewObservation } from "../engine.ts";
import { confidenceOf, type Box } from "./detection-postprocessing.ts";
import { findVotedTeeth } from "./find-voted-teeth.ts";
import { boxToImage } from "./input-frame.ts";
import { readOutput, type Outputs } from "./model-tensors.ts";
import { numberTeeth, type NumberedTooth } from "./number-tooth-rows.ts";
import { readVoteMaps, type VoteMaps } from "./vote-maps.ts";

/**
 * `tooth-votes@1`: `classes` `[1 + teeth][row][column]`, the probability that a cell shows no tooth and each tooth of
 * `post.teeth`, and `edges` `[4][row][column]`, the distances in pixels of the input from the cell's middle to the left,
 * upper, right and lower edge of its tooth's box; `conditions` `[post.conditions][row][column]`, if it is there, the
 * probability of each condition. An implant and a pontic have a number and a finding, but are no teeth. A tooth of which
 * the number is too uncertain is an abstention for its most probable number, and an image without a plausible
 * arrangement of teeth is one abstention. A finding that is not named is an abstention, too: nobody has measured how often
 * the model overlooks it, so it must not read as absent.
 */
export function decodeToothVotes(
  outputs: Outputs,
  manifest: PackManifest,
  image: EngineImage,
): { observations: NewObservation[]; abstentions: Abstention[] } {
  const { post } = manifest;
  const found = findVotedTeeth(readMaps(outputs, manifest), post.leastVotes);
  const teeth = numberTeeth(found ?? [], post.teeth);
  if (found === null || !showsTeeth(teeth, post)) {
    const abstention: Abstention = { code, target: { kind: "image" }, reason: "outOfRange", detail: null };
    return { observations: [], abstentions: [abstention, ...listUnseen(manifest, [])] };
  }
  const named = new Map<number, NewObservation[]>();
  for (const tooth of teeth.toSorted((a, b) => b.confidence - a.confidence)) {
    const box = boxToImage(tooth.box, image, manifest.input);
    if (box === null || named.has(tooth.fdi)) continue;
    const confidence = confidenceOf(tooth.confidence, manifest);
    const isSure = certaintyOf(confidence) >= post.leastConfidence;
    named.set(tooth.fdi, isSure ? toObservations(tooth, box, confidence, manifest) : []);
  }
  const observations = [...named.values()].flat();
  const uncertain = [...named].flatMap(([fdi, given]): Abstention[] =>
    given.length > 0 ? [] : [{ code, target: { kind: "tooth", fdi }, reason: "selfCheckFailed", detail: null }],
  );
  return { observations, abstentions: [...uncertain, ...listUnseen(manifest, observations)] };
}

const listUnseen = ({ produces }: PackManifest, seen: readonly NewObservation[]): Abstention[] =>
  produces
    .filter((one) => one !== code && !seen.some((observation) => observation.code === one))
    .map((one) => ({ code: one, target: { kind: "image" }, reason: "notSupported", detail: null }));

const code = "TOOTH_BOX";
/** A model of the largest input with a cell of four pixels has as many cells. */
const maxCells = 512 * 512;

function readMaps(outputs: Outputs, manifest: PackManifest): VoteMaps {
  const { outputs: names, post } = manifest;
  const maps = readVoteMaps(outputs, manifest, { kinds: post.teeth.length, maxCells });
  const [, rows, columns] = maps.classes.dims;
  const conditions = names.conditions
    ? readOutput(outputs, names.conditions, [post.conditions.length, rows, columns], "unit")
    : null;
  return { ...maps, conditions };
}

/** Returns whether an image shows so many teeth so surely that it is a film of a jaw at all. */
function showsTeeth(teeth: readonly NumberedTooth[], { leastTeeth, leastCertainty }: PackManifest["post"]): boolean {
  if (teeth.length < leastTeeth) return false;
  const sum = teeth.reduce((total, { confidence }) => total + confidence, 0);
  return teeth.length === 0 || sum / teeth.length >= leastCertainty;
}

const certaintyOf = (confidence: Confidence): number =>
  confidence.basis === "calibrated" ? confidence.p : confidence.basis === "score" ? confidence.value : 0;

function toObservations(
  { fdi, conditions }: NumberedTooth,
  box: Box,
  confidence: Confidence,
  { task, post }: PackManifest,
): NewObservation[] {
  const shared = { target: { kind: "tooth" as const, fdi }, value: true, unit: null, method: task };
  const geometry = { kind: "box" as const, ...box };
  const condition = conditions.indexOf(Math.max(...conditions));
  const finding = post.conditions[condition] ?? null;
  // The calibration counts numbers: it says nothing about a condition.
  const isSeen = finding !== null && conditions[condition] >= post.threshold;
  const suggested: NewObservation[] = isSeen
    ? [
        {
          ...shared,
          code: findingToCode(finding),
          geometry,
          confidence: { basis: "score", value: Math.min(1, conditions[condition]) },
        },
      ]
    : [];
  return isSeen && toothless.has(finding) ? suggested : [{ ...shared, code, geometry, confidence }, ...suggested];
}

/** The replacements of a tooth that is gone. */
const toothless: ReadonlySet<FindingCode> = new Set(["implant", "pontic"]);
