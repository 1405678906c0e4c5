import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { packManifest, type PackManifest } from "@arcada/contract/analysis/engine-pack";
import { filmCodes } from "@arcada/contract/analysis/observation";
import type { EngineImage } from "../engine.ts";
import { decodeOutputs } from "./analyse-with-model.ts";
import type { Outputs } from "./model-tensors.ts";

interface DrawnTooth {
  box: [number, number, number, number];
  strength: number;
  kind: number;
  conditions: [number, number];
}
interface FilmCase {
  name: string;
  teeth: DrawnTooth[];
  view: number[];
  turned: number;
  sure: number;
  region: string;
  certain: number;
  found: { kind: string; box: number[]; findings: [number, number] }[];
}
/** Written by `training/film/film_cases.py`, with what the decoder of the training finds. */
const { cells, stride, cases } = JSON.parse(
  readFileSync(new URL("../../../../training/film/film-cases.json", import.meta.url), "utf8"),
) as { cells: number; stride: number; cases: FilmCase[] };
const kindCount = 8;

/** The same answer as `draw_answer` in Python draws: an ellipse of cells for each tooth. */
function drawAnswer({ teeth, view }: Pick<FilmCase, "teeth" | "view">): Outputs {
  const size = cells * cells;
  const classes = new Float32Array((1 + kindCount) * size).fill(1, 0, size);
  const conditions = new Float32Array(2 * size);
  const edges = new Float32Array(4 * size);
  const nearest = new Float64Array(size).fill(1);
  for (const tooth of teeth)
    for (let at = 0; at < size; at++) {
      const [left, top, right, bottom] = tooth.box;
      const [row, column] = [Math.floor(at / cells), at % cells];
      const [x, y] = [(column + 0.5) * stride, (row + 0.5) * stride];
      const far = ((2 * x - left - right) / (right - left)) ** 2 + ((2 * y - top - bottom) / (bottom - top)) ** 2;
      if (far >= nearest[at]) continue;
      nearest[at] = far;
      const chance = tooth.strength * (1 - 0.4 * far);
      for (let kind = 0; kind < kindCount; kind++) classes[(1 + kind) * size + at] = 0;
      classes[at] = 1 - chance;
      classes[(1 + tooth.kind) * size + at] = chance * 0.8;
      classes[(1 + ((tooth.kind + 1) % kindCount)) * size + at] = chance * 0.2;
      tooth.conditions.forEach((value, condition) => (conditions[condition * size + at] = value));
      const wobble = (((row * 7 + column * 3) % 5) - 2) * 0.8;
      [x - left, y - top, right - x, bottom - y].forEach((edge, side) => (edges[side * size + at] = edge + wobble));
    }
  return {
    classes: { dims: [1, 1 + kindCount, cells, cells], data: classes },
    conditions: { dims: [1, 2, cells, cells], data: conditions },
    edges: { dims: [1, 4, cells, cells], data: edges },
    view: { dims: [1, 12], data: Float32Array.from(view) },
  };
}

const manifestOf = (post: object = {}): PackManifest =>
  packManifest.parse({
    id: "test.film",
    version: "1.0.0",
    api: 1,
    task: "film-votes@1",
    modality: ["IO"],
    input: { name: "image", w: cells * stride, h: cells * stride, channels: ["gray-unit"], fit: "contain" },
    outputs: { classes: "classes", conditions: "conditions", edges: "edges", view: "view" },
    post: { leastVotes: 3, leastTeeth: 1, leastView: 0.9, notAssessed: ["FINDING_caries"], ...post },
    produces: [...filmCodes, "FINDING_caries"],
    sha256: "0".repeat(64),
    licence: "test",
    card: "card.json",
  });

/** An image of the size of the input: boxes need no scaling. */
const image: EngineImage = {
  kind: "picture",
  shows: "dentalFilm",
  columns: cells * stride,
  rows: cells * stride,
  samples: new Float32Array((cells * stride) ** 2),
  spacing: null,
};
const decode = (outputs: Outputs, post?: object) => decodeOutputs(outputs, manifestOf(post), image);
const [empty, upright, lying, uncertain] = cases as [FilmCase, FilmCase, FilmCase, FilmCase];

describe("film-votes@1", () => {
  it.each(cases.filter(({ found }) => found.length > 0))("finds the teeth that the training finds: $name", (drawn) => {
    const { observations } = decode(drawAnswer(drawn));
    const teeth = observations.filter(({ code }) => code === "FILM_TOOTH");
    const boxes = teeth.map(({ value, geometry }) => ({ value, geometry }));
    expect(boxes.map(({ value }) => String(value).toLowerCase())).toEqual(
      drawn.found.map(({ kind }) => kind.replace(" ", "").toLowerCase()),
    );
    boxes.forEach(({ geometry }, at) => {
      const box = geometry?.kind === "box" ? [geometry.left, geometry.top, geometry.right, geometry.bottom] : [];
      box.forEach((side, place) => {
        const expected = Math.min(cells * stride, Math.max(0, drawn.found[at]?.box[place] ?? Number.NaN));
        expect(Math.abs(side - expected)).toBeLessThan(0.1);
      });
    });
    for (const [place, code] of ["FILM_RESTORATION", "FILM_IMPLANT"].entries())
      expect(observations.filter((one) => one.code === code).length).toBe(
        drawn.found.filter(({ findings }) => (findings[place] ?? 0) >= 0.5).length,
      );
  });

  it("says by how many degrees clockwise a film is to be turned, and its region", () => {
    const answers = [upright, lying].map((drawn) =>
      decode(drawAnswer(drawn)).observations.flatMap(({ code, value }) =>
        code === "FILM_TURN" || code === "FILM_REGION" ? [[code, value]] : [],
      ),
    );
    expect(answers).toEqual(
      [upright, lying].map(({ turned, region }) => [
        ["FILM_TURN", ((4 - turned) % 4) * 90],
        ["FILM_REGION", region],
      ]),
    );
  });

  it("abstains from a turn that is too uncertain, and always from what nobody measured", () => {
    expect(decode(drawAnswer(uncertain)).abstentions.map(({ code, reason }) => [code, reason])).toEqual([
      ["FILM_TURN", "selfCheckFailed"],
      ["FINDING_caries", "notSupported"],
    ]);
  });

  it("names no tooth that is less certain than the pack demands, and says so", () => {
    const { observations, abstentions } = decode(drawAnswer(upright), { leastConfidence: 0.99 });
    expect(observations.some(({ code }) => code === "FILM_TOOTH")).toBe(false);
    expect(abstentions).toContainEqual(expect.objectContaining({ code: "FILM_TOOTH", reason: "selfCheckFailed" }));
  });

  it("abstains from an image without teeth", () => {
    const { observations, abstentions } = decode(drawAnswer(empty));
    expect(observations).toEqual([]);
    expect(abstentions[0]).toMatchObject({ code: "FILM_TOOTH", reason: "outOfRange" });
  });

  it("refuses more cells than it may compare, and a view of another length", () => {
    const wide = { dims: [1, 9, 65, 65], data: new Float32Array(9 * 65 * 65) };
    expect(() => decode({ ...drawAnswer(empty), classes: wide })).toThrow("65 × 65 cells");
    const view = { dims: [1, 8], data: new Float32Array(8) };
    expect(() => decode({ ...drawAnswer(upright), view })).toThrow("output view");
  });
});
