import { createSpline, type Point2 } from "../math/shape-functions.ts";

/** Forms of a head seen from its right side, in mm at scale 1: first number to the face, second up; 0, 0 is the head's origin. */

/** Usual landmarks of cephalometry. */
export const landmarkPositions = {
  S: [-24, 75],
  N: [48, 84],
  A: [48.5, 19],
  B: [43, -21],
  Pog: [46.5, -31],
  Gn: [45, -36.5],
  Me: [40, -40],
  Go: [-33.5, -23],
  Po: [-46, 56],
  Or: [35, 55],
  ANS: [54, 24],
  PNS: [2, 24],
  Ar: [-41.7, 26],
  Co: [-42.5, 36.5],
} as const satisfies Record<string, Point2>;

export const facialProfile = createSpline(
  [
    [54, 133],
    [57.5, 120],
    [59, 100],
    [54.5, 86],
    [58, 76],
    [67, 56],
    [76, 38],
    [77.5, 32],
    [73, 27],
    [63, 21],
    [61.5, 17],
    [64.5, 10],
    [65, 6],
    [60.5, 1],
    [62, -4],
    [63, -9],
    [57.5, -17],
    [58.5, -26],
    [59.5, -33],
    [55, -41],
    [44, -47],
    [24, -52],
    [8, -60],
    [2, -75],
    [0, -100],
  ],
  5,
);

export const vaultOuter = createSpline(
  [
    [48, 85],
    [52, 93],
    [53.5, 103],
    [49, 124],
    [33, 146],
    [5, 159],
    [-30, 162],
    [-65, 154],
    [-92, 134],
    [-106, 108],
    [-108, 84],
    [-98, 62],
    [-80, 47],
    [-60, 43],
  ],
  5,
);

export const vaultInner = createSpline(
  [
    [42, 87],
    [46, 95],
    [47.5, 104],
    [43.5, 121],
    [29, 141],
    [4, 153.5],
    [-30, 156],
    [-62, 148.5],
    [-87, 130],
    [-99, 106],
    [-100.5, 85],
    [-91, 66],
    [-76, 53],
    [-60, 49],
  ],
  5,
);

/** From the forehead's inside over the roof of the orbits to the sella, its back wall, down the clivus. */
export const skullBase = createSpline(
  [
    [42, 87],
    [30, 85.5],
    [10, 83],
    [-6, 81],
    [-14, 82],
    [-18.5, 80],
    [-20.5, 75],
    [-24, 70.8],
    [-28.5, 73],
    [-30, 79],
    [-32, 80],
    [-34, 74],
    [-38, 62],
    [-43, 50],
    [-47, 42],
  ],
  5,
);

export const clivusFront = createSpline(
  [
    [-22, 67],
    [-27, 58],
    [-34, 48],
    [-41, 41],
    [-47, 42],
  ],
  5,
);

export const noseBone = createSpline(
  [
    [48, 84],
    [51.5, 78],
    [56, 69],
    [59, 63],
  ],
  4,
);
export const palateTop = createSpline(
  [
    [55, 24.5],
    [46, 24],
    [30, 25],
    [15, 25],
    [2, 24],
  ],
  4,
);
export const palateBottom = createSpline(
  [
    [49, 19.5],
    [43, 17],
    [34, 20],
    [20, 21.5],
    [2, 22.5],
  ],
  4,
);
export const jawFront = createSpline(
  [
    [54, 24.5],
    [50, 22.5],
    [48.5, 19],
    [48.3, 14],
    [49, 9.5],
  ],
  4,
);
export const orbitRim = createSpline(
  [
    [45, 80],
    [40.5, 74],
    [36.5, 66],
    [34.5, 58],
    [36, 53],
  ],
  4,
);
export const orbitFloor = createSpline(
  [
    [35, 55],
    [24, 56],
    [12, 60],
  ],
  4,
);
export const cheekRidge = createSpline(
  [
    [33, 53],
    [27, 44],
    [22, 34],
    [17, 29],
    [12, 33],
    [10, 46],
  ],
  4,
);
export const sinus = createSpline(
  [
    [8, 30],
    [22, 26.5],
    [36, 29],
    [42, 38],
    [40, 50],
    [30, 54],
    [14, 54],
    [6, 44],
    [8, 30],
  ],
  4,
);
export const fissure = createSpline(
  [
    [-2, 25],
    [-4.5, 36],
    [-4, 45],
    [-0.5, 47],
    [2.5, 43],
    [1, 33],
    [-2, 25],
  ],
  4,
);

export const chin = createSpline(
  [
    [45.5, -9],
    [44, -14],
    [43, -21],
    [44.5, -27],
    [46.5, -31],
    [46.5, -34],
    [45, -36.5],
    [42.5, -39],
    [40, -40],
    [34, -39],
    [30.5, -34],
    [30, -26],
    [32, -17],
    [34.5, -9],
  ],
  4,
);
export const tongueTop = createSpline(
  [
    [40, -6],
    [32, 8],
    [14, 16],
    [-8, 15],
    [-24, 4],
    [-32, -18],
    [-32, -40],
  ],
  4,
);
export const softPalate = createSpline(
  [
    [2, 23],
    [-8, 21],
    [-18, 14],
    [-25, 3],
    [-27, -3],
  ],
  4,
);
export const throatBack = createSpline(
  [
    [-24, 52],
    [-30, 42],
    [-40, 26],
    [-48.5, 5],
    [-49.5, -25],
    [-50, -70],
    [-51, -104],
  ],
  4,
);

/** Fore ends, heights and depths of the second to fifth vertebra's bodies: middle and half sizes. */
export const vertebrae: readonly { middle: Point2; half: Point2 }[] = [
  { middle: [-60, -3], half: [8, 8.5] },
  { middle: [-60, -20.5], half: [8, 6.6] },
  { middle: [-60.5, -37.5], half: [8.2, 6.6] },
  { middle: [-62, -55], half: [8.5, 6.8] },
  { middle: [-64, -73], half: [9, 7] },
];

/** A ruler of 50 mm with a mark every 10 mm, in the middle plane of the head: magnified as the head is. */
export const ruler = { x: 78, low: 50, length: 50 } as const;
