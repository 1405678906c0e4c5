import { useMemo, useRef, useState } from "react";
import type { Instance, Series } from "@arcada/contract/study/study.schema";
import { useClientSize } from "../ui/viewport/use-client-size.ts";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { applyAffine, invertAffine, computeViewMatrix } from "@arcada/imaging/view/image-view";
import type { AnnotationStore } from "../annotations/store/use-annotations.ts";
import { useFinishDraftOnToolChange } from "../annotations/drawing/use-finish-draft-on-tool-change.ts";
import { ToolPrompt } from "../annotations/drawing/tool-prompt.tsx";
import { useCombinedUndo } from "../annotations/store/use-combined-undo.ts";
import type { LoadedImage } from "./loading/load-image.ts";
import { hasPresentationGraphics, useOverlayToggle } from "./layers/overlay-layer.tsx";
import { ViewportLayers } from "./layers/viewport-layers.tsx";
import { useImageExportTools } from "./use-image-export-tools.ts";
import { ImageAnnotationList } from "./annotations/image-annotation-list.tsx";
import styles from "./image-viewport.module.css";
import { FilmTurnBanner } from "./film-turn-banner.tsx";
import { ImageReadout } from "./image-readout.tsx";
import type { ImageTool } from "./image-modes.tsx";
import { ImageTools } from "./image-tools.tsx";
import { useBlurredImage } from "./rendering/use-blurred-image.ts";
import { useLens } from "./use-lens.ts";
import { useImageRendering } from "./rendering/use-image-rendering.ts";
import { useToolShortcuts } from "./use-tool-by-enter-key.ts";
import { useImagePointerHandler } from "./use-image-pointer-handler.ts";
import { useImageAnnotations } from "./annotations/use-image-annotations.ts";
import { useImageView, type ImageViewStore, type ImageInitialState } from "./use-image-view.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useShortcuts } from "../ui/input/shortcuts.ts";

interface Props {
  series: Series;
  instance: Instance;
  loaded: LoadedImage;
  annotations: AnnotationStore;
  frame: number;
  onFrame: (frame: number) => void;
  viewStore: ImageViewStore;
  /** Opens the tracing of a cephalogram; null for other images. */
  openCeph: (() => void) | null;
  /** The patient of an intra-oral radiograph whose analyses this user may read; null for other images. */
  filmPatientId: string | null;
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
  openCeph,
  filmPatientId,
}: Props) {
  const { image } = loaded;
  const { id: instanceId, picture: file } = instance;
  const viewportRef = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const viewport = useClientSize(viewportRef);
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
  const shownState = { viewportRef, instance, frame, image, annotations, drawing, view, displaySettings, viewport };
  const exportTools = useImageExportTools(shownState);
  const zoomBox = useImagePointerHandler(viewportRef, { ...inputOptions, onPoint: setPointed });
  return (
    <>
      <ImageTools
        {...{ tool, controls, loaded, annotations, drawing, file, overlay, lens: lensControls, isListOpen }}
        onTool={setTool}
        onList={() => setListOpen(!isListOpen)}
        exportTools={exportTools}
        openCeph={openCeph}
      />
      {filmPatientId && <FilmTurnBanner patientId={filmPatientId} {...{ instanceId, controls }} />}
      <div className={styles.room}>
        <div ref={viewportRef} className={`${styles.pane} ${styles[tool] ?? styles.drawn ?? ""}`}>
          <div ref={host} className={styles.host} />
          {matrix && viewport && (
            <ViewportLayers
              {...{ loaded, file, frame, matrix, viewport, overlay, drawing, toImagePoint, lens, zoomBox }}
            />
          )}
          <ToolPrompt tool={tool} draft={drawing.draft} />
          <ImageReadout {...{ series, file, image, view, displaySettings, pointed, annotations, drawing }} />
          {file && file.frames.length > 1 && <FrameSlider count={file.frames.length} {...{ frame, onFrame }} />}
        </div>
        {isListOpen && <ImageAnnotationList {...{ annotations, drawing, controls, matrix, viewport }} />}
      </div>
    </>
  );
}

interface FrameSliderProps {
  count: number;
  frame: number;
  onFrame: (frame: number) => void;
}

/** Steps through the frames of an image. */
function FrameSlider({ count, frame, onFrame }: FrameSliderProps) {
  const t = useTexts("viewer");
  const positionText = t("viewer.sliceText", { slice: frame + 1, count });
  useShortcuts({
    PageUp: () => onFrame(Math.max(0, frame - 1)),
    PageDown: () => onFrame(Math.min(count - 1, frame + 1)),
  });
  return (
    <label className={styles.frames}>
      <span className={styles.frame}>{positionText}</span>
      <input
        data-holds-press
        type="range"
        min={0}
        max={count - 1}
        value={frame}
        aria-label={t("viewer.frame")}
        aria-valuetext={positionText}
        onChange={(event) => onFrame(Number(event.currentTarget.value))}
      />
    </label>
  );
}

/** The initial state from the file and its presentation state. */
function readInitialState({ picture: file }: Instance, { window }: LoadedImage): ImageInitialState {
  const { turns = 0, mirrored = false, area = null } = file?.presentation?.drawn ?? {};
  return { turns, mirrored, area, displaySettings: { window, inverted: file?.inverted ?? false } };
}
