import type { Point2 } from "../math/shape-functions.ts";

/** Forms of the mean head of `meanLandmarks` seen from its right side, in mm; drawn as smooth curves. */
type Shape = readonly Point2[];

export const vaultOuter: Shape = [
  [70, 9],
  [74.5, 17],
  [76.5, 28],
  [73, 55],
  [57, 80],
  [29, 97],
  [-6, 103],
  [-47, 97],
  [-80, 75],
  [-98, 45],
  [-102, 12],
  [-95, -13],
  [-78, -33],
  [-54, -44],
  [-36, -43],
];
export const vaultInner: Shape = [
  [64, 12],
  [68.5, 19],
  [71, 29],
  [67.5, 53],
  [53, 75],
  [28, 91],
  [-6, 97],
  [-45, 91],
  [-75, 71],
  [-92, 43],
  [-96, 12],
  [-88, -10],
  [-73, -28],
  [-52, -38],
  [-36, -38],
];
/** From the inside of the forehead along the base to the sella, its floor and back wall, and down to the basion. */
export const skullBase: Shape = [
  [64, 12],
  [52, 8],
  [38, 6.5],
  [22, 5.5],
  [12, 6],
  [8, 5],
  [6, 1],
  [3.5, -3.5],
  [0, -5],
  [-3.5, -4],
  [-5.5, 0],
  [-6.5, 4.5],
  [-8.5, 5],
  [-9.5, 0],
  [-13, -11],
  [-19, -24],
  [-25, -37],
];
export const sella: Shape = [
  [10, 5.5],
  [7.5, 4],
  [6, 0.5],
  [3.5, -3.5],
  [0, -5],
  [-3.5, -4],
  [-5.5, 0],
  [-6.5, 4.5],
  [-8.5, 5],
];
export const clivus: Shape = [
  [3, -7],
  [-3, -16],
  [-11, -26],
  [-19, -34],
  [-25, -37],
  [-19, -24],
  [-13, -11],
  [-9.5, 0],
  [-6, -3],
];
export const sphenoidSinus: Shape = [
  [4, -6],
  [10, 3],
  [20, 3],
  [24, -6],
  [22, -16],
  [12, -21],
  [2, -15],
];
export const orbitRoof: Shape = [
  [67, 3],
  [63, 11],
  [52, 17],
  [36, 15],
  [22, 9],
  [14, 6.5],
];
export const greaterWing: Shape = [
  [26, 14],
  [24, 2],
  [26, -8],
  [26, -18],
  [21, -28],
  [12, -33],
  [0, -31],
];
export const frontalSinus: Shape = [
  [67.5, 10],
  [71, 14],
  [73.5, 24],
  [72, 33],
  [69, 30],
  [67, 20],
];
export const petrous: Shape = [
  [-6, -2],
  [-18, 2],
  [-34, 0],
  [-44, -8],
  [-36, -20],
  [-20, -24],
  [-8, -16],
];
/** From the sella outwards over the orbit, rising: the small wings, which cross the floor of the skull on a film. */
export const lesserWing: Shape = [
  [6, 5],
  [18, 4],
  [32, 9],
  [46, 16],
  [60, 20],
];
