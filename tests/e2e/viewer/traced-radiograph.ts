import { readFileSync } from "node:fs";
import type { CephContent, CephLandmark, CephImagePoint } from "@arcada/contract/ceph/ceph.schema";
import { createCephalogram, getCephLandmarks, getCephRulerEnds } from "@arcada/phantom/radiograph/cephalogram";
import { makeHead } from "@arcada/phantom/anatomy/head";
import type { PhantomPatient } from "@arcada/phantom/phantom-study";
import { findRealFile } from "../support/test-files.ts";

/** A cephalogram with the positions of its nineteen usual landmarks, in pixels of the stored file. */
export interface TracedRadiograph {
  name: string;
  bytes: Uint8Array;
  columns: number;
  rows: number;
  /** Quarters clockwise until the head is upright. */
  quarterTurns: 0 | 1;
  landmarks: CephContent["landmarks"];
  /** Two points and the distance in mm between them on the radiograph. */
  knownDistance: { from: CephImagePoint; to: CephImagePoint; mm: number };
  magnification: number;
}

/** Loads the real radiograph, whose file names nobody, if it is available, otherwise a generated one of this patient. */
export const loadTracedRadiograph = (patient: PhantomPatient = tracedPatient): TracedRadiograph => {
  const real = findRealFile("ceph");
  return real ? boltonRadiograph(readFileSync(real)) : generatedRadiograph(patient);
};

const tracedPatient: PhantomPatient = { name: "Traced^Film", id: "C-1", birthDate: "19900101", sex: "F" };

/**
 * Returns the lateral radiograph of Bolton subject B1893, whose landmarks were marked by eye on the upright image: 512
 * dots per inch, source 1524 mm from the mid-sagittal plane and 1611 mm from the film.
 */
function boltonRadiograph(bytes: Uint8Array): TracedRadiograph {
  const upright: Record<string, CephImagePoint> = {
    S: [2840, 1791],
    N: [4143, 1824],
    Or: [3833, 2271],
    Po: [2440, 2290],
    ANS: [3936, 2600],
    PNS: [3182, 2618],
    A: [3923, 2700],
    U1: [4009, 3109],
    L1: [3960, 3255],
    B: [3809, 3536],
    Pog: [3736, 3700],
    Gn: [3694, 3891],
    Me: [3642, 3936],
    Go: [2718, 3200],
    Ar: [2717, 2508],
    Sn: [4118, 2673],
    Ls: [4154, 3000],
    Li: [4100, 3254],
    PogS: [3854, 3745],
  };
  const [columns, rows] = [4096, 5120];
  const stored = ([x, y]: CephImagePoint): CephImagePoint => [y, rows - x];
  const landmarks = Object.fromEntries(Object.entries(upright).map(([id, spot]) => [id, stored(spot)]));
  const known = { from: stored([1000, 1000]), to: stored([1000 + (100 * 512) / 25.4, 1000]), mm: 100 } as const;
  return {
    name: "B1893L12.jpg",
    bytes,
    columns,
    rows,
    quarterTurns: 1,
    landmarks,
    knownDistance: known,
    magnification: 1611 / 1524,
  };
}

/** The seed of the generated head. */
export const tracedHead = "ceph journey";

function generatedRadiograph(patient: PhantomPatient): TracedRadiograph {
  const head = makeHead(tracedHead);
  const { bytes, name } = createCephalogram(head, patient);
  const truth = getCephLandmarks(head);
  const at = (column: number, row: number): CephImagePoint => [column, row];
  const [edge, chin] = [truth["U1 tip"], truth["Pog"]];
  const landmarks: CephContent["landmarks"] = {
    U1: at(edge.column, edge.row),
    L1: at(truth["L1 tip"].column, truth["L1 tip"].row),
    // The exact position of the skin is unknown: an approximate one is sufficient.
    Sn: at(edge.column + 130, edge.row - 180),
    Ls: at(edge.column + 140, edge.row - 90),
    Li: at(edge.column + 120, edge.row + 80),
    PogS: at(chin.column + 110, chin.row),
  };
  for (const id of ["S", "N", "Or", "Po", "ANS", "PNS", "A", "B", "Pog", "Gn", "Me", "Go", "Ar"] as CephLandmark[])
    landmarks[id] = at(truth[id].column, truth[id].row);
  const { from, to, length } = getCephRulerEnds();
  const known = { from: at(from.column, from.row), to: at(to.column, to.row), mm: length };
  return { name, bytes, columns: 1920, rows: 2240, quarterTurns: 0, landmarks, knownDistance: known, magnification: 1 };
}
