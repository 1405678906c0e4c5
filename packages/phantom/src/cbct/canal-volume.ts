import { createSmoothLine, type SmoothLine } from "@arcada/imaging/arch/smooth-line";
import { distance, type Vector } from "@arcada/imaging/geometry/vector";
import { clamp, mix, smoothStep } from "../math/shape-functions.ts";
import { createRandom, getNormalTable, sampleSmoothNoise, type Random } from "../math/random.ts";
import { blurVolume } from "./blur-volume.ts";
import { greyValues } from "./grey-values.ts";

/** A place of the true canal. */
export interface CanalPlace {
  /** mm in patient space. */
  centre: Vector;
  /** mm. */
  radius: number;
  /** False where the canal has neither a dark lumen nor a wall. */
  isSeen: boolean;
}

/** One side of a lower jaw from the chin to the ramus, as a CBCT device would record it, with its true canal. */
export interface CanalVolume {
  columns: number;
  rows: number;
  slices: number;
  /** mm, the same in all directions. */
  voxel: number;
  /** Middle of the first voxel, mm in patient space (x to the left, y to the back, z up). */
  origin: [number, number, number];
  /** `[slice][row][column]`, grey values. */
  data: Int16Array;
  /** From the mandibular foramen to the mental foramen, every 0.25 mm. */
  canal: readonly CanalPlace[];
}

export interface CanalVolumeOptions {
  voxel: number;
  /** Standard deviation of the device's blur, mm, and of its noise, grey values. */
  blur?: number;
  noise?: number;
  /** Length of a stretch in which the canal cannot be seen, mm. */
  hidden?: number;
}

/**
 * A jaw made to test how well canals are traced; the same seed makes the same jaw. The canal is 2 to 4 mm wide, leaves
 * the bone at both ends, turns back in a loop at the mental foramen, and varies in contrast; its wall is missing in
 * stretches; pores as dark as the canal lie around it, and roots above it.
 */
export function createCanalVolume(
  seed: string,
  { voxel, blur = 0.3, noise = 90, hidden = 0 }: CanalVolumeOptions,
): CanalVolume {
  const random = createRandom("canal volume", seed);
  const jaw = createJaw(random);
  const line = createCanalLine(jaw, random);
  const canal = describeCanal(line, jaw, random, hidden);
  const size = { columns: Math.round(34 / voxel), rows: Math.round(70 / voxel), slices: Math.round(50 / voxel) };
  const volume = { ...size, voxel, origin: [-12, -10, -4] as [number, number, number] };
  const values = drawJaw(jaw, volume, random);
  drawPores(values, volume, jaw, random);
  drawCanal(values, volume, canal);
  drawRoots(values, volume, jaw, line, random);
  return {
    ...volume,
    data: addNoise(blurVolume(values, size, blur / voxel), noise, random),
    canal: canal.map(({ centre, radius, lumen }) => ({ centre, radius, isSeen: lumen > 0 })),
  };
}

interface Jaw {
  /** mm of compact bone. */
  shell: number;
  trabecular: number;
  /** Lumen of the canal, grey value. */
  lumen: number;
  /** Half the thickness, mm. */
  half: number;
  side: 1 | -1;
}

const createJaw = (random: Random): Jaw => ({
  shell: random.between(1.4, 2.8),
  trabecular: random.between(300, 450),
  lumen: random.between(0, 110),
  half: random.between(5.2, 6.6),
  side: random.unit() < 0.5 ? 1 : -1,
});

/** The middle of the jaw at y mm behind the mental foramen. */
const middleAt = (y: number): number => 1 + 0.1 * y + 0.0012 * y * y;
const lowerBorder = (y: number): number => 10 * smoothStep(38, 60, y);
const upperBorder = (y: number): number => 28 + 40 * smoothStep(36, 50, y);
const halfAt = (jaw: Jaw, y: number): number => jaw.half - 2 * smoothStep(34, 48, y);

/** Depth under the jaw's surface, mm, negative outside. */
function getDepth(jaw: Jaw, x: number, y: number, z: number): number {
  const [half, low, high] = [halfAt(jaw, y), lowerBorder(y), upperBorder(y)];
  const aside = Math.abs(x - middleAt(y)) - half + 3;
  const height = Math.abs(z - (low + high) / 2) - (high - low) / 2 + 3;
  return 3 - Math.hypot(Math.max(0, aside), Math.max(0, height)) - Math.min(0, Math.max(aside, height));
}

