import { edgeAt, lineAt, type EdgeMap } from "./edge-map.ts";
import { meanBuild, normalOf, placePoint, type HeadPlacement } from "./head-placement.ts";
import { contourPoints, vaultMode } from "./head-shape.ts";

/** mm of the head along the longer side of a film: from a film cut close to the face to one with the whole neck. */
const filmLengths = [165, 178, 192, 207, 224, 242, 261, 282] as const;
const tilts = [-12, -6, 0, 6, 12] as const;
/** The middle between the ears lies within this share of the image. */
const range = { from: 0.12, to: 0.88, step: 0.035 } as const;

/** Children have a small face under a skull of nearly full size. */
const largeSkull = meanBuild.map((value, mode) => (mode === vaultMode ? 1.5 : value));

interface ScoredPose {
  placement: HeadPlacement;
  score: number;
}

/** Returns the likeliest positions of the mean head in a small image, best first, of different places or sides. */
export function findPoses(map: EdgeMap, count: number): HeadPlacement[] {
  const poses: ScoredPose[] = [];
  const longer = Math.max(map.columns, map.rows);
  for (const side of [1, -1] as const)
    for (let quarter = 0; quarter < 4; quarter++)
      for (const tilt of tilts)
        for (const length of filmLengths) {
          const angle = (quarter * 90 + tilt) * (Math.PI / 180);
          for (const build of [meanBuild, largeSkull]) {
            const placement: HeadPlacement = { x: 0, y: 0, scale: longer / length, angle, side, tone: 1, build };
            const found = scanPositions(map, createOutline(placement));
            if (found) poses.push({ placement: { ...placement, ...found.at }, score: found.score });
          }
        }
  const kept: ScoredPose[] = [];
  for (const pose of poses.toSorted((a, b) => b.score - a.score)) {
    if (kept.length === count) break;
    if (!kept.some((other) => isAlike(pose.placement, other.placement))) kept.push(pose);
  }
  return kept.map(({ placement }) => placement);
}

const isAlike = (a: HeadPlacement, b: HeadPlacement): boolean =>
  a.side === b.side &&
  Math.abs(Math.sin((a.angle - b.angle) / 2)) < 0.07 &&
  Math.hypot(a.x - b.x, a.y - b.y) < 14 * a.scale &&
  Math.abs(Math.log(a.scale / b.scale)) < 0.1;

/** Offsets from the middle of the head, in pixels, with the direction to the darker side. */
interface OutlinePoint {
  dx: number;
  dy: number;
  nx: number;
  ny: number;
  isLine: boolean;
  weight: number;
}

function createOutline(placement: HeadPlacement): OutlinePoint[] {
  return contourPoints
    .filter((_, index) => index % 2 === 0)
    .map((point) => {
      const [dx, dy] = placePoint(placement, point);
      const [nx, ny] = normalOf(placement, point);
      return { dx, dy, nx, ny, isLine: point.brightSide === "line", weight: point.weight };
    });
}

/** The best position of an outline, bright on dark or dark on bright. */
function scanPositions(
  map: EdgeMap,
  outline: readonly OutlinePoint[],
): { at: Pick<HeadPlacement, "x" | "y" | "tone">; score: number } | null {
  let best: ReturnType<typeof scanPositions> = null;
  const total = outline.reduce((sum, { weight }) => sum + weight, 0);
  const step = Math.max(2, range.step * Math.max(map.columns, map.rows));
  for (let y = range.from * map.rows; y <= range.to * map.rows; y += step)
    for (let x = range.from * map.columns; x <= range.to * map.columns; x += step) {
      let sum = 0;
      for (const { dx, dy, nx, ny, isLine, weight } of outline)
        sum += weight * (isLine ? lineAt(map, x + dx, y + dy, nx, ny) : edgeAt(map, x + dx, y + dy, nx, ny));
      const score = Math.abs(sum) / total;
      if (!best || score > best.score) best = { at: { x, y, tone: sum < 0 ? -1 : 1 }, score };
    }
  return best;
}
