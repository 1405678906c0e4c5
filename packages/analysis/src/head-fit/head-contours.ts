import type { Point } from "../ceph/plane-geometry.ts";

/** The part of the head with which a point moves. */
export type HeadPart = "skull" | "vault" | "upperJaw" | "lowerJaw" | "teeth" | "skin";

/**
 * A visible line of the mean head, in mm of `referenceLandmarks`. `brightSide`: the side of higher values for somebody
 * who walks along the points, y downwards; "line" is brighter than both sides.
 */
export interface HeadContour {
  part: HeadPart;
  brightSide: "left" | "right" | "line";
  points: readonly Point[];
}

export const headContours: readonly HeadContour[] = [
  {
    part: "skin",
    brightSide: "right",
    points: [
      [54, -133],
      [57.5, -120],
      [59, -100],
      [54.5, -86],
      [58, -76],
      [67, -56],
      [76, -38],
      [77.5, -32],
      [73, -27],
      [63, -21],
      [61.5, -17],
      [64.5, -10],
      [65, -6],
      [60.5, -1],
      [62, 4],
      [63, 9],
      [57.5, 17],
      [58.5, 26],
      [59.5, 33],
      [55, 41],
      [44, 47],
      [24, 52],
    ],
  },
  {
    part: "vault",
    brightSide: "left",
    points: [
      [52, -94.8],
      [53.5, -106.8],
      [49, -132],
      [33, -158.4],
      [5, -174],
      [-31.2, -177.6],
      [-73.2, -168],
      [-105.6, -144],
      [-122.4, -112.8],
      [-124.8, -84],
      [-112.8, -62],
    ],
  },
  {
    part: "vault",
    brightSide: "right",
    points: [
      [47.5, -108],
      [43.5, -128.4],
      [29, -152.4],
      [4, -167.4],
      [-31.2, -170.4],
      [-69.6, -161.4],
      [-99.6, -139.2],
      [-114, -110.4],
      [-115.8, -85.2],
    ],
  },
  {
    part: "skull",
    brightSide: "line",
    points: [
      [42, -87],
      [30, -85.5],
      [10, -83],
      [-6, -81],
      [-14, -82],
      [-18.5, -80],
      [-20.5, -75],
      [-24, -70.8],
      [-28.5, -73],
      [-30, -79],
    ],
  },
  {
    part: "skull",
    brightSide: "line",
    points: [
      [-32, -80],
      [-34, -74],
      [-38, -61],
      [-43, -49],
      [-48, -39],
    ],
  },
  {
    part: "skull",
    brightSide: "right",
    points: [
      [52, -93],
      [48, -84],
      [51.5, -78],
      [56, -69],
      [59, -63],
    ],
  },
  {
    part: "skull",
    brightSide: "line",
    points: [
      [40.5, -74],
      [36.5, -66],
      [34.5, -58],
    ],
  },
  {
    part: "skull",
    brightSide: "line",
    points: [
      [35, -55],
      [24, -56],
      [12, -60],
    ],
  },
  {
    part: "upperJaw",
    brightSide: "line",
    points: [
      [54, -24.5],
      [46, -24],
      [30, -25],
      [15, -25],
      [2, -24],
    ],
  },
  {
    part: "upperJaw",
    brightSide: "right",
    points: [
      [54, -24.5],
      [50, -22.5],
      [48.5, -19],
      [48.3, -14],
      [49, -9.5],
    ],
  },
  {
    part: "lowerJaw",
    brightSide: "left",
    points: [
      [-40, -42.5],
      [-37.5, -33],
      [-35.5, -22],
      [-34, -10],
      [-32.5, -1],
      [-29, 6],
      [-23, 10.5],
      [-12, 15],
      [4, 22],
      [20, 30],
      [32, 37],
      [38, 40.3],
      [42, 40],
      [45, 36.5],
      [46.5, 31],
      [44.6, 26],
      [43, 21],
      [44, 14],
      [46, 9],
    ],
  },
  {
    part: "teeth",
    brightSide: "right",
    points: [
      [48.5, -10],
      [53.2, -7],
      [55.3, -3],
      [55, 3],
    ],
  },
  {
    part: "teeth",
    brightSide: "right",
    points: [
      [52, 1],
      [52, 4],
      [50.2, 8],
      [46.5, 12],
    ],
  },
];
