import { useMemo, useRef, useState } from "react";
import type { Instance } from "@arcada/contract/study/study.calls";
import { useGestures } from "../frame/use-gestures.ts";
import { useSize } from "../frame/use-size.ts";
import type { Spot } from "../geometry/measure.ts";
import { applied, inverted, viewMatrix } from "../geometry/picture-view.ts";
import { MarksLayer } from "../marks/marks-layer.tsx";
import type { MarkTool } from "../marks/draft.ts";
import type { Marks } from "../marks/use-marks.ts";
import { greyAt, type LoadedPicture } from "./load-picture.ts";
import styles from "./picture-pane.module.css";
import { PictureReadout } from "./picture-readout.tsx";
import { PictureTools } from "./picture-tools.tsx";
import { usePainting } from "./use-painting.ts";
import { usePictureMarks } from "./use-picture-marks.ts";
import { usePictureView } from "./use-picture-view.ts";
import { draggedWindow } from "./window-drag.ts";

export type PictureTool = "window" | "pan" | MarkTool;

interface Props {
  instance: Instance;
  loaded: LoadedPicture;
  marks: Marks;
}

/** A loaded picture: toolbar, canvas, marks over it and what is under the pointer. */
export function PicturePane({ instance, loaded, marks }: Props) {
  const { picture } = loaded;
  const pane = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const viewport = useSize(pane);
  const [tool, setTool] = useState<PictureTool>("window");
  const [pointed, setPointed] = useState<Spot | null>(null);
  const controls = usePictureView(picture, viewport, { window: loaded.window, inverted: instance.picture?.inverted ?? false });
  const { view, look } = controls;
  const shown = useMemo(() => view && viewport && { view, look, viewport }, [view, look, viewport]);
  usePainting(host, picture, shown);

  const matrix = view && viewport && viewMatrix(view, picture, viewport);
  const back = matrix && inverted(matrix);
  const imageSpot = (at: Spot): Spot => (back ? applied(back, at) : at);
  const drawing = usePictureMarks({ instance, picture, marks, matrix, imageSpot });
  const markTool = tool === "length" || tool === "angle" ? tool : null;
  const range = instance.picture ? instance.picture.max - instance.picture.min : 256;

  useGestures(pane, {
    press: (at, button) => {
      drawing.choose(null);
      if (markTool && button === 0) drawing.press(markTool, at);
    },
    drag: (at, by, button) => {
      if (button === 2 || (button === 0 && tool === "window")) controls.setWindow((now) => draggedWindow(now, by, range));
      else if (button === 1 || tool === "pan") controls.pan(by);
      else drawing.move(at);
    },
    release: (at, button) => button === 0 && markTool && drawing.release(at),
    cancel: drawing.drop,
    pinch: (at, factor, by) => {
      controls.zoomBy(factor, at);
      if (by[0] !== 0 || by[1] !== 0) controls.pan(by);
    },
    wheel: (at, notches) => controls.zoomBy(Math.exp(-notches * 0.2), at),
    hover: (at) => {
      setPointed(at && imageSpot(at));
      if (at) drawing.move(at);
    },
  });

  return (
    <>
      <PictureTools tool={tool} onTool={setTool} controls={controls} loaded={loaded} marks={marks} drawing={drawing} file={instance.picture} />
      <div ref={pane} className={`${styles.pane} ${styles[tool] ?? ""}`}>
        <div ref={host} className={styles.host} />
        <MarksLayer marks={drawing.shown} chosen={drawing.chosen} onChoose={drawing.choose} onMove={drawing.movePoint} />
        <PictureReadout
          file={instance.picture}
          picture={picture}
          view={view}
          look={look}
          pointed={pointed}
          grey={pointed && greyAt(picture, pointed)}
          marks={marks}
        />
      </div>
    </>
  );
}
