import { useEffect, useRef, useState, type RefObject } from "react";
import { graphics } from "@arcada/imaging/gl/graphics";
import { sizeOf } from "@arcada/imaging/view/volume-geometry";
import { volumePainter, type PanePlace, type VolumeLook, type VolumePainter } from "@arcada/imaging/gl/volume-painter";
import { handOver } from "../first/hand-over.ts";
import type { LayoutName } from "./layout/layouts.ts";
import type { Pane, Panes } from "./panes.ts";
import { coarser } from "./texture-size.ts";
import type { VolumeStore } from "./volume-store.ts";

/** `lost`: the browser has withdrawn the graphics context for the moment; `absent`: there never was one. */
export type PaintingState = "painting" | "lost" | "absent";

/** ms between two frames while slices arrive; a software renderer would take processor time from the decoders. */
const redrawWhileLoading = () => (graphics().kind === "software" ? 1000 : 300);

interface Scene {
  look: VolumeLook;
  /** Null while one viewport is enlarged. */
  layout: LayoutName | null;
  /** True while the content of the viewports is still being detected. */
  isComing: boolean;
}

/** Keeps every viewport over `host` drawn; a viewport is redrawn only if something of it has changed. */
export function useVolumePainting(
  host: RefObject<HTMLElement | null>,
  panes: Panes,
  store: VolumeStore,
  scene: Scene,
): PaintingState {
  const [state, setState] = useState<PaintingState>("painting");
  const [generation, setGeneration] = useState(0);
  const latest = useRef(scene);
  const draw = useRef<(() => void) | null>(null);
  useEffect(() => {
    latest.current = scene;
    draw.current?.();
  });

  useEffect(() => {
    if (!host.current) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A lost context is replaced on a new canvas: waiting for the old one takes longer or forever.
    const retry = () => {
      setState("lost");
      timer = setTimeout(() => setGeneration((count) => count + 1), 1000);
    };
    // A canvas keeps its context for life, even a lost one: each renderer gets a canvas of its own.
    const canvas = document.createElement("canvas");
    const painter = volumePainter(canvas, sizeOf(coarser(store.info, store.factor)), store.offset);
    if (!painter) {
      // The existence of a context is known only after one has been requested.
      if (generation === 0) setState("absent");
      else retry();
      return () => clearTimeout(timer);
    }
    host.current.replaceChildren(canvas);
    setState("painting");
    const drawing = drawings(canvas, panes, painter, store, latest);
    draw.current = drawing.soon;
    store.attach(painter);
    drawing.soon();
    const stopStore = store.onChange(drawing.later);
    const stopPanes = panes.onChange(drawing.soon);
    const observer = new ResizeObserver(drawing.soon);
    observer.observe(canvas);
    canvas.addEventListener("webglcontextlost", retry);
    return () => {
      clearTimeout(timer);
      canvas.removeEventListener("webglcontextlost", retry);
      observer.disconnect();
      stopStore();
      stopPanes();
      drawing.stop();
      draw.current = null;
      store.attach(null);
      painter.dispose();
      canvas.remove();
    };
  }, [host, panes, store, generation]);
  return state;
}

interface Drawing {
  panes: Panes;
  painter: VolumePainter;
  /** A description of the image last drawn in each viewport. */
  painted: Map<string, string>;
  /** The viewport drawn last: while a drag moves several, they take turns. */
  last: string;
}

function drawings(
  canvas: HTMLCanvasElement,
  panes: Panes,
  painter: VolumePainter,
  store: VolumeStore,
  latest: { current: Scene },
) {
  const drawing: Drawing = { panes, painter, painted: new Map(), last: "" };
  let stood = "";
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let version = store.version;
  const now = () => {
    frame = 0;
    if (!painter.begin()) return soon();
    const { places, standing } = standingIn(canvas, panes, painter);
    if (places !== stood) {
      stood = places;
      drawing.painted.clear();
      painter.clear();
    }
    const { look, layout, isComing } = latest.current;
    const { isMore, isUnseen } = paintPanes(drawing, standing, look, version);
    painter.end();
    if (isMore) soon();
    if (!isUnseen && !isComing && version > 0) handOver(layout, standing);
  };
  const soon = () => {
    frame ||= requestAnimationFrame(now);
  };
  const arrived = () => {
    timer = undefined;
    version = store.version;
    soon();
  };
  const later = () => {
    // The user waits for the first; the page announces the last, so the image must include it.
    if (store.version <= 2 || store.slices === store.info.slices) arrived();
    else timer ??= setTimeout(arrived, redrawWhileLoading());
  };
  const stop = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  return { soon, later, stop };
}

/**
 * Draws the viewports. Returns if more is to be drawn, and if that includes a viewport of which nothing has been shown
 * yet.
 */
function paintPanes(
  drawing: Drawing,
  standing: readonly Standing[],
  all: VolumeLook,
  version: number,
): { isMore: boolean; isUnseen: boolean } {
  const { panes, painter, painted } = drawing;
  const done = { isMore: false, isUnseen: false };
  const after = standing.findIndex(({ name }) => name === drawing.last) + 1;
  for (const { name, pane, size, at } of [...standing.slice(after), ...standing.slice(0, after)]) {
    const shown = size.width > 0 && size.height > 0 ? pane.shown(size) : null;
    const look = { ...all, ...pane.look };
    const told = JSON.stringify([at, shown, look, version]);
    if (!shown) panes.tell(name, null);
    if (!shown || painted.get(name) === told) continue;
    const state = painter.paint(name, at, shown, look, version);
    if (state === "done" || state === "reduced") painted.set(name, told);
    else done.isMore = true;
    if (state === "waiting") {
      done.isUnseen = true;
      continue;
    }
    drawing.last = name;
    panes.tell(name, state === "done" ? null : state);
  }
  return done;
}

interface Standing {
  name: string;
  pane: Pane;
  size: DOMRect;
  at: PanePlace;
}

/** The viewports with their pixel rectangles on the canvas. Resizes the canvas. */
function standingIn(canvas: HTMLCanvasElement, panes: Panes, painter: VolumePainter) {
  const sharp = window.devicePixelRatio || 1;
  const place = canvas.getBoundingClientRect();
  const [width, height] = [Math.round(place.width * sharp), Math.round(place.height * sharp)];
  painter.resize(width, height);
  const standing = [...panes.all()].map(([name, pane]) => {
    const size = pane.element.getBoundingClientRect();
    return { name, pane, size, at: placeOf(size, place, sharp) };
  });
  return { standing, places: JSON.stringify([width, height, standing.map(({ name, at }) => [name, at])]) };
}

const placeOf = (pane: DOMRect, canvas: DOMRect, sharp: number): PanePlace => ({
  left: Math.round((pane.left - canvas.left) * sharp),
  top: Math.round((pane.top - canvas.top) * sharp),
  width: Math.round(pane.width * sharp),
  height: Math.round(pane.height * sharp),
});