function createCanalLine(jaw: Jaw, random: Random): SmoothLine {
  const loop = random.between(0.5, 4.5);
  const depth = random.between(7.5, 11);
  const at = (y: number, aside: number, z: number, free = 1): Vector => [
    middleAt(y) + aside * jaw.side + free * random.between(-0.8, 0.8),
    y + free * random.between(-1, 1),
    z + free * random.between(-1, 1),
  ];
  const half = halfAt(jaw, 0);
  return createSmoothLine(
    [
      at(54, -halfAt(jaw, 54) + 0.3, 40, 0),
      at(52, -halfAt(jaw, 52) + 2.2, 36),
      at(47, -1.2, 28),
      at(41, -1, depth + 11),
      at(33, -1.4, depth + 3.5),
      at(24, -1.2, depth + 0.5),
      at(14, -0.6, depth),
      at(6, 0.2, depth + 0.8),
      at(0.5, 0.8, depth + 1.2, 0.4),
      at(-loop, 1.6, depth + 2.2, 0.2),
      at(-loop + 0.6, 3.2, depth + 4, 0.1),
      at(1.2, half - 0.3, depth + 5.2, 0),
    ],
    0.25,
  );
}

interface DrawnPlace {
  centre: Vector;
  radius: number;
  /** How far the lumen and the wall are there, 0 to 1. */
  lumen: number;
  wall: number;
  grey: number;
}

function describeCanal(line: SmoothLine, jaw: Jaw, random: Random, hidden: number): DrawnPlace[] {
  const phase = random.between(0, 1000);
  const middle = random.between(0.35, 0.7) * line.length;
  const wide = random.between(1.3, 1.7);
  return line.points.map((centre, at) => {
    const along = at * line.step;
    const radius = clamp(wide + 0.55 * sampleSmoothNoise(along / 9, phase, 0.5), 1, 2);
    const isHidden = Math.abs(along - middle) < hidden / 2;
    const contrast = clamp(0.8 + 0.35 * sampleSmoothNoise(along / 7, phase, 7.5), 0.5, 1);
    return {
      centre,
      radius,
      lumen: isHidden ? 0 : contrast,
      wall: isHidden ? 0 : clamp(0.35 + 0.9 * sampleSmoothNoise(along / 6, phase, 3.5), 0, 1),
      grey: jaw.lumen + random.between(-20, 20),
    };
  });
}

type Box = Pick<CanalVolume, "columns" | "rows" | "slices" | "voxel" | "origin">;

function drawJaw(jaw: Jaw, box: Box, random: Random): Float32Array {
  const { columns, rows, slices, voxel, origin } = box;
  const values = new Float32Array(columns * rows * slices);
  const phase = random.between(0, 1000);
  let at = 0;
  for (let k = 0; k < slices; k++)
    for (let j = 0; j < rows; j++)
      for (let i = 0; i < columns; i++, at++) {
        const [x, y, z] = [origin[0] + i * voxel, origin[1] + j * voxel, origin[2] + k * voxel];
        const depth = getDepth(jaw, x, y, z);
        const share = clamp(0.5 + depth / voxel, 0, 1);
        if (share === 0) {
          values[at] = greyValues.muscle;
          continue;
        }
        const mesh = sampleSmoothNoise(x / 0.8 + phase, y / 0.8, z / 0.8);
        const spongy = jaw.trabecular + 260 * mesh;
        const bone = mix(spongy, greyValues.compact, clamp(0.5 + (jaw.shell - depth) / 0.8, 0, 1));
        values[at] = mix(greyValues.muscle, bone, share);
      }
  return values;
}

/** Visits the voxels within `reach` mm of a place. */
function visitAround(box: Box, centre: Vector, reach: number, visit: (at: number, far: number) => void): void {
  const range = (axis: 0 | 1 | 2, count: number): [number, number] => [
    Math.max(0, Math.ceil((centre[axis] - reach - box.origin[axis]) / box.voxel)),
    Math.min(count - 1, Math.floor((centre[axis] + reach - box.origin[axis]) / box.voxel)),
  ];
  const [[x0, x1], [y0, y1], [z0, z1]] = [range(0, box.columns), range(1, box.rows), range(2, box.slices)];
  for (let k = z0; k <= z1; k++)
    for (let j = y0; j <= y1; j++)
      for (let i = x0; i <= x1; i++)
        visit(
          i + box.columns * (j + box.rows * k),
          Math.hypot(
            box.origin[0] + i * box.voxel - centre[0],
            box.origin[1] + j * box.voxel - centre[1],
            box.origin[2] + k * box.voxel - centre[2],
          ),
        );
}

