import { annotation } from "@arcada/contract/study/annotation";
import { expect, it } from "vitest";
import { defaultScene, serializeScene, parseScene, type Scene } from "./rendering-scene.ts";

const values = { valueScale: 2, valueOffset: -1000 };
const toAnnotation = (scene: Scene) =>
  annotation.parse({
    id: "a",
    tool: "scene",
    instanceId: null,
    plane: "volume",
    text: null,
    ...serializeScene(scene, values),
  });

it("restores a saved scene, with a named view or one rotated by hand", () => {
  const clipped: Scene = {
    choice: { preset: "teeth", threshold: 1500, opacity: 0.4 },
    view: "left",
    camera: null,
    box: { low: [0, 0.2, 0], high: [1, 1, 0.7] },
    cut: { plane: "coronal", isFlipped: true },
  };
  const [right, up, eye] = [
    [0.6, 0.8, 0],
    [0, 0, 1],
    [0.8, -0.6, 0],
  ] as const;
  const turned: Scene = {
    ...clipped,
    view: null,
    camera: { target: [1, -2, 30], right, up, eye, scale: 3.5, hasPerspective: true },
    cut: null,
  };
  for (const scene of [defaultScene, clipped, turned]) expect(parseScene(toAnnotation(scene), values)).toEqual(scene);
  expect(toAnnotation(clipped).settings).toMatchObject({ threshold: 2000 });
});

it("starts with the defaults if the stored values are invalid", () => {
  const nonsense = { preset: "fog", view: "inside", lowX: "x", cut: 3, threshold: true };
  expect(parseScene({ points: [[1, 2, 3]], settings: nonsense }, values)).toEqual(defaultScene);
});
