import { expect, it } from "vitest";
import { createRuledCeph } from "@arcada/phantom/radiograph/ruled-ceph";
import { possibleScales } from "./ceph-scale.ts";
import { findRuler } from "./find-ruler.ts";

/** The quick run uses small images only: a large one takes seconds. */
const isFull = process.env["ARCADA_PROOF"] === "full";
const limit = isFull ? 3_600_000 : 300_000;

/** Returns the error of each reading of a generated cephalogram, as a share. */
function errorsOf(seed: string, hasRuler: boolean): number[] {
  const film = createRuledCeph(seed, hasRuler);
  const ruler = findRuler(film);
  const scales = ruler ? possibleScales(ruler, { ...film, spacing: null }) : [];
  return scales.map(({ scale }) => (film.ruler ? Math.abs(scale / film.ruler.mmOfPixel - 1) : Infinity));
}

const seeds = (set: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${set} ${at}`);

it(
  "a ruler of any manufacturer gives its scale, or all its readings, or none, and never a wrong one",
  { timeout: limit },
  () => {
    const films = isFull ? seeds("unseen", 160) : ["small 1", "small 5", "small 18", "small 21"];
    const said = films.map((seed) => errorsOf(seed, true)).filter((errors) => errors.length > 0);
    expect(said.filter((errors) => Math.min(...errors) > 0.01)).toEqual([]);
    expect(said.length).toBeGreaterThan(0.85 * films.length);
  },
);

it("a cephalogram without a ruler gives no scale, whatever objects are next to the head", { timeout: limit }, () => {
  const films = isFull ? seeds("unseenNone", 60) : ["small without 9", "small without 27"];
  expect(films.flatMap((seed) => errorsOf(seed, false))).toEqual([]);
});
