import { useMemo, useRef, useState } from "react";
import type { Instance, Series } from "@arcada/contract/study/study.calls";
import { useSize } from "../frame/use-size.ts";
import type { Point2D } from "@arcada/imaging/view/measure";
import { applyAffine, invertAffine, computeViewMatrix } from "@arcada/imaging/view/picture-view";
import type { AnnotationStore } from "../marks/use-marks.ts";
import { useFinishDraftOnToolChange } from "../marks/use-other-tool.ts";
import { useCombinedUndo } from "../marks/use-steps.ts";
import type { LoadedImage } from "./load-picture.ts";
import { FrameSlider } from "./frame-slider.tsx";
import { hasPresentationGraphics, useOverlayToggle } from "./overlay-layer.tsx";
import { ViewportLayers } from "./pane-layers.tsx";
import { ImageExport } from "./picture-export.tsx";
import { ImageAnnotationList } from "./picture-mark-list.tsx";
import styles from "./picture-pane.module.css";
import { ImageReadout } from "./picture-readout.tsx";
import { ImageTools, type ImageTool } from "./picture-tools.tsx";
import { useBlurredImage } from "./use-blurred.ts";
import { useLens } from "./use-lens.ts";
import { useImageRendering } from "./use-painting.ts";
import { useToolShortcuts } from "./use-pane-keys.ts";
import { useImagePointerHandler } from "./use-picture-hand.ts";
import { useImageAnnotations } from "./use-picture-marks.ts";
import { useImageView, type ImageViewStore, type ImageInitialState } from "./use-picture-view.ts";

interface Props {
  series: Series;
  instance: Instance;
  loaded: LoadedImage;
  annotations: AnnotationStore;
  frame: number;
  onFrame: (frame: number) => void;
  viewStore: ImageViewStore;
}

/** A loaded image: toolbar, canvas, annotations over it and beside it, and the values under the pointer. */
export function ImageViewport({
  series,
  instance,
  loaded,
  annotations: savedAnnotations,
  frame,
  onFrame,
  viewStore,
}: Props) {
  const { image } = loaded;
  const { id: instanceId, picture: file } = instance;
  const viewportRef = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const viewport = useSize(viewportRef);
  const [tool, setTool] = useState<ImageTool>("window");
  const [pointed, setPointed] = useState<Point2D | null>(null);
  const [isListOpen, setListOpen] = useState(false);
  const controls = useImageView(image, viewport, readInitialState(instance, loaded), { viewStore, id: instanceId });
  const { view, displaySettings } = controls;
  const annotations = useCombinedUndo(savedAnnotations, controls.undoable, controls.restoreUndoable);
  const lensControls = useLens(viewport);
  const lens = tool === "lens" ? lensControls.lens : null;
  const overlay = useOverlayToggle(loaded.overlay !== null || hasPresentationGraphics(file?.presentation?.drawn));
  const shown = useMemo(
    () => view && viewport && { view, displaySettings, viewport, lens },
    [view, displaySettings, viewport, lens],
  );
  useImageRendering(host, image, shown, useBlurredImage(image, (displaySettings.sharpen ?? 0) > 0));

  const matrix = view && viewport && computeViewMatrix(view, image, viewport);
  const inverse = matrix && invertAffine(matrix);
  const toImagePoint = (at: Point2D): Point2D => (inverse ? applyAffine(inverse, at) : at);
  const values = useMemo(() => ({ image, file }), [image, file]);
  const drawing = useImageAnnotations(annotations, { instanceId, frame }, matrix, image.spacing, values);
  useFinishDraftOnToolChange(drawing, tool);
  const range = file ? file.max - file.min : 256;
  const inputOptions = { tool, controls, drawing, lens: lensControls, viewport, toImagePoint, range, instanceId };
  useToolShortcuts(inputOptions);
  const zoomBox = useImagePointerHandler(viewportRef, { ...inputOptions, onPoint: setPointed });
  return (
    <>
      <ImageTools
        {...{ tool, controls, loaded, annotations, drawing, file, overlay, lens: lensControls, isListOpen }}
        onTool={setTool}
        onList={() => setListOpen(!isListOpen)}
        exportMenu={
          <ImageExport
            {...{ viewportRef, instance, frame, image, annotations, drawing, view, displaySettings, viewport }}
          />
        }
      />
      <div className={styles.room}>
        <div ref={viewportRef} className={`${styles.pane} ${styles[tool] ?? styles.drawn ?? ""}`}>
          <div ref={host} className={styles.host} />
          {matrix && viewport && (
            <ViewportLayers
              {...{ loaded, file, frame, matrix, viewport, overlay, drawing, toImagePoint, lens, zoomBox }}
            />
          )}
          <ImageReadout {...{ series, file, image, view, displaySettings, pointed, annotations, drawing }} />
          {file && file.frames.length > 1 && <FrameSlider count={file.frames.length} {...{ frame, onFrame }} />}
        </div>
        {isListOpen && <ImageAnnotationList {...{ annotations, drawing, controls, matrix, viewport }} />}
      </div>
    </>
  );
}

/** The initial state from the file and its presentation state. */
function readInitialState({ picture: file }: Instance, { window }: LoadedImage): ImageInitialState {
  const { turns = 0, mirrored = false, area = null } = file?.presentation?.drawn ?? {};
  return { turns, mirrored, area, displaySettings: { window, inverted: file?.inverted ?? false } };
}