/** Marrow spaces as dark as the canal; some are drawn out to short tubes. */
function drawPores(values: Float32Array, box: Box, jaw: Jaw, random: Random): void {
  for (let pore = 0; pore < 350; pore++) {
    const y = random.between(-8, 56);
    let centre: Vector = [middleAt(y) + random.between(-4, 4), y, random.between(3, 40)];
    const radius = random.between(0.4, 1.1);
    const way: Vector = [random.between(-0.4, 0.4), random.between(-0.4, 0.4), random.between(-0.4, 0.4)];
    const grey = random.between(0, 150);
    for (let step = random.unit() < 0.3 ? 8 : 1; step > 0; step--) {
      if (getDepth(jaw, ...centre) > jaw.shell + radius)
        visitAround(box, centre, radius + box.voxel, (at, far) => {
          values[at] = mix(values[at], Math.min(values[at], grey), clamp(0.5 + (radius - far) / box.voxel, 0, 1));
        });
      centre = [centre[0] + way[0], centre[1] + way[1], centre[2] + way[2]];
    }
  }
}

/** mm of the canal's wall beyond the lumen. */
const wallWidth = 0.5;

function drawCanal(values: Float32Array, box: Box, canal: readonly DrawnPlace[]): void {
  const nearest = new Float32Array(values.length).fill(Infinity);
  const owner = new Uint16Array(values.length);
  canal.forEach(({ centre, radius }, index) =>
    visitAround(box, centre, radius + 1.5, (at, far) => {
      if (far - radius >= nearest[at]) return;
      nearest[at] = far - radius;
      owner[at] = index;
    }),
  );
  for (let at = 0; at < values.length; at++) {
    if (nearest[at] === Infinity) continue;
    const { lumen, wall, grey } = canal[owner[at]];
    const wallShare = wall * clamp(1 - Math.abs(nearest[at] - wallWidth / 2) / (0.6 * wallWidth + box.voxel / 2), 0, 1);
    // There is no wall where there is no bone.
    if (values[at] > 150) values[at] = mix(values[at], Math.max(values[at], 950), wallShare);
    const inner = lumen * clamp(0.5 - nearest[at] / box.voxel, 0, 1);
    values[at] = mix(values[at], Math.min(values[at], grey), inner);
  }
}

/** Cones of dentine that end 1 to 5 mm above the canal. */
function drawRoots(values: Float32Array, box: Box, jaw: Jaw, line: SmoothLine, random: Random): void {
  for (const y of [3, 10, 16, 22, 27]) {
    const under = line.points.reduce((best, point) => (Math.abs(point[1] - y) < Math.abs(best[1] - y) ? point : best));
    const apex: Vector = [middleAt(y) + random.between(-1, 1) * jaw.side, y, under[2] + random.between(3.4, 7.5)];
    for (let z = apex[2]; z < 40; z += box.voxel) {
      const radius = clamp(0.7 + 0.16 * (z - apex[2]), 0, 2.6);
      visitAround(box, [apex[0], apex[1], z], radius + 0.6, (at, far) => {
        const gap = clamp(1 - Math.abs(far - radius - 0.2) / 0.25, 0, 1);
        if (values[at] < greyValues.compact) values[at] = mix(values[at], 200, 0.3 * gap);
        values[at] = mix(values[at], far < 0.4 ? 500 : 1560, clamp(0.5 + (radius - far) / box.voxel, 0, 1));
      });
    }
  }
}

function addNoise(values: Float32Array, noise: number, random: Random): Int16Array {
  const table = getNormalTable();
  const start = Math.floor(random.between(0, 65_536));
  const out = new Int16Array(values.length);
  // Reconstruction makes neighbours alike: each value holds a part of the one before.
  let [place, last] = [start, 0];
  for (let at = 0; at < values.length; at++) {
    place = (place + 7919 + ((at * 31) & 7)) & 0xffff;
    last = 0.5 * last + 0.866 * table[place];
    out[at] = Math.round(clamp(values[at] + noise * last, greyValues.air, greyValues.highest));
  }
  return out;
}

/** Distances of places from the true canal, mm; the nearest of its places counts. */
export const measureToCanal = (canal: readonly CanalPlace[], place: Vector): number =>
  canal.reduce((least, { centre }) => Math.min(least, distance(centre, place)), Infinity);

/** True points along the canal for clicks: at shares of its length, each off by up to `off` mm in any direction. */
export function chooseClicks(
  canal: readonly CanalPlace[],
  shares: readonly number[],
  off: number,
  seed: string,
): Vector[] {
  const random = createRandom("canal clicks", seed);
  return shares.map((share) => {
    const { centre } = canal[Math.round(share * (canal.length - 1))];
    const way = [random.normal(), random.normal(), random.normal()];
    const length = Math.hypot(...way) || 1;
    const far = off * random.between(0.5, 1);
    return [0, 1, 2].map((axis) => centre[axis] + (way[axis] / length) * far) as unknown as Vector;
  });
}
