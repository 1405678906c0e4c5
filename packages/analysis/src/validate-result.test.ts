import { describe, expect, it } from "vitest";
import { encodeRuns } from "@arcada/imaging/jaws/jaw-body";
import type { EngineResult, EngineImage, EngineVolume, NewObservation } from "./engine.ts";
import { validateResult } from "./validate-result.ts";
import { measurementInfo } from "./measure/measurement-engine-info.ts";

const picture: EngineImage = {
  kind: "picture",
  shows: "panorama",
  columns: 100,
  rows: 50,
  samples: new Float32Array(5000),
  spacing: null,
};
const tilt: NewObservation = {
  code: "PAN_TILT",
  target: { kind: "image" },
  value: 1.5,
  unit: "°",
  geometry: {
    kind: "line",
    points: [
      [0, 20],
      [100, 30],
    ],
  },
  confidence: { basis: "none" },
  method: "test@1",
};
const answer = (...observations: object[]): EngineResult => ({
  observations: observations as NewObservation[],
  abstentions: [],
  artefacts: [],
});

describe("the gate behind every engine", () => {
  it("accepts declared codes with finite numbers inside the image", () => {
    expect(validateResult(answer(tilt), measurementInfo, picture).observations).toEqual([tilt]);
  });

  it.each([
    ["a code that the engine did not declare", answer(tilt, { ...tilt, code: "FINDING_caries" }), "codeUndeclared"],
    [
      "an artefact of such a code",
      { ...answer(tilt), artefacts: [{ code: "X", columns: 0, rows: 0, samples: new Uint16Array(), spacing: null }] },
      "codeUndeclared",
    ],
    ["NaN", answer(tilt, { ...tilt, value: NaN }), "notANumber"],
    ["infinity in a geometry", answer({ ...tilt, geometry: { kind: "point", at: [3, Infinity] } }), "notANumber"],
    ["a place outside the picture", answer({ ...tilt, geometry: { kind: "point", at: [3, 52] } }), "outsidePicture"],
    [
      "a box turned inside out",
      answer({ ...tilt, geometry: { kind: "box", left: 9, right: 2, top: 0, bottom: 4 } }),
      "outsidePicture",
    ],
    ["a tooth that nobody has", answer({ ...tilt, target: { kind: "tooth", fdi: 19 } }), "wrongShape"],
    ["a share above all", answer({ ...tilt, confidence: { basis: "score", value: 1.2 } }), "wrongShape"],
    ["more than a picture can hold", answer(...Array.from({ length: 2001 }, () => tilt)), "tooMany"],
    ["lists that are missing", {} as EngineResult, "wrongShape"],
  ])("refuses the whole of an answer with %s", (_, given, fault) => {
    expect(() => validateResult(given, measurementInfo, picture)).toThrow(expect.objectContaining({ fault }));
  });
});

describe("a tube through a volume", () => {
  const volume: EngineVolume = {
    kind: "volume",
    geometry: {
      columns: 10,
      rows: 10,
      slices: 10,
      spacing: [1, 1, 1],
      origin: [0, 0, 0],
      direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    },
    values: new Int16Array(1000),
  };
  const tube = (more: object): NewObservation =>
    ({
      ...tilt,
      code: "CBCT_CANAL",
      geometry: {
        kind: "tube",
        points: [
          [1, 1, 1],
          [8, 8, 8],
        ],
        radii: [1, 1],
        hidden: [0],
        doubtful: [],
        ...more,
      },
    }) as NewObservation;

  it("is accepted inside the volume", () => {
    expect(validateResult(answer(tube({})), measurementInfo, volume).observations).toHaveLength(1);
  });

  it.each([
    [
      "that leaves the volume",
      {
        points: [
          [1, 1, 1],
          [8, 8, 12],
        ],
      },
      volume,
    ],
    ["with a radius for one of its points alone", { radii: [1, 1, 1] }, volume],
    ["with a stretch behind its last point", { hidden: [1] }, volume],
    ["in a picture", {}, picture],
  ] as const)("is refused %s", (_, more, input) => {
    expect(() => validateResult(answer(tube(more)), measurementInfo, input)).toThrow(
      expect.objectContaining({ fault: "outsidePicture" }),
    );
  });
});

describe("a solid in a volume", () => {
  const input: EngineVolume = {
    kind: "volume",
    geometry: {
      columns: 10,
      rows: 10,
      slices: 10,
      spacing: [1, 1, 1],
      origin: [0, 0, 0],
      direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    },
    values: new Int16Array(1000),
  };
  const solid = {
    kind: "solid",
    size: [2, 2, 2],
    origin: [1, 1, 1],
    spacing: [1, 1, 1],
    direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    runs: encodeRuns(Uint8Array.of(0, 1, 1, 0, 0, 0, 1, 1)),
  };
  const jaw = (more: object): NewObservation =>
    ({ ...tilt, code: "CBCT_JAW", geometry: { ...solid, ...more } }) as NewObservation;

  it("is accepted where its grid lies in the volume", () => {
    expect(validateResult(answer(jaw({})), measurementInfo, input).observations).toEqual([jaw({})]);
  });

  it.each([
    ["a grid that leaves the volume", { origin: [1, 1, 9.8] }, "outsidePicture"],
    ["fewer voxels than its grid", { runs: encodeRuns(new Uint8Array(7)) }, "outsidePicture"],
    ["more voxels than its grid", { runs: encodeRuns(new Uint8Array(9)) }, "outsidePicture"],
    ["a grid larger than any jaw", { size: [401, 2, 2] }, "wrongShape"],
  ])("is refused with %s", (_, more, fault) => {
    expect(() => validateResult(answer(jaw(more)), measurementInfo, input)).toThrow(expect.objectContaining({ fault }));
  });
});
