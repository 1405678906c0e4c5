import { makeHead } from "../anatomy/head.ts";
import { createRandom, type Random } from "../math/random.ts";
import { addPatch, createPlate, getPlateBox, readPlate, type Plate } from "../radiograph/plate.ts";
import { addLeadMarker } from "../radiograph/lead-marker.ts";
import { developFilm } from "./develop-film.ts";
import { drawVariedTooth, type MaterialStrengths, type SocketLook } from "./draw-varied-tooth.ts";
import { FilmProjection, chooseFilmGeometry } from "./film-geometry.ts";
import { chooseArchVariety, placeVariedTeeth, type PlacedTooth } from "./place-varied-teeth.ts";
import { chooseDentition, type ToothCondition } from "./varied-dentition.ts";
import { createVariedTissue } from "./varied-tissue.ts";

/** A tooth's truth on a film: its box and outline in pixels, rows from the top. */
export interface DrawnTooth {
  /** 11 to 48, deciduous 51 to 85. */
  fdi: number;
  condition: ToothCondition;
  isUnerupted: boolean;
  box: { left: number; top: number; right: number; bottom: number };
}

/** A panoramic film of a generated mouth for training, with the truth of each tooth on it. */
export interface TrainingPanorama {
  columns: number;
  rows: number;
  /** Grey values, bright for dense; the patient's right is on the left. */
  pixels: Uint8Array;
  teeth: DrawnTooth[];
}

/** Detector of 300 × 150 mm. */
export const trainingFilm = { columns: 600, rows: 300, pixel: 0.5 } as const;

/** The same seed makes the same film: another mouth in another machine. */
export function createTrainingPanorama(seed: string): TrainingPanorama {
  const random = createRandom("training panorama", seed);
  const dentition = chooseDentition(random);
  const variety = chooseArchVariety(dentition, random);
  const teeth = placeVariedTeeth(dentition, variety, random);
  const geometry = chooseFilmGeometry(random);
  const head = { ...makeHead(seed), scale: variety.scale };
  const { columns, rows, pixel } = trainingFilm;
  const jaw = createPlate(columns + 80, rows + 80, pixel, [columns / 2 + 40, rows / 2 + 40]);
  const tissue = createVariedTissue(head, teeth, variety.open, random);
  const { enlarged } = geometry;
  addPatch(jaw, getPlateBox(jaw), 0.75, (x, y) => tissue(x / enlarged, y / enlarged));
  const [strengths, socket] = [chooseStrengths(random), chooseSocketLook(random)];
  const projection = new FilmProjection(geometry);
  const outlines = teeth.map((tooth) => drawVariedTooth(jaw, tooth, geometry, strengths, socket));
  if (dentition.hasBrackets) for (const tooth of teeth) addBracket(jaw, tooth, enlarged, random);
  const film = bendFilm(jaw, projection, geometry.zoom);
  if (random.unit() < 0.6)
    addLeadMarker(
      film,
      random.unit() < 0.7 ? "R" : "L",
      random.between(-140, -100) / geometry.zoom,
      40 / geometry.zoom,
      random.between(5, 10),
    );
  return {
    columns,
    rows,
    pixels: developFilm(film, seed),
    teeth: teeth.flatMap((tooth, at) => toDrawnTooth(tooth, outlines[at], projection, film.pixel)),
  };
}

/** Dentine, enamel and metals absorb more or less, as the machine's energy and the patient's age make them. */
function chooseStrengths(random: Random): MaterialStrengths {
  const dentine = 0.048 * random.between(0.85, 1.75);
  return {
    nothing: 0,
    pulp: 0.018 * random.between(0.6, 1.6),
    dentine,
    enamel: dentine * random.between(1.05, 1.6),
    filling: random.between(0.09, 0.4),
    metal: random.between(0.25, 0.5),
    ceramic: random.between(0.07, 0.2),
    titanium: random.between(0.15, 0.3),
    rootFilling: random.between(0.12, 0.3),
  };
}

const chooseSocketLook = (random: Random): SocketLook => ({
  bone: random.between(8, 18),
  level: random.between(0.05, 0.25),
  lines: random.between(0.3, 1.8),
});

/** A bracket on the crown, and the wire through it. */
function addBracket(plate: Plate, tooth: PlacedTooth, enlarged: number, random: Random): void {
  if (tooth.isUnerupted || tooth.shape.form === "molar" || tooth.condition === "implant") return;
  const half = random.between(1.3, 1.9) * enlarged;
  const up = tooth.axes.crown[2] > 0 ? 1 : -1;
  const x = tooth.place * enlarged;
  const y = (tooth.neck[2] + up * tooth.shape.crown * 0.5) * enlarged;
  const wire = (tooth.shape.width / 2 + 0.5) * enlarged;
  addPatch(plate, { left: x - wire, right: x + wire, bottom: y - half, top: y + half }, 0.4, (px, py) => {
    const isBracket = Math.abs(px - x) < half * 0.8 && Math.abs(py - y) < half * 0.9;
    return isBracket ? 0.6 : Math.abs(py - y) < 0.4 ? 0.5 : 0;
  });
}

/** Resamples the unrolled jaw as the machine and the position of the patient show it. */
function bendFilm(jaw: Plate, projection: FilmProjection, zoom: number): Plate {
  const { columns, rows } = trainingFilm;
  const pixel = trainingFilm.pixel / zoom;
  const film = createPlate(columns, rows, pixel, [columns / 2, rows / 2]);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [u, v] = projection.toJaw((column + 0.5 - columns / 2) * pixel, (rows / 2 - row - 0.5) * pixel);
      film.data[row * columns + column] = readPlate(jaw, jaw.zero[0] + u / jaw.pixel, jaw.zero[1] - v / jaw.pixel);
    }
  }
  return film;
}

/** None if less than half of the tooth is on the film. */
function toDrawnTooth(
  tooth: PlacedTooth,
  outline: readonly (readonly [number, number])[],
  projection: FilmProjection,
  pixel: number,
): DrawnTooth[] {
  const { columns, rows } = trainingFilm;
  const seen = outline.map(([u, v]): readonly [number, number] => {
    const [x, y] = projection.toFilm(u, v);
    return [columns / 2 + x / pixel, rows / 2 - y / pixel];
  });
  const inside = seen.filter(([x, y]) => x >= 0 && x < columns && y >= 0 && y < rows);
  if (inside.length < Math.max(4, seen.length / 2)) return [];
  const [across, down] = [inside.map(([x]) => x), inside.map(([, y]) => y)];
  return [
    {
      fdi: tooth.fdi,
      condition: tooth.condition,
      isUnerupted: tooth.isUnerupted,
      box: {
        left: Math.min(...across),
        top: Math.min(...down),
        right: Math.max(...across),
        bottom: Math.max(...down),
      },
    },
  ];
}
