import type { Random } from "../math/random.ts";
import type { Point2 } from "../math/shape-functions.ts";
import { meanLandmarks, type SkullLandmark, type SkullLandmarks } from "./mean-skull-landmarks.ts";

/** The build of one head: its landmarks in mm, as `meanLandmarks` gives them, and what follows from its age. */
export interface VariedSkull {
  landmarks: SkullLandmarks;
  /** Size against a grown head. */
  size: number;
}

const boneOfJaw = ["B", "Pog", "Gn", "Me", "Go", "L1", "L1a", "L6"] as const satisfies readonly SkullLandmark[];
const boneOfMaxilla = ["ANS", "PNS", "A", "U1", "U1a", "U6", "Or", "Pt"] as const satisfies readonly SkullLandmark[];

/**
 * Classes I to III, open and deep bites, long and short faces, children and adults: the jaws, the base of the skull, the
 * front teeth and the soft tissue vary about as published standard deviations do, and somewhat more.
 */
export function createVariedSkull(random: Random): VariedSkull {
  const skull: SkullLandmarks = { ...meanLandmarks };
  varyBase(skull, random);
  varyMaxilla(skull, random);
  varyMandible(skull, random);
  varyFrontTeeth(skull, random);
  scatter(skull, random, 0.9);
  varySkin(skull, random);
  const size = random.between(0.8, 1.07);
  // The face of a child is smaller against the skull than that of an adult.
  const face = 1 - Math.max(0, 0.97 - size) * random.between(0.3, 0.9);
  const height = random.between(0.95, 1.05);
  for (const name of Object.keys(skull) as SkullLandmark[]) {
    const [x, y] = skull[name];
    skull[name] = [x * size, (y > 0 ? y : y * face * height) * size];
  }
  return { landmarks: skull, size };
}

function varyBase(skull: SkullLandmarks, random: Random): void {
  const tip = turn(2.5 * random.normal());
  const long = 1 + 0.045 * random.normal();
  const saddle = turn(3.5 * random.normal());
  skull.N = scale(tip(skull.N), long);
  for (const name of ["Ba", "Ar", "Co", "Po"] as const) skull[name] = saddle(skull[name]);
  for (const name of ["Or", "Pt"] as const) skull[name] = [skull[name][0] * (1 + 0.7 * (long - 1)), skull[name][1]];
  skull.Po = add(skull.Po, [2.5 * random.normal(), 2.5 * random.normal()]);
  skull.Or = add(skull.Or, [2 * random.normal(), 1.8 * random.normal()]);
  skull.Co = add(skull.Co, [1.2 * random.normal(), 1.5 * random.normal()]);
}

function varyMaxilla(skull: SkullLandmarks, random: Random): void {
  const tip = turn(3 * random.normal());
  const long = 1 + 0.05 * random.normal();
  const follow = (skull.N[0] - meanLandmarks.N[0]) * 0.6;
  const shift: Point2 = [follow + 2.8 * random.normal(), 3 * random.normal()];
  const [px, py] = meanLandmarks.PNS;
  for (const name of boneOfMaxilla) {
    if (name === "Or" || name === "Pt") {
      skull[name] = add(skull[name], [0.4 * shift[0], 0.3 * shift[1]]);
      continue;
    }
    const [x, y] = meanLandmarks[name];
    const [u, v] = tip([(x - px) * long, y - py]);
    skull[name] = [px + u + shift[0], py + v + shift[1]];
  }
  // The height of the alveolar bone, in front and at the molars.
  const front = 1.8 * random.normal();
  skull.U1 = add(skull.U1, [0, front]);
  skull.U1a = add(skull.U1a, [0, 0.5 * front]);
  skull.U6 = add(skull.U6, [2.2 * random.normal(), 1.2 * random.normal()]);
  skull.ANS = add(skull.ANS, [1.8 * random.normal(), 0.8 * random.normal()]);
}

