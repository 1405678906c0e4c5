import { describe, expect, it } from "vitest";
import { getOcclusalHeight, makeHead, type HeadTruth } from "@arcada/phantom/anatomy/head";
import { createPanoramaPixels, panoramaSize } from "@arcada/phantom/radiograph/panorama";
import { createVariedPanorama } from "@arcada/phantom/radiograph/varied-panorama";
import { createRandom } from "@arcada/phantom/math/random";
import type { Observation } from "@arcada/contract/analysis/observation";
import { validateResult } from "../validate-result.ts";
import type { EngineImage, NewObservation } from "../engine.ts";
import { measurementInfo } from "./measurement-engine-info.ts";
import { measurementEngine } from "./measurement-engine.ts";

const { columns, rows, pixel, enlarged } = panoramaSize;
const isFull = process.env["ARCADA_PROOF"] === "full";

const pictureOf = (samples: ArrayLike<number>): EngineImage => ({
  kind: "picture",
  shows: "panorama",
  columns,
  rows,
  samples: Float32Array.from(samples),
  spacing: null,
});

async function measured(picture: EngineImage) {
  const work = { signal: new AbortController().signal, onProgress: () => {} };
  const answer = validateResult(await measurementEngine.analyse(picture, work), measurementInfo, picture);
  const numberOf = (code: string): number => Number(answer.observations.find((one) => one.code === code)?.value ?? NaN);
  return { ...answer, tilt: numberOf("PAN_TILT"), midline: numberOf("PAN_MIDLINE") };
}

/** Mirrored, turned by degrees about its middle, moved by a share of its width, brightened. */
function changed(
  { samples, ...rest }: EngineImage,
  { mirror = false, turn = 0, shift = 0, gain = 1, add = 0 },
): EngineImage {
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  const out = new Float32Array(samples.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const [x, y] = [column - columns / 2 - shift * columns, row - rows / 2];
      const across = Math.round(columns / 2 + cos * x + sin * y);
      const from = Math.min(columns - 1, Math.max(0, mirror ? columns - 1 - across : across));
      const at = Math.min(rows - 1, Math.max(0, Math.round(rows / 2 - sin * x + cos * y)));
      out[row * columns + column] = gain * samples[at * columns + from] + add;
    }
  return { ...rest, samples: out };
}

/** The row in which the teeth meet, as the phantom is drawn. */
function biteRow({ scale }: HeadTruth, column: number): number {
  const place = ((column - columns / 2) * pixel) / enlarged;
  return 590 - ((getOcclusalHeight(place, scale) + 0.0011 * place * place) * enlarged) / pixel;
}

const pointsOf = (
  observations: readonly Pick<NewObservation, "code" | "geometry">[],
  code: string,
): [number, number][] => {
  const geometry = observations.find((one) => one.code === code)?.geometry;
  return geometry?.kind === "line" ? geometry.points : [];
};

describe("a panorama", () => {
  const head = makeHead("three");
  const drawn = pictureOf(createPanoramaPixels(head));

  it("has its line between the teeth found where the phantom's teeth meet", async () => {
    for (const one of isFull ? [head, ...["one", "two", "five", "six"].map(makeHead)] : [head]) {
      const picture = one === head ? drawn : pictureOf(createPanoramaPixels(one));
      const { observations, tilt, midline } = await measured(picture);
      const line = pointsOf(observations, "PAN_OCCLUSAL_LINE");
      const right = line.filter(([x, y]) => Math.abs(y - biteRow(one, x)) < 0.025 * rows);
      expect(right.length / line.length).toBeGreaterThan(0.9);
      expect(Math.abs(tilt)).toBeLessThan(0.7);
      expect(Math.abs(midline)).toBeLessThan(0.5);
    }
  });

  it("has its line found next to a metal crown, an implant and lost teeth, too", async () => {
    const one = makeHead("four");
    const line = pointsOf((await measured(pictureOf(createPanoramaPixels(one)))).observations, "PAN_OCCLUSAL_LINE");
    const right = line.filter(([x, y]) => Math.abs(y - biteRow(one, x)) < 0.025 * rows);
    expect(right.length / line.length).toBeGreaterThan(0.9);
  });

  it("that is turned, mirrored, moved or brightened is measured anew, and by as much", async () => {
    const before = await measured(drawn);
    for (const turn of isFull ? [-6, -3, 3, 6] : [-6]) {
      const after = await measured(changed(drawn, { turn }));
      expect(Math.abs(after.tilt - before.tilt - turn)).toBeLessThan(1);
    }
    const moved = await measured(changed(drawn, { shift: 0.04 }));
    expect(Math.abs(moved.midline - before.midline - 4)).toBeLessThan(1);
    const mirrored = await measured(changed(drawn, { mirror: true, turn: 3 }));
    expect(Math.abs(mirrored.tilt + before.tilt - 3)).toBeLessThan(1);
    expect(opaqueIn(mirrored.observations)).toEqual(opaqueIn(before.observations).map(swapped).toSorted(byNumber));
    const bright = await measured(changed(drawn, { gain: 0.6, add: 900 }));
    expect(Math.abs(bright.tilt - before.tilt)).toBeLessThan(0.2);
    expect(Math.abs(bright.midline - before.midline)).toBeLessThan(0.2);
  });

  it("shows dense material where the phantom's crowns and fillings are, and none in sound teeth", async () => {
    const { observations } = await measured(drawn);
    const dense = head.teeth
      .filter(({ state }) => ["crowned", "filled"].includes(state))
      .map(({ fdi }) => sextantOf(fdi));
    expect(dense).toEqual(expect.arrayContaining(opaqueIn(observations)));
    expect(opaqueIn(observations).length).toBeGreaterThan(1);
    if (!isFull) return;
    const sound = { ...head, implants: [], teeth: head.teeth.map((tooth) => ({ ...tooth, state: "sound" as const })) };
    expect(opaqueIn((await measured(pictureOf(createPanoramaPixels(sound)))).observations)).toEqual([]);
  });
});

