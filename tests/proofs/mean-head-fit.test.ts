import { cephLandmarks, type CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import { fitMeanHead } from "@arcada/analysis/head-fit/fit-mean-head";
import { landmarkErrors, meanHeadTrial } from "@arcada/analysis/head-fit/measured-errors";
import { createVariedCeph } from "@arcada/phantom/radiograph/varied-ceph";
import { beforeAll, describe, expect, it } from "vitest";

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;

describe("the trial of the mean head on drawn radiographs that it was not tuned on", () => {
  const errors = new Map<CephLandmark, number[]>(cephLandmarks.map((id) => [id, []]));
  let [recognised, wrong] = [0, 0];
  const { drawn } = meanHeadTrial;

  beforeAll(() => {
    for (let film = 0; film < drawn.films; film++) {
      const radiograph = createVariedCeph(`held${film}`);
      const fit = fitMeanHead(radiograph);
      if (!fit) continue;
      recognised++;
      if (fit.turns !== radiograph.turns || fit.faces !== radiograph.faces) wrong++;
      for (const id of cephLandmarks) {
        const [[x, y], [u, v]] = [radiograph.landmarks[id] ?? [NaN, NaN], fit.landmarks[id] ?? [NaN, NaN]];
        errors.get(id)?.push(Math.hypot(x - u, y - v) * radiograph.mmOfPixel);
      }
    }
  }, 900_000);

  it("recognises as many heads as stated, and none of them the wrong way round", () => {
    expect({ recognised, wrong }).toEqual({ recognised: drawn.recognised, wrong: drawn.wrongOrientation });
  });

  it("has the stated errors", () => {
    const all = [...errors.values()].flat();
    expect(quantile(all, 0.5)).toBeCloseTo(drawn.median, 1);
    expect(quantile(all, 0.9)).toBeCloseTo(drawn.p90, 1);
  });

  it("lists exactly the landmarks that were not more than 5 mm off", () => {
    for (const [id, values] of errors) {
      const median = quantile(values, 0.5);
      if (median > 5) expect(landmarkErrors[id], id).toBeUndefined();
      else expect(Math.abs((landmarkErrors[id] ?? NaN) - median), id).toBeLessThan(0.06);
    }
  });
});
