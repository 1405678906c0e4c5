import { describe, expect, it } from "vitest";
import { createVariedCeph } from "@arcada/phantom/radiograph/varied-ceph";
import { createPanoramaPixels, panoramaSize } from "@arcada/phantom/radiograph/panorama";
import { makeHead } from "@arcada/phantom/anatomy/head";
import type { CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import { fitMeanHead } from "./fit-mean-head.ts";
import { landmarkErrors, meanHeadTrial } from "./measured-errors.ts";

describe("the mean head fitted to drawn cephalograms of unseen heads", () => {
  const fits = ["unit 1", "unit 2", "unit 3", "unit 4", "unit 5"].map((seed) => {
    const film = createVariedCeph(seed);
    return { film, fit: fitMeanHead(film) };
  });

  it("tells how far the film has to be turned and where the face looks, or abstains", () => {
    expect(fits.filter(({ fit }) => fit).length).toBeGreaterThanOrEqual(4);
    for (const { film, fit } of fits) if (fit) expect(fit).toMatchObject({ turns: film.turns, faces: film.faces });
  });

  it("places the landmarks that are suggested as exactly as the trial says", () => {
    const recognised = fits.filter(({ fit }) => fit);
    const errors = recognised.flatMap(({ film, fit }) =>
      (Object.keys(landmarkErrors) as CephLandmark[]).map((id) => {
        const [[x, y], [u, v]] = [film.landmarks[id], fit?.landmarks[id] ?? [NaN, NaN]];
        return Math.hypot(x - u, y - v) * film.mmOfPixel;
      }),
    );
    const sorted = errors.toSorted((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(1.4 * meanHeadTrial.drawn.median);
  });
});

describe("the mean head is not fitted", () => {
  it("to a panorama", () => {
    const data = Float32Array.from(createPanoramaPixels(makeHead("fit")));
    expect(fitMeanHead({ columns: panoramaSize.columns, rows: panoramaSize.rows, data })).toBeNull();
  });

  it("to noise", () => {
    let state = 7;
    const data = Float32Array.from({ length: 300 * 360 }, () => (state = (state * 48_271) % 2_147_483_647) % 4096);
    expect(fitMeanHead({ columns: 300, rows: 360, data })).toBeNull();
  });
});
