import { describe, expect, it } from "vitest";
import { createFrontalHead } from "./frontal-head.ts";
import { meanLandmarks, skullLandmarkNames } from "./mean-skull-landmarks.ts";
import { createTrainingCephalogram } from "./training-cephalogram.ts";
import { createPointWarp } from "./warp-by-points.ts";

const first = createTrainingCephalogram("test 0");
const films = [first, ...Array.from({ length: 7 }, (_, at) => createTrainingCephalogram(`test ${at + 1}`))];

describe("a drawn cephalogram for training", () => {
  it("is the same for the same seed, and another one for another seed or another kind of machine", () => {
    const again = createTrainingCephalogram("test 0");
    expect(Buffer.from(again.pixels).equals(Buffer.from(first.pixels))).toBe(true);
    expect(again.landmarks).toEqual(first.landmarks);
    expect(films[1]?.landmarks).not.toEqual(first.landmarks);
    expect(createTrainingCephalogram("test 0", "heldBack").landmarks).not.toEqual(first.landmarks);
  });

  it("shows most of its landmarks, the face on the side that it names and the chin below", () => {
    for (const { landmarks, columns, rows, faces } of films) {
      const points = skullLandmarkNames.map((name) => landmarks[name]);
      const inside = points.filter(([x, y]) => x >= 0 && y >= 0 && x < columns && y < rows);
      expect(inside.length).toBeGreaterThan(skullLandmarkNames.length / 2);
      const { S, Prn, N, A, Me } = landmarks;
      expect(Math.sign(Prn[0] - S[0])).toBe(faces === "right" ? 1 : -1);
      expect(N[1] < A[1] && A[1] < Me[1]).toBe(true);
    }
  });

  it("has the length of a head's base in mm", () => {
    for (const { landmarks, mmOfPixel } of films) {
      const mm = Math.hypot(landmarks.N[0] - landmarks.S[0], landmarks.N[1] - landmarks.S[1]) * mmOfPixel;
      expect(mm).toBeGreaterThan(45);
      expect(mm).toBeLessThan(90);
    }
  });

  it("is brighter in the head than before the face", () => {
    const brighter = films.filter(({ pixels, landmarks, columns, rows, faces }) => {
      const read = (x: number, y: number): number =>
        pixels[
          Math.min(rows - 1, Math.max(0, Math.round(y))) * columns + Math.min(columns - 1, Math.max(0, Math.round(x)))
        ] ?? 0;
      const { S, U6, Prn } = landmarks;
      const before = read(Prn[0] + (faces === "right" ? 6 : -6), Prn[1]);
      return (read(...S) + read(...U6)) / 2 > before;
    });
    expect(brighter.length).toBeGreaterThan(films.length - 2);
  });
});

it("a warp brings its points onto their targets and keeps the space between in order", () => {
  const pairs = [meanLandmarks.S, meanLandmarks.N, meanLandmarks.Me, meanLandmarks.Go].map(
    ([x, y], at) => ({ from: [x, y], to: [x + at, y - 2 * at] }) as const,
  );
  const warp = createPointWarp(
    pairs.map(({ from }) => from),
    pairs.map(({ to }) => to),
  );
  for (const { from, to } of pairs) expect(warp(from)).toEqual(to.map((value) => expect.closeTo(value, 6)));
  expect(warp([30, -50])[0]).toBeGreaterThan(warp([10, -50])[0]);
});

it("a head from the front is the same for the same seed, and not blank", () => {
  const [one, same, other] = ["a", "a", "b"].map((seed) => createFrontalHead(seed));
  expect(Buffer.from(one.pixels).equals(Buffer.from(same.pixels))).toBe(true);
  expect(Buffer.from(one.pixels).equals(Buffer.from(other.pixels))).toBe(false);
  expect(new Set(one.pixels).size).toBeGreaterThan(30);
});
