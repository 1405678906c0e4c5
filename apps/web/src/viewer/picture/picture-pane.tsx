import { useMemo, useRef, useState } from "react";
import type { Instance, Series } from "@arcada/contract/study/study.calls";
import { useSize } from "../frame/use-size.ts";
import type { Spot } from "@arcada/imaging/view/measure";
import { applied, inverted, viewMatrix } from "@arcada/imaging/view/picture-view";
import type { Marks } from "../marks/use-marks.ts";
import { useOtherTool } from "../marks/use-other-tool.ts";
import { useSteps } from "../marks/use-steps.ts";
import type { LoadedPicture } from "./load-picture.ts";
import { FrameSlider } from "./frame-slider.tsx";
import { hasDrawing, useOverlay } from "./overlay-layer.tsx";
import { PaneLayers } from "./pane-layers.tsx";
import { PictureExport } from "./picture-export.tsx";
import { PictureMarkList } from "./picture-mark-list.tsx";
import styles from "./picture-pane.module.css";
import { PictureReadout } from "./picture-readout.tsx";
import { PictureTools, type PictureTool } from "./picture-tools.tsx";
import { useBlurred } from "./use-blurred.ts";
import { useLens } from "./use-lens.ts";
import { usePainting } from "./use-painting.ts";
import { usePaneKeys } from "./use-pane-keys.ts";
import { usePictureHand } from "./use-picture-hand.ts";
import { usePictureMarks } from "./use-picture-marks.ts";
import { usePictureView, type PictureShelf, type PictureStart } from "./use-picture-view.ts";

interface Props {
  series: Series;
  instance: Instance;
  loaded: LoadedPicture;
  marks: Marks;
  frame: number;
  onFrame: (frame: number) => void;
  shelf: PictureShelf;
}

/** A loaded image: toolbar, canvas, annotations over it and beside it, and the values under the pointer. */
export function PicturePane({ series, instance, loaded, marks: kept, frame, onFrame, shelf }: Props) {
  const { picture } = loaded;
  const { id: instanceId, picture: file } = instance;
  const pane = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const viewport = useSize(pane);
  const [tool, setTool] = useState<PictureTool>("window");
  const [pointed, setPointed] = useState<Spot | null>(null);
  const [isListOpen, setListOpen] = useState(false);
  const controls = usePictureView(picture, viewport, startOf(instance, loaded), { shelf, id: instanceId });
  const { view, look } = controls;
  const marks = useSteps(kept, controls.looked, controls.showLooked);
  const lenses = useLens(viewport);
  const lens = tool === "lens" ? lenses.lens : null;
  const overlay = useOverlay(loaded.overlay !== null || hasDrawing(file?.presentation?.drawn));
  const shown = useMemo(() => view && viewport && { view, look, viewport, lens }, [view, look, viewport, lens]);
  usePainting(host, picture, shown, useBlurred(picture, (look.sharpen ?? 0) > 0));

  const matrix = view && viewport && viewMatrix(view, picture, viewport);
  const back = matrix && inverted(matrix);
  const imageSpot = (at: Spot): Spot => (back ? applied(back, at) : at);
  const values = useMemo(() => ({ picture, file }), [picture, file]);
  const drawing = usePictureMarks(marks, { instanceId, frame }, matrix, picture.spacing, values);
  useOtherTool(drawing, tool);
  const range = file ? file.max - file.min : 256;
  const hand = { tool, controls, drawing, lens: lenses, viewport, imageSpot, range, instanceId };
  usePaneKeys(hand);
  const box = usePictureHand(pane, { ...hand, onPoint: setPointed });
  return (
    <>
      <PictureTools
        {...{ tool, controls, loaded, marks, drawing, file, overlay, lens: lenses, isListOpen }}
        onTool={setTool}
        onList={() => setListOpen(!isListOpen)}
        exits={<PictureExport {...{ pane, instance, frame, picture, marks, drawing, view, look, viewport }} />}
      />
      <div className={styles.room}>
        <div ref={pane} className={`${styles.pane} ${styles[tool] ?? styles.drawn ?? ""}`}>
          <div ref={host} className={styles.host} />
          {matrix && viewport && (
            <PaneLayers {...{ loaded, file, frame, matrix, viewport, overlay, drawing, imageSpot, lens, box }} />
          )}
          <PictureReadout {...{ series, file, picture, view, look, pointed, marks, drawing }} />
          {file && file.frames.length > 1 && <FrameSlider count={file.frames.length} {...{ frame, onFrame }} />}
        </div>
        {isListOpen && <PictureMarkList {...{ marks, drawing, controls, matrix, viewport }} />}
      </div>
    </>
  );
}

/** The initial state from the file and its presentation state. */
function startOf({ picture: file }: Instance, { window }: LoadedPicture): PictureStart {
  const { turns = 0, mirrored = false, area = null } = file?.presentation?.drawn ?? {};
  return { turns, mirrored, area, look: { window, inverted: file?.inverted ?? false } };
}
