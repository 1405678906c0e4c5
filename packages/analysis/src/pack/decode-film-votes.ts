import type { PackManifest } from "@arcada/contract/analysis/engine-pack";
import { filmRegions, filmToothKinds, type Abstention } from "@arcada/contract/analysis/observation";
import type { EngineImage, NewObservation } from "../engine.ts";
import { confidenceOf } from "./detection-postprocessing.ts";
import { findFilmTeeth } from "./find-film-teeth.ts";
import { boxToImage } from "./input-frame.ts";
import { readOutput, type Outputs } from "./model-tensors.ts";
import { readVoteMaps, type VotedTooth, type VoteMaps } from "./vote-maps.ts";

type Answer = { observations: NewObservation[]; abstentions: Abstention[] };

/**
 * `film-votes@1`, for intra-oral films: `classes` `[1 + kinds][row][column]`, the probability that a cell shows no tooth
 * and each kind of tooth; `edges` `[4][row][column]`, the distances in pixels of the input from the cell's middle to the
 * left, upper, right and lower edge of its tooth's box; `conditions` `[2][row][column]`, the probabilities of a
 * restoration and of an implant; `view` `[regions × turns]`, the probability of each region and of each number of
 * quarter turns clockwise by which the film lies. A film without teeth is one abstention.
 * A tooth that is less certain than `post.leastConfidence` is not named.
 */
export function decodeFilmVotes(outputs: Outputs, manifest: PackManifest, image: EngineImage): Answer {
  const { post } = manifest;
  const teeth = findFilmTeeth(readMaps(outputs, manifest), post.leastVotes);
  const sure = teeth.reduce((sum, { certainty }) => sum + certainty, 0) / Math.max(1, teeth.length);
  if (teeth.length < Math.max(1, post.leastTeeth) || sure < post.leastCertainty)
    return { observations: [], abstentions: [abstain("FILM_TOOTH", "outOfRange"), ...listNotAssessed(post)] };
  const view = readView(outputs, manifest);
  const isEachNamed = teeth.every((tooth) => isNamed(tooth, manifest));
  return {
    observations: [...view.observations, ...teeth.flatMap((tooth) => describeTooth(tooth, manifest, image))],
    abstentions: [
      ...view.abstentions,
      ...(isEachNamed ? [] : [abstain("FILM_TOOTH", "selfCheckFailed")]),
      ...listNotAssessed(post),
    ],
  };
}

/** The certainty of the most probable jaw and kind of a tooth, 0 to 1. */
const nameScore = ({ shares, certainty }: VotedTooth): number => certainty * Math.max(...shares);
const isNamed = (tooth: VotedTooth, { post }: PackManifest): boolean => nameScore(tooth) >= post.leastConfidence;

const target = { kind: "image" } as const;
const abstain = (code: string, reason: Abstention["reason"]): Abstention => ({ code, target, reason, detail: null });
const listNotAssessed = ({ notAssessed }: PackManifest["post"]): Abstention[] =>
  notAssessed.map((code) => abstain(code, "notSupported"));

/** Cells are compared with each other: their number bounds the time. */
const maxCells = 64 * 64;

function readMaps(outputs: Outputs, manifest: PackManifest): VoteMaps {
  const maps = readVoteMaps(outputs, manifest, { kinds: filmToothKinds.length, maxCells });
  const [, rows, columns] = maps.classes.dims;
  return { ...maps, conditions: readOutput(outputs, manifest.outputs.conditions, [2, rows, columns], "unit") };
}

const turns = 4;

/** The turn and the region, each summed over the other; an abstention for what is too uncertain. */
function readView(outputs: Outputs, manifest: PackManifest): Answer {
  const { data } = readOutput(outputs, manifest.outputs.view, [filmRegions.length * turns], "unit");
  const sum = (test: (region: number, turn: number) => boolean): number =>
    data.reduce((total, share, at) => (test(Math.floor(at / turns), at % turns) ? total + share : total), 0);
  const byTurn = Array.from({ length: turns }, (_, turn) => sum((_region, other) => other === turn));
  const byRegion = filmRegions.map((_, region) => sum((other) => other === region));
  const turned = byTurn.indexOf(Math.max(...byTurn));
  const region = byRegion.indexOf(Math.max(...byRegion));
  const answers = [
    // Degrees clockwise that put the film upright again.
    { code: "FILM_TURN", value: ((turns - turned) % turns) * 90, unit: "°", share: byTurn[turned] },
    { code: "FILM_REGION", value: filmRegions[region], unit: null, share: byRegion[region] },
  ];
  const isSure = ({ share }: { share: number }): boolean => share >= manifest.post.leastView;
  return {
    observations: answers.filter(isSure).map(({ share, ...answer }) => ({
      ...answer,
      target,
      geometry: null,
      confidence: confidenceOf(share, manifest),
      method: manifest.task,
    })),
    abstentions: answers.filter((answer) => !isSure(answer)).map(({ code }) => abstain(code, "selfCheckFailed")),
  };
}

/** The tooth, if it is certain enough which one it is, and what is seen on it. */
function describeTooth(tooth: VotedTooth, manifest: PackManifest, image: EngineImage): NewObservation[] {
  const { box, shares, conditions } = tooth;
  const { task, input, post } = manifest;
  const clipped = boxToImage(box, image, input);
  if (!clipped) return [];
  const kind = shares.indexOf(Math.max(...shares));
  const shared = { target, unit: null, geometry: { kind: "box" as const, ...clipped }, method: task };
  const score = (value: number) => ({ basis: "score" as const, value: Math.min(1, Math.max(0, value)) });
  const seen = (["FILM_RESTORATION", "FILM_IMPLANT"] as const).flatMap((code, condition): NewObservation[] => {
    const chance = conditions[condition];
    return chance >= post.threshold ? [{ ...shared, code, value: true, confidence: score(chance) }] : [];
  });
  const named = { ...shared, code: "FILM_TOOTH", value: filmToothKinds[kind], confidence: score(nameScore(tooth)) };
  return isNamed(tooth, manifest) ? [named, ...seen] : seen;
}
