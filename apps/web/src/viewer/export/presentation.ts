import type { Input } from "@arcada/contract/kernel/call";
import { presentationCalls } from "@arcada/contract/study/presentation.calls";
import type { Look } from "@arcada/imaging/gl/picture";
import type { Spot } from "@arcada/imaging/view/measure";
import { applied, type Affine, type PictureView } from "@arcada/imaging/view/picture-view";
import { ask } from "../../kernel/ask.ts";
import { kindOf } from "../marks/kind.ts";
import type { ShownMark } from "../marks/marks-layer.tsx";
import { saveAs } from "./print.ts";

interface ShownPicture {
  studyId: string;
  instanceId: string;
  frame: number;
  view: PictureView;
  look: Pick<Look, "window" | "inverted">;
  /** The scale and offset that turn stored values into grey values: value × scale + offset. */
  scaled: { valueScale: number; valueOffset: number };
  marks: readonly ShownMark[];
  /** The transform from the screen to image points. */
  toImage: Affine;
}

/** Saves the display of an image as a DICOM presentation state. `ask` shows the errors. */
export async function savePresentation(shown: ShownPicture): Promise<void> {
  const answer = await ask(presentationCalls.presentation, wishOf(shown)).catch(() => null);
  if (!answer) return;
  const bytes = Uint8Array.from(atob(answer.dicom), (letter) => letter.charCodeAt(0));
  saveAs(new Blob([bytes], { type: "application/dicom" }), answer.name);
}

function wishOf({
  studyId,
  view,
  look,
  scaled,
  marks,
  toImage,
  ...named
}: ShownPicture): Input<typeof presentationCalls.presentation> {
  const { center, width, shape } = look.window;
  const image = (at: Spot): [number, number] => [...applied(toImage, at)];
  return {
    id: studyId,
    instanceId: named.instanceId,
    frame: named.frame,
    window: {
      center: center * scaled.valueScale + scaled.valueOffset,
      width: width * scaled.valueScale,
      ...(shape && { shape }),
    },
    inverted: look.inverted,
    turns: view.turns,
    mirrored: view.mirrored,
    graphics: marks.map(({ tool, points, lines, label }) => ({
      lines: (lines ?? kindOf(tool).lines?.(points) ?? [points]).map((line) => line.map(image)),
      label,
      at: image(points[kindOf(tool).labelAt ?? points.length - 1] ?? points[0] ?? [0, 0]),
    })),
  };
}
