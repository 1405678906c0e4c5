import { useEffect, useRef, useState, type RefObject } from "react";
import { dot, type Vector } from "../geometry/vector.ts";
import { paneTexture, planes, type PaneView, type PlaneName } from "../geometry/plane.ts";
import type { Size } from "../geometry/picture-view.ts";
import { sizeOf } from "../geometry/volume-geometry.ts";
import { volumePainter, type PaintedPane, type VolumeLook, type VolumePainter } from "../gl/volume-painter.ts";
import { coarser } from "./texture-size.ts";
import type { VolumeStore } from "./volume-store.ts";

export interface PlanesShown {
  cross: Vector;
  look: VolumeLook;
  viewOf: (name: PlaneName, pane: Size) => PaneView;
}

export type PaneElements = Map<PlaneName, HTMLElement>;

/** `lost`: the browser has taken the graphics processor away for the moment; `absent`: it never gave one. */
export type PaintingState = "painting" | "lost" | "absent";

const redrawWhileLoading = 300;

/** Keeps every pane over `host` drawn; a pane is drawn again only when something of it has changed. */
export function useVolumePainting(
  host: RefObject<HTMLElement | null>,
  panes: RefObject<PaneElements>,
  store: VolumeStore,
  shown: PlanesShown,
): PaintingState {
  const [state, setState] = useState<PaintingState>("painting");
  const [generation, setGeneration] = useState(0);
  const latest = useRef(shown);
  const draw = useRef<(() => void) | null>(null);
  useEffect(() => {
    latest.current = shown;
    draw.current?.();
  });

  useEffect(() => {
    if (!host.current) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A context that was lost is replaced on a new canvas: waiting for the old one takes longer or for ever.
    const retry = () => {
      setState("lost");
      timer = setTimeout(() => setGeneration((count) => count + 1), 1000);
    };
    // A canvas keeps its context for life, also a lost one: each painter gets a canvas of its own.
    const canvas = document.createElement("canvas");
    const painter = volumePainter(canvas, sizeOf(coarser(store.info, store.factor)), store.offset);
    if (!painter) {
      // Whether there is a context is known only when one has been asked for.
      // oxlint-disable-next-line react/set-state-in-effect
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
    const observer = new ResizeObserver(drawing.soon);
    observer.observe(canvas);
    canvas.addEventListener("webglcontextlost", retry);
    return () => {
      clearTimeout(timer);
      canvas.removeEventListener("webglcontextlost", retry);
      observer.disconnect();
      stopStore();
      drawing.stop();
      draw.current = null;
      store.attach(null);
      painter.dispose();
      canvas.remove();
    };
  }, [host, panes, store, generation]);
  return state;
}

function drawings(
  canvas: HTMLCanvasElement,
  panes: RefObject<PaneElements>,
  painter: VolumePainter,
  store: VolumeStore,
  latest: { current: PlanesShown },
) {
  const painted = new Map<PlaneName, string>();
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    frame = 0;
    const sharp = window.devicePixelRatio || 1;
    const place = canvas.getBoundingClientRect();
    const [width, height] = [Math.round(place.width * sharp), Math.round(place.height * sharp)];
    if (canvas.width !== width || canvas.height !== height) painted.clear();
    painter.resize(width, height);
    for (const [name, element] of panes.current) {
      const pane = paneOf(name, element, place, sharp, store, latest.current);
      const told = JSON.stringify([pane, latest.current.look, store.version]);
      if (!pane || painted.get(name) === told) continue;
      painter.paint(pane, latest.current.look);
      painted.set(name, told);
    }
  };
  const soon = () => {
    frame ||= requestAnimationFrame(now);
  };
  const later = () => {
    if (store.version <= 2) return soon();
    timer ??= setTimeout(() => {
      timer = undefined;
      soon();
    }, redrawWhileLoading);
  };
  const stop = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  return { soon, later, stop };
}

function paneOf(
  name: PlaneName,
  element: HTMLElement,
  canvas: DOMRect,
  sharp: number,
  store: VolumeStore,
  shown: PlanesShown,
): PaintedPane | null {
  const place = element.getBoundingClientRect();
  if (place.width === 0 || place.height === 0) return null;
  const plane = planes[name];
  const view = shown.viewOf(name, place);
  const depth = dot(shown.cross, plane.away);
  return {
    left: Math.round((place.left - canvas.left) * sharp),
    top: Math.round((place.top - canvas.top) * sharp),
    width: Math.round(place.width * sharp),
    height: Math.round(place.height * sharp),
    full: paneTexture(coarser(store.info, store.factor), plane, view, place, depth),
    preview: store.preview && paneTexture(store.preview.info, plane, view, place, depth),
  };
}
