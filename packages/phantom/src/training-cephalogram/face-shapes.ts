import type { Point2 } from "../math/shape-functions.ts";

/** Forms of the mean head of `meanLandmarks` seen from its right side, in mm; drawn as smooth curves. */
type Shape = readonly Point2[];

export const noseBone: Shape = [
  [67.5, 14],
  [69.5, 8.5],
  [71.5, 2],
  [76, -6],
  [81, -13],
  [85.5, -18],
];
export const noseBoneInner: Shape = [
  [66, 4],
  [69, -1],
  [74, -9],
  [80, -15],
  [85.5, -18],
];
/** From the brow down the side of the orbit to the orbitale and forward to the nose. */
export const orbitRim: Shape = [
  [62, 8],
  [56, 1],
  [52.5, -7],
  [53, -14],
  [55.5, -18.3],
  [58.5, -19.5],
  [62, -17.5],
  [65, -11],
  [67, -3],
];
export const orbitFloor: Shape = [
  [58.5, -19.5],
  [48, -20.5],
  [36, -17],
  [26, -12],
];
export const cheek: Shape = [
  [54, -20],
  [51, -29],
  [46, -38],
  [42, -45],
  [38.5, -47],
  [35.5, -43],
  [34, -33],
  [36, -22],
];
export const cheekBone: Shape = [
  [58, -20],
  [60, -27],
  [56, -36],
  [47, -44],
  [40, -47],
  [35, -42],
  [32, -33],
  [20, -29],
  [8, -27],
  [8, -23],
  [24, -23],
  [36, -22],
  [48, -19],
];
export const maxillarySinus: Shape = [
  [28, -40],
  [30, -26],
  [40, -21],
  [54, -23],
  [61, -32],
  [63, -42],
  [54, -47],
  [40, -48],
];
export const fissure: Shape = [
  [23, -49],
  [19, -42],
  [17, -34],
  [20, -29],
  [23.5, -31],
  [24.5, -39],
  [23, -49],
];
export const pterygoid: Shape = [
  [17, -31],
  [15, -42],
  [16, -53],
  [20, -58],
  [23, -52],
];
export const palateTop: Shape = [
  [77.5, -49.5],
  [72, -50.8],
  [60, -50],
  [45, -49.3],
  [33, -49],
  [23, -49],
];
export const palateBottom: Shape = [
  [72, -60],
  [66, -59],
  [57, -55.5],
  [45, -53],
  [33, -51.5],
  [23, -49.5],
];
export const maxillaFront: Shape = [
  [66, -33],
  [69.5, -44],
  [72.5, -48.5],
  [77.5, -49.5],
  [74.5, -52],
  [72.4, -54],
  [72, -55.5],
  [72.2, -58],
  [73.3, -62],
  [75, -67],
];
export const maxillaBone: Shape = [
  [77.5, -49.5],
  [72, -55.5],
  [75, -67],
  [70, -69.5],
  [55, -68],
  [40, -66],
  [26, -62],
  [23, -49],
  [50, -49.5],
  [68, -49],
];
export const nasalCavity: Shape = [
  [66, -6],
  [73, -20],
  [75, -34],
  [74, -45],
  [60, -48],
  [40, -47],
  [25, -45],
  [24, -30],
  [30, -14],
  [48, -6],
];
export const turbinate: Shape = [
  [65, -42],
  [52, -38],
  [36, -38],
  [28, -42],
  [36, -45.5],
  [54, -45.5],
];
/** The bones and the flesh of both cheeks, which lie over each other. */
export const faceBulk: Shape = [
  [64, 8],
  [68, -14],
  [70, -40],
  [73, -66],
  [62, -72],
  [30, -64],
  [8, -44],
  [-8, -24],
  [4, -4],
  [30, 4],
];
export const temple: Shape = [
  [60, 4],
  [54, -18],
  [24, -30],
  [-4, -26],
  [-12, -6],
  [10, 8],
  [38, 12],
];
/** The process of the upper jaw beside the nose, with the front edge of the cheek: a broad bright pillar. */
export const nosePillar: Shape = [
  [64, 6],
  [70, 4],
  [71, -12],
  [72, -32],
  [71, -47],
  [66, -48],
  [65, -30],
  [63, -12],
];
