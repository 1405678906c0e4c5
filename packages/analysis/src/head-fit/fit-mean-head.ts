import type { CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import { resampleByMean, scaleToUnitRange, type Grid } from "../measure/pixel-grid.ts";
import { createEdgeMap } from "./edge-map.ts";
import { findPoses } from "./find-poses.ts";
import { jawModes, landmarkPoints } from "./head-shape.ts";
import { placePoint, type HeadPlacement } from "./head-placement.ts";
import { refinePlacement, scorePlacement, type HeadMaps } from "./refine-placement.ts";

/** The mean head as it was fitted to a lateral cephalogram. */
export interface HeadFit {
  /** Clockwise quarters until the head is upright. */
  turns: 0 | 1 | 2 | 3;
  /** The side to which the face of the upright head looks. */
  faces: "left" | "right";
  /** In pixels of the image. */
  landmarks: Partial<Record<CephLandmark, readonly [number, number]>>;
  /** The mean strength of the head's lines in the image, 0 to 1. */
  score: number;
}

/** Longer sides in pixels at which the head is searched for, and fitted. */
const searchSide = 110;
const mediumSide = 200;
const fitSide = 340;

/** Weaker fits than this are no lateral cephalograms, or none on which the head can be recognised. */
const minScore = 0.36;
/** The best fit of another orientation must be weaker than this share: a frontal view fits both sides alike. */
const maxRivalShare = 0.78;
const keptPoses = 10;

/**
 * Fits the mean head to a lateral cephalogram however it is stored: turned by quarters, mirrored, inverted. Null if no
 * head is recognised with certainty. Nothing is learned from images: the shape is drawn, its variation published.
 */
export function fitMeanHead(image: Grid): HeadFit | null {
  const longer = Math.max(image.columns, image.rows);
  const coarse = createEdgeMap(shrink(image, searchSide), 6);
  const mapsByTone = new Map<1 | -1, readonly [HeadMaps, HeadMaps]>();
  const mapsOf = (tone: 1 | -1) => {
    const maps =
      mapsByTone.get(tone) ?? ([createMaps(image, mediumSide, tone), createMaps(image, fitSide, tone)] as const);
    mapsByTone.set(tone, maps);
    return maps;
  };
  const near = findPoses(coarse, keptPoses).map((pose) => {
    const [medium] = mapsOf(pose.tone);
    return fitFrom(medium, scaleTo(pose, coarse.columns, medium.bone.columns), mediumReaches);
  });
  const fits = near
    .toSorted((a, b) => b.score - a.score)
    .map((first, rank) => {
      const [medium, fine] = mapsOf(first.placement.tone);
      const starts =
        rank > 0 ? [first] : [first, ...jawStarts.map((start) => fitFrom(medium, start(first.placement), jawReaches))];
      const { placement } = starts.toSorted((a, b) => b.score - a.score)[0]!;
      return fitFrom(fine, scaleTo(placement, medium.bone.columns, fine.bone.columns), fineReaches);
    });
  const fineMap = mapsOf(fits[0]?.placement.tone ?? 1)[1].bone;
  const [best, ...others] = fits.toSorted((a, b) => b.score - a.score);
  if (!best || best.score < minScore) return null;
  const orientation = orientationOf(best.placement);
  const rival = others.find(({ placement }) => !isSame(orientationOf(placement), orientation));
  if (rival && rival.score > maxRivalShare * best.score) return null;
  const scale = longer / Math.max(fineMap.columns, fineMap.rows);
  return {
    ...orientation,
    landmarks: Object.fromEntries(
      [...landmarkPoints].map(([id, point]) => {
        const [x, y] = placePoint(best.placement, point);
        return [id, [(x + 0.5) * scale, (y + 0.5) * scale]];
      }),
    ),
    score: best.score,
  };
}

interface Fit {
  placement: HeadPlacement;
  score: number;
}

function fitFrom(maps: HeadMaps, start: HeadPlacement, reaches: readonly number[]): Fit {
  const placement = refinePlacement(maps, start, reaches);
  return { placement, score: scorePlacement(maps, placement) };
}

/**
 * The jaws vary most and have lines beside each other that resemble each other: the fit is repeated from lower jaws
 * farther back, farther forward, more open, more closed, lower and higher. Standard deviations of these modes.
 */
const jawStarts = (
  [
    { forward: 0, opening: 0, down: 0 },
    { forward: -1.5, opening: 0, down: 0 },
    { forward: 1.5, opening: 0, down: 0 },
    { forward: 0, opening: -1.5, down: 0 },
    { forward: 0, opening: 1.5, down: 0 },
    { forward: 1.5, opening: 1.5, down: 0 },
    { forward: -1.5, opening: -1.5, down: 0 },
    { forward: 0, opening: 0, down: 2 },
    { forward: 0, opening: 1.5, down: 2 },
    { forward: 0, opening: 0, down: -1.5 },
  ] as const
).map(({ forward, opening, down }) => (placement: HeadPlacement): HeadPlacement => {
  const build = placement.build.map((value, mode) => (mode < jawModes.first ? value : 0));
  build[jawModes.forward] = forward;
  build[jawModes.opening] = opening;
  build[jawModes.down] = down;
  build[jawModes.lips] = build[jawModes.chin] = forward / 2;
  return { ...placement, build };
});
const jawReaches = [10, 9, 8, 7, 6, 5] as const;
const mediumReaches = [14, 12, 10, 8, 7, 6, 5] as const;
const fineReaches = [5, 4, 3, 3, 2, 2] as const;

/** Maps of an image in which dense is bright. Skin stands out of the air in the logarithm, bone as it is. */
function createMaps(image: Grid, side: number, tone: 1 | -1): HeadMaps {
  const small = scaleToUnitRange(shrink(image, side));
  const positive = tone === 1 ? small : { ...small, data: small.data.map((value) => 1 - value) };
  const logarithm = { ...positive, data: positive.data.map((value) => Math.log(0.03 + Math.max(0, value))) };
  const radius = Math.round(side / 24);
  return { bone: createEdgeMap(positive, radius), skin: createEdgeMap(logarithm, radius) };
}

function shrink(image: Grid, side: number): Grid {
  const scale = Math.max(image.columns, image.rows) / side;
  const whole = { left: 0, top: 0, right: image.columns, bottom: image.rows };
  return resampleByMean(image, whole, Math.round(image.columns / scale), Math.round(image.rows / scale));
}

const scaleTo = (placement: HeadPlacement, from: number, to: number): HeadPlacement => ({
  ...placement,
  x: ((placement.x + 0.5) * to) / from - 0.5,
  y: ((placement.y + 0.5) * to) / from - 0.5,
  scale: (placement.scale * to) / from,
});

/** A head that is turned clockwise by an angle is brought upright by as much the other way. */
function orientationOf({ angle, side }: HeadPlacement): Pick<HeadFit, "turns" | "faces"> {
  const quarters = Math.round(-angle / (Math.PI / 2));
  return { turns: (((quarters % 4) + 4) % 4) as HeadFit["turns"], faces: side === 1 ? "right" : "left" };
}

const isSame = (a: Pick<HeadFit, "turns" | "faces">, b: Pick<HeadFit, "turns" | "faces">): boolean =>
  a.turns === b.turns && a.faces === b.faces;