function varyMandible(skull: SkullLandmarks, random: Random): void {
  const { Co, Go } = meanLandmarks;
  const opening = turn(3.2 * random.normal());
  const gonial = turn(4.5 * random.normal());
  const [ramus, body] = [1 + 0.07 * random.normal(), 1 + 0.05 * random.normal()];
  // The height of the face makes room for the lower jaw: it follows the upper teeth.
  const drop = 0.75 * (skull.U6[1] - meanLandmarks.U6[1]);
  const forward = 2.2 * random.normal() + 0.35 * (skull.A[0] - meanLandmarks.A[0]);
  for (const name of boneOfJaw) {
    const [x, y] = meanLandmarks[name];
    const [u, v] = name === "Go" ? [0, 0] : gonial([(x - Go[0]) * body, y - Go[1]]);
    const atRamus: Point2 = [Go[0] - Co[0], (Go[1] - Co[1]) * ramus];
    const [a, b] = opening([atRamus[0] + u, atRamus[1] + v]);
    skull[name] = [skull.Co[0] + a + forward, skull.Co[1] + b + 0.5 * drop];
  }
  const chin = 1.6 * random.normal();
  skull.Pog = add(skull.Pog, [chin, 0]);
  skull.Gn = add(skull.Gn, [0.8 * chin, 0]);
  skull.Ar = add(skull.Ar, [0.5 * (skull.Co[0] - Co[0]) + 0.5 * random.normal(), 0.5 * (skull.Co[1] - Co[1])]);
}

/** The lower teeth reach for the upper ones, as far as the jaws let them. */
function varyFrontTeeth(skull: SkullLandmarks, random: Random): void {
  skull.U1 = around(skull.U1, skull.U1a, 6 * random.normal());
  skull.L1 = around(skull.L1, skull.L1a, 5 * random.normal());
  const bite: Point2 = [-3 + 2 * random.normal(), 2 + 2 * random.normal()];
  const wanted = add(skull.U1, bite);
  const pull = random.between(0.55, 1);
  const move: Point2 = [pull * (wanted[0] - skull.L1[0]), pull * (wanted[1] - skull.L1[1])];
  skull.L1 = add(skull.L1, move);
  skull.L1a = add(skull.L1a, [0.35 * move[0], 0.8 * move[1]]);
  // The crest follows the teeth, the point B a little.
  skull.B = add(skull.B, [0.3 * move[0], 0.4 * move[1]]);
  const level = 0.5 * (skull.U6[1] + skull.L6[1]);
  const open = random.unit() < 0.15 ? random.between(0, 4) : 0;
  skull.L6 = [skull.U6[0] + 1 + 2.5 * random.normal(), level - open];
  skull.U6 = [skull.U6[0], level + 0.4];
}

/** The skin lies over the bone by a thickness of its own at each place. */
function varySkin(skull: SkullLandmarks, random: Random): void {
  const thick = random.between(0.75, 1.3);
  const lay = (name: SkullLandmark, bone: SkullLandmark, spread: number): void => {
    const [x, y] = meanLandmarks[name];
    const [bx, by] = meanLandmarks[bone];
    skull[name] = [
      skull[bone][0] + (x - bx) * thick * (1 + 0.12 * random.normal()),
      skull[bone][1] + (y - by) + spread * random.normal(),
    ];
  };
  lay("NS", "N", 2.5);
  lay("Prn", "ANS", 2.5);
  lay("Sn", "A", 1.5);
  lay("Ls", "U1", 1.8);
  lay("Li", "L1", 1.8);
  lay("Si", "B", 1.5);
  lay("PogS", "Pog", 2);
  lay("MeS", "Me", 1.5);
}

function scatter(skull: SkullLandmarks, random: Random, mm: number): void {
  for (const name of Object.keys(skull) as SkullLandmark[])
    if (name !== "S") skull[name] = add(skull[name], [mm * random.normal(), mm * random.normal()]);
}

export const add = ([ax, ay]: Point2, [bx, by]: Point2): Point2 => [ax + bx, ay + by];
const scale = ([x, y]: Point2, by: number): Point2 => [x * by, y * by];

/** A turn by degrees about 0, 0. */
export function turn(degrees: number): (point: Point2) => Point2 {
  const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return ([x, y]) => [x * c - y * s, x * s + y * c];
}

function around(point: Point2, middle: Point2, degrees: number): Point2 {
  return add(middle, turn(degrees)([point[0] - middle[0], point[1] - middle[1]]));
}
