import type { Input } from "@arcada/contract/kernel/call";
import { presentationCalls } from "@arcada/contract/study/presentation-state.calls";
import type { DisplaySettings } from "@arcada/imaging/gl/raster-image";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { applyAffine, type Affine, type ImageView } from "@arcada/imaging/view/image-view";
import { ask } from "../../data/ask.ts";
import type { ScreenAnnotation } from "../annotations/layer/annotation-layer.tsx";
import { downloadBlob } from "./print-image.ts";
import { annotationKindOf } from "../annotations/annotation-kind-registry.ts";

interface DisplayedImage {
  studyId: string;
  instanceId: string;
  frame: number;
  view: ImageView;
  displaySettings: Pick<DisplaySettings, "window" | "inverted">;
  /** The scale and offset that turn stored values into grey values: value × scale + offset. */
  rescale: { valueScale: number; valueOffset: number };
  annotations: readonly ScreenAnnotation[];
  /** The transform from the screen to image points. */
  screenToImage: Affine;
}

/** Saves the display of an image as a DICOM presentation state. `ask` shows the errors. */
export async function savePresentationState(shown: DisplayedImage): Promise<void> {
  const response = await ask(presentationCalls.presentation, toPresentationRequest(shown)).catch(() => null);
  if (!response) return;
  const bytes = Uint8Array.from(atob(response.dicom), (character) => character.charCodeAt(0));
  downloadBlob(new Blob([bytes], { type: "application/dicom" }), response.name);
}

function toPresentationRequest({
  studyId,
  view,
  displaySettings,
  rescale,
  annotations,
  screenToImage,
  ...reference
}: DisplayedImage): Input<typeof presentationCalls.presentation> {
  const { center, width, shape } = displaySettings.window;
  const toImagePoint = (at: Point2D): [number, number] => [...applyAffine(screenToImage, at)];
  return {
    id: studyId,
    instanceId: reference.instanceId,
    frame: reference.frame,
    window: {
      center: center * rescale.valueScale + rescale.valueOffset,
      width: width * rescale.valueScale,
      ...(shape && { shape }),
    },
    inverted: displaySettings.inverted,
    turns: view.turns,
    mirrored: view.mirrored,
    graphics: annotations.map(({ tool, points, lines, label }) => ({
      lines: (lines ?? annotationKindOf(tool).lines?.(points) ?? [points]).map((line) => line.map(toImagePoint)),
      label,
      at: toImagePoint(points[annotationKindOf(tool).labelPointIndex ?? points.length - 1] ?? points[0] ?? [0, 0]),
    })),
  };
}