describe("a panorama of a patient who is badly positioned or is missing teeth", () => {
  const readingOf = async (seed: string, mostLost?: number) => {
    const drawn = createVariedPanorama(seed, mostLost);
    const { biteRow, midline, tilt, ...image } = drawn;
    const answer = await measured({ kind: "picture", shows: "panorama", spacing: null, ...image });
    const line = pointsOf(answer.observations, "PAN_OCCLUSAL_LINE").filter(([x]) => Number.isFinite(biteRow(x)));
    const right = line.filter(([x, y]) => Math.abs(y - biteRow(x)) < 0.025 * image.rows);
    return {
      columns: line.length,
      columnsRight: right.length,
      midlineOff: answer.midline - 100 * (midline[0] / image.columns - 0.5),
      tiltOff: answer.tilt - tilt,
    };
  };

  it("is measured between equal teeth of both sides, from the midline of the teeth", async () => {
    for (const seed of ["12", "15"]) {
      const { midlineOff, tiltOff } = await readingOf(seed);
      expect(Math.abs(midlineOff)).toBeLessThan(1);
      expect(Math.abs(tiltOff)).toBeLessThan(1);
    }
  });

  it("gets no midline where teeth, jaws, nose and chin tell different ones", async () => {
    expect(await readingOf("4", 14)).toMatchObject({ midlineOff: NaN, tiltOff: NaN });
  });

  it.runIf(isFull)(
    "has its line right where it is drawn, and no midline that is off by more than a lower incisor",
    { timeout: 3_600_000 },
    async () => {
      const all = [];
      for (let at = 1000; at < 1150; at++) all.push(await readingOf(String(at), at % 5 === 4 ? 14 : 6));
      const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);
      const [middles, tilts] = [all.map((one) => one.midlineOff), all.map((one) => one.tiltOff)].map((list) =>
        list.filter(Number.isFinite),
      );
      process.stdout.write(
        `${JSON.stringify({ midlines: middles.length, tilts: tilts.length, middleSd: spread(middles), tiltSd: spread(tilts) })}\n`,
      );
      expect(sum(all.map((one) => one.columnsRight)) / sum(all.map((one) => one.columns))).toBeGreaterThan(0.99);
      // Two drawn heads of the first hundred are off by a tooth (3.0 to 3.7 % of the width) with all cues agreeing.
      expect(Math.max(...middles.map(Math.abs))).toBeLessThan(4);
      expect(middles.filter((off) => Math.abs(off) > 3).length).toBeLessThanOrEqual(0.04 * middles.length);
      expect(spread(tilts)).toBeLessThan(0.7);
    },
  );
});

