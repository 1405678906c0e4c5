import { useMemo, useRef, useState } from "react";
import type { Instance } from "@arcada/contract/study/study.calls";
import { useShortcuts } from "../frame/shortcuts.ts";
import { useSize } from "../frame/use-size.ts";
import type { Spot } from "@arcada/imaging/view/measure";
import { applied, inverted, viewMatrix } from "@arcada/imaging/view/picture-view";
import { isDrawn } from "../marks/kind.ts";
import { middleSpots } from "../marks/draft.ts";
import { MarksLayer } from "../marks/marks-layer.tsx";
import type { Marks } from "../marks/use-marks.ts";
import type { LoadedPicture } from "./load-picture.ts";
import { FrameSlider } from "./frame-slider.tsx";
import { OverlayLayer, useOverlay } from "./overlay-layer.tsx";
import styles from "./picture-pane.module.css";
import { PictureReadout } from "./picture-readout.tsx";
import { PictureTools, type PictureTool } from "./picture-tools.tsx";
import { usePainting } from "./use-painting.ts";
import { usePictureHand } from "./use-picture-hand.ts";
import { usePictureMarks } from "./use-picture-marks.ts";
import { usePictureView } from "./use-picture-view.ts";

interface Props {
  instance: Instance;
  loaded: LoadedPicture;
  marks: Marks;
  frame: number;
  onFrame: (frame: number) => void;
}

/** A loaded picture: toolbar, canvas, marks over it and what is under the pointer. */
export function PicturePane({ instance, loaded, marks, frame, onFrame }: Props) {
  const { picture } = loaded;
  const file = instance.picture;
  const pane = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const viewport = useSize(pane);
  const [tool, setTool] = useState<PictureTool>("window");
  const [pointed, setPointed] = useState<Spot | null>(null);
  const controls = usePictureView(picture, viewport, { window: loaded.window, inverted: file?.inverted ?? false });
  const { view, look } = controls;
  const overlay = useOverlay(loaded);
  const shown = useMemo(() => view && viewport && { view, look, viewport }, [view, look, viewport]);
  usePainting(host, picture, shown);

  const matrix = view && viewport && viewMatrix(view, picture, viewport);
  const back = matrix && inverted(matrix);
  const imageSpot = (at: Spot): Spot => (back ? applied(back, at) : at);
  const drawing = usePictureMarks(marks, { instanceId: instance.id, frame }, matrix, picture.spacing);
  const range = file ? file.max - file.min : 256;
  useShortcuts({
    Enter: () => {
      if (drawing.finish() || !viewport || !isDrawn(tool)) return;
      drawing.add(tool, middleSpots(tool, viewport).map(imageSpot), { instanceId: instance.id, plane: null });
    },
  });
  usePictureHand(pane, { tool, controls, drawing, imageSpot, range, instanceId: instance.id, onPoint: setPointed });

  return (
    <>
      <PictureTools {...{ tool, controls, loaded, marks, drawing, file, overlay }} onTool={setTool} />
      <div ref={pane} className={`${styles.pane} ${styles[tool] ?? ""}`}>
        <div ref={host} className={styles.host} />
        {overlay.bits && matrix && viewport && <OverlayLayer {...{ bits: overlay.bits, picture, matrix, viewport }} />}
        <MarksLayer
          marks={drawing.shown}
          chosen={drawing.chosen}
          onChoose={drawing.choose}
          onMove={(id, index, to, isOver) => drawing.movePoint(id, index, imageSpot(to), isOver)}
        />
        <PictureReadout {...{ file, picture, view, look, pointed, marks }} />
        {file && file.frames.length > 1 && <FrameSlider count={file.frames.length} {...{ frame, onFrame }} />}
      </div>
    </>
  );
}
