import type { PackManifest } from "@arcada/contract/analysis/pack";
import { EngineFault, type EnginePicture, type Seen } from "../engine.ts";
import { confidenceOf, within, withoutCovered, type Box } from "./scores.ts";
import { outputOf, type Outputs } from "./tensor.ts";

interface Found {
  box: Box;
  score: number;
  kind: number;
}

/**
 * `boxes@1`: `boxes` `[n][4]` (left, top, right, bottom in pixels of the model's input) with `scores`, either
 * `[n][class]` or `[n]` with `classes` `[n]`. Boxes of one class that overlap each other are merged into one.
 */
export function boxes(outputs: Outputs, manifest: PackManifest, picture: EnginePicture): Seen[] {
  const { threshold, nms, classes } = manifest.post;
  const found = candidates(outputs, manifest).filter(({ score }) => score >= threshold);
  return classes.flatMap((own, kind) =>
    withoutCovered(
      found.flatMap((one) => {
        const box =
          one.kind === kind ? within(scaled(one.box, manifest.input, picture), picture.columns, picture.rows) : null;
        return box ? [{ box, score: one.score }] : [];
      }),
      nms,
    ).map(({ box, score }): Seen => ({
      code: own.code,
      target: own.fdi === null ? { kind: "image" } : { kind: "tooth", fdi: own.fdi },
      value: true,
      unit: null,
      geometry: { kind: "box", ...box },
      confidence: confidenceOf(score, manifest),
      method: manifest.task,
    })),
  );
}

const mostCandidates = 100_000;

function candidates(outputs: Outputs, { outputs: names, post }: PackManifest): Found[] {
  const { dims, data } = outputOf(outputs, names.boxes, [null, 4], "any");
  const [count] = dims;
  if (count > mostCandidates) throw new EngineFault("tooMany", `${count} boxes`);
  const boxAt = (at: number): Box => ({
    left: data[4 * at],
    top: data[4 * at + 1],
    right: data[4 * at + 2],
    bottom: data[4 * at + 3],
  });
  if (names.classes) {
    const scores = outputOf(outputs, names.scores, [count], "unit").data;
    const kinds = outputOf(outputs, names.classes, [count], "any").data;
    return Array.from(scores, (score, at) => ({ box: boxAt(at), score, kind: kindAt(kinds[at], post.classes.length) }));
  }
  const wide = post.classes.length;
  const scores = outputOf(outputs, names.scores, [count, wide], "unit").data;
  return Array.from(scores, (score, at) => ({ box: boxAt(Math.floor(at / wide)), score, kind: at % wide }));
}

function kindAt(kind: number, count: number): number {
  if (!Number.isInteger(kind) || kind < 0 || kind >= count) throw new EngineFault("codeUndeclared", `class ${kind}`);
  return kind;
}

const scaled = (box: Box, { w, h }: PackManifest["input"], { columns, rows }: EnginePicture): Box => ({
  left: (box.left * columns) / w,
  right: (box.right * columns) / w,
  top: (box.top * rows) / h,
  bottom: (box.bottom * rows) / h,
});