/** The figures that a set of real images has to reach, over random heads, each as it is drawn, turned and moved. */
describe.runIf(isFull)("random heads", () => {
  const heads = 150;
  it("have their lines, tilts and middles measured as real ones must be", { timeout: 3_600_000 }, async () => {
    const random = createRandom("panoramas");
    const lines: number[] = [];
    const [tilts, middles, turned, moved]: number[][] = [[], [], [], []];
    for (let at = 0; at < heads; at++) {
      const one = makeHead(`random ${at}`);
      const picture = pictureOf(createPanoramaPixels(one));
      const straight = await measured(picture);
      const line = pointsOf(straight.observations, "PAN_OCCLUSAL_LINE");
      if (line.length > 0)
        lines.push(line.filter(([x, y]) => Math.abs(y - biteRow(one, x)) < 0.025 * rows).length / line.length);
      const [turn, shift] = [random.between(-6, 6), random.between(-0.04, 0.04)];
      const aslant = await measured(changed(picture, { turn }));
      const aside = await measured(changed(picture, { shift }));
      const takes = (list: number[], value: number) => void (Number.isFinite(value) && list.push(value));
      takes(tilts, straight.tilt);
      takes(middles, straight.midline);
      takes(turned, aslant.tilt - turn);
      takes(moved, aside.midline - 100 * shift);
    }
    const share = (list: readonly number[], is: (value: number) => boolean): number =>
      list.filter(is).length / list.length;
    const said = {
      linesGiven: lines.length / heads,
      columnsRight: lines.reduce((sum, one) => sum + one, 0) / lines.length,
      least: Math.min(...lines),
      fourFifthsRight: share(lines, (one) => one >= 0.8),
      tiltSd: spread(tilts),
      turnedGiven: turned.length / heads,
      turnedSd: spread(turned),
      middleGiven: middles.length / heads,
      middleRight: share(middles, (one) => Math.abs(one) <= 1.5),
      movedGiven: moved.length / heads,
      movedRight: share(moved, (one) => Math.abs(one) <= 1.5),
    };
    process.stdout.write(`${JSON.stringify(said)}\n`);
    expect(said.columnsRight).toBeGreaterThanOrEqual(0.98);
    expect(said.fourFifthsRight).toBe(1);
    expect(Math.max(said.tiltSd, said.turnedSd)).toBeLessThanOrEqual(0.7);
    expect(Math.min(said.middleRight, said.movedRight)).toBeGreaterThanOrEqual(0.85);
    // An engine that abstains from everything would meet all the limits above.
    expect(Math.min(said.linesGiven, said.turnedGiven)).toBeGreaterThan(0.9);
  });
});

function spread(list: readonly number[]): number {
  const mean = list.reduce((sum, one) => sum + one, 0) / list.length;
  return Math.sqrt(list.reduce((sum, one) => sum + (one - mean) ** 2, 0) / list.length);
}

/** First teeth of the six parts. */
const sextantOf = (fdi: number): number => {
  const [quadrant, place] = [Math.floor(fdi / 10), fdi % 10];
  if (place <= 3) return quadrant <= 2 ? 13 : 43;
  return [18, 24, 34, 48][quadrant - 1];
};
const byNumber = (a: number, b: number): number => a - b;
const swapped = (first: number): number =>
  new Map([
    [18, 24],
    [24, 18],
    [48, 34],
    [34, 48],
  ]).get(first) ?? first;
const opaqueIn = (observations: readonly Pick<Observation, "code" | "target" | "value">[]): number[] =>
  observations
    .flatMap(({ code, target, value }) =>
      code === "PAN_RADIOPAQUE" && value === true && target.kind === "region" ? [target.from ?? 0] : [],
    )
    .toSorted(byNumber);

describe("an image that is not a panorama", () => {
  const noise = (grain: number): Float32Array => {
    let state = 7;
    const coarse = Float32Array.from({ length: columns * rows }, () => (state = (state * 48_271) % 2_147_483_647));
    return coarse.map(
      (_, at) => coarse[Math.floor(at / columns / grain) * columns + Math.floor((at % columns) / grain)] / 1e6,
    );
  };
  it.each([
    ["nothing", new Float32Array(columns * rows)],
    ["noise", noise(1)],
    ["coarse noise", noise(24)],
    ["stripes", Float32Array.from({ length: columns * rows }, (_, at) => 100 * Math.sin(at / columns / 40))],
    [
      "a round face with two ears and whiskers",
      Float32Array.from({ length: columns * rows }, (_, at) =>
        catAt((at % columns) / rows - 1, at / columns / rows - 0.5),
      ),
    ],
  ])("gets quality observations only: %s", async (_, samples) => {
    const { observations, abstentions } = await measured(pictureOf(samples));
    expect(observations.map(({ code }) => code).filter((code) => !code.startsWith("IQ_"))).toEqual([]);
    expect(abstentions.length).toBeGreaterThan(5);
  });
});

function catAt(x: number, y: number): number {
  const face = Math.hypot(x, y) < 0.35 ? 160 + 30 * Math.sin(40 * x) * Math.sin(33 * y) : 40;
  const ears = Math.abs(Math.abs(x) - 0.22) < 0.08 + (y + 0.3) / 2 && y > -0.45 && y < -0.2 ? 140 : 0;
  const eyes = Math.hypot(Math.abs(x) - 0.12, y + 0.06) < 0.04 ? -130 : 0;
  const whiskers = Math.abs(y - 0.1 - 0.2 * Math.abs(x)) < 0.006 && Math.abs(x) > 0.05 && Math.abs(x) < 0.4 ? 90 : 0;
  return Math.max(face, ears) + eyes + whiskers;
}
