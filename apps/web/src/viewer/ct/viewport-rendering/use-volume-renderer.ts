import { useEffect, useRef, useState, type RefObject } from "react";
import { getGraphicsCapabilities } from "@arcada/imaging/gl/graphics-capabilities";
import { sizeOf } from "@arcada/imaging/volume/volume-geometry";
import { createVolumeRenderer, type VolumeRenderer } from "@arcada/imaging/gl/volume-renderer";
import { findFieldOfView } from "../../ct-core/viewport-layouts.ts";
import { transferFromFirstPaint } from "./end-first-paint-and-store-rects.ts";
import type { LayoutName } from "../../ct-core/viewport-layouts.ts";
import type { Viewport, ViewportRegistry } from "./viewport-registry.ts";
import { downsampleGeometry } from "../loading/texture-size.ts";
import type { VolumeStore } from "../loading/volume-store.ts";
import type { ViewportArea, VolumeDisplaySettings } from "@arcada/imaging/gl/volume-viewport-renderer";

/** `lost`: the browser has withdrawn the graphics context for the moment; `absent`: there never was one. */
export type RendererState = "painting" | "lost" | "absent";

/** ms between two frames while slices arrive; a software renderer would take processor time from the decoders. */
const getRedrawInterval = () => (getGraphicsCapabilities().kind === "software" ? 1000 : 300);

interface SceneState {
  displaySettings: VolumeDisplaySettings;
  /** Null while one viewport is enlarged. */
  layout: LayoutName | null;
  /** True while the content of the viewports is still being detected. */
  isDetecting: boolean;
}

/** Keeps every viewport over `host` drawn; a viewport is redrawn only if something of it has changed. */
export function useVolumeRenderer(
  host: RefObject<HTMLElement | null>,
  viewports: ViewportRegistry,
  store: VolumeStore,
  scene: SceneState,
): RendererState {
  const [state, setState] = useState<RendererState>("painting");
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
    // A canvas keeps its context for life, even a lost one, so each renderer gets its own canvas.
    const canvas = document.createElement("canvas");
    const textureSize = sizeOf(downsampleGeometry(store.info, store.factor));
    const renderer = createVolumeRenderer(canvas, textureSize, store.offset, store.whole);
    if (!renderer) {
      // The existence of a context is known only after one has been requested.
      if (generation === 0) setState("absent");
      else retry();
      return () => clearTimeout(timer);
    }
    host.current.replaceChildren(canvas);
    setState("painting");
    const drawing = createDrawingLoop(canvas, viewports, renderer, store, latest);
    draw.current = drawing.soon;
    store.attach(renderer);
    drawing.soon();
    const stopStore = store.onChange(drawing.later);
    const stopViewports = viewports.onChange(drawing.soon);
    const observer = new ResizeObserver(drawing.soon);
    observer.observe(canvas);
    canvas.addEventListener("webglcontextlost", retry);
    return () => {
      clearTimeout(timer);
      canvas.removeEventListener("webglcontextlost", retry);
      observer.disconnect();
      stopStore();
      stopViewports();
      drawing.stop();
      draw.current = null;
      store.attach(null);
      renderer.dispose();
      canvas.remove();
    };
  }, [host, viewports, store, generation]);
  return state;
}

type RenderProgress = ReturnType<VolumeRenderer["render"]>;

export interface DrawingState {
  viewports: ViewportRegistry;
  renderer: VolumeRenderer;
  drawnContent: Map<string, DrawnContent>;
  /** True from when a viewport shows something else until those that lacked room have been drawn again. */
  mayHaveRoom: boolean;
  /** The viewport drawn last: while a drag moves several, they take turns. */
  last: string;
}

/** The image last requested in a viewport, and how far it got. */
interface DrawnContent {
  description: string;
  /** The arrivals that it shows, and when it was begun with them, in ms of the page's clock. */
  version: number;
  begunAt: number;
  state: RenderProgress;
}

/** The data that have arrived. */
interface Arrivals {
  /** Counts them. */
  version: number;
  /** True once nothing more will arrive. */
  isWhole: boolean;
}

/** Draws the viewports in frames of the browser: `soon` after a change of a viewport, `later` after one of the data. */
export function createDrawingLoop(
  canvas: HTMLCanvasElement,
  viewports: ViewportRegistry,
  renderer: VolumeRenderer,
  store: VolumeStore,
  latest: { current: SceneState },
) {
  const drawing: DrawingState = { viewports, renderer, drawnContent: new Map(), mayHaveRoom: false, last: "" };
  let lastPlaces = "";
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const readArrivals = (): Arrivals => ({
    version: store.version,
    isWhole: store.slices === store.info.slices,
  });
  let arrivals = readArrivals();
  const now = () => {
    frame = 0;
    if (!renderer.begin()) return soon();
    const { places, standing: placed } = placeViewports(canvas, viewports, renderer);
    if (places !== lastPlaces) {
      lastPlaces = places;
      drawing.drawnContent.clear();
      renderer.clear();
    }
    const { displaySettings, layout, isDetecting } = latest.current;
    const { isMore, isUnseen, isOutdated } = drawViewports(drawing, placed, displaySettings, arrivals);
    renderer.end();
    if (isMore) soon();
    if (isOutdated) timer ??= setTimeout(arrived, getRedrawInterval());
    if (!isUnseen && !isDetecting && arrivals.version > 0)
      transferFromFirstPaint(findFieldOfView(store.fullInfo), layout, placed);
  };
  const soon = () => {
    frame ||= requestAnimationFrame(now);
  };
  const arrived = () => {
    timer = undefined;
    arrivals = readArrivals();
    soon();
  };
  const later = () => {
    // The user waits for the first; the page announces the last, so the image must include it.
    if (store.version <= 2 || readArrivals().isWhole) arrived();
    else timer ??= setTimeout(arrived, getRedrawInterval());
  };
  const stop = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  return { soon, later, stop };
}

/**
 * Draws the viewports. Returns if more is to be drawn, if that includes a viewport of which nothing has been shown yet,
 * and if a viewport is to be drawn later with what has arrived. Once a viewport shows something else, those of which a
 * part stayed coarse are drawn again: it may need fewer bricks than before.
 */
export function drawViewports(
  drawing: DrawingState,
  placed: readonly PlacedViewport[],
  all: VolumeDisplaySettings,
  arrivals: Arrivals,
): { isMore: boolean; isUnseen: boolean; isOutdated: boolean } {
  const { viewports, renderer, drawnContent } = drawing;
  const done = { isMore: false, isUnseen: false, isOutdated: false };
  const after = placed.findIndex(({ name }) => name === drawing.last) + 1;
  for (const { name, viewport, size, at } of [...placed.slice(after), ...placed.slice(0, after)]) {
    const content = size.width > 0 && size.height > 0 ? viewport.getContent(size) : null;
    const displaySettings = { ...all, ...viewport.displaySettings };
    const description = JSON.stringify([at, content, displaySettings]);
    if (!content) viewports.setCoarseness(name, null);
    if (!content) continue;
    const drawn = drawnContent.get(name);
    const isSame = drawn?.description === description;
    const { version, begunAt } = isSame ? chooseArrivals(drawn, arrivals, renderer.estimateMs(name)) : begin(arrivals);
    const isOutdated = version !== arrivals.version;
    if (isOutdated) {
      done.isOutdated = true;
      // Lines of an image that is still being refined show newer slices than those above them.
      viewports.setCoarseness(name, "rough");
    }
    const isCurrent = isSame && drawn.version === version;
    if (isCurrent && isFinal(drawn.state)) continue;
    if (!isCurrent) drawing.mayHaveRoom = true;
    const state = renderer.render(name, at, content, displaySettings, version);
    drawnContent.set(name, { description, version, begunAt, state });
    if (!isFinal(state)) done.isMore = true;
    if (state === "waiting") {
      done.isUnseen = true;
      continue;
    }
    drawing.last = name;
    if (!isOutdated) viewports.setCoarseness(name, state === "done" ? null : state);
  }
  if (!done.isMore && drawing.mayHaveRoom) {
    drawing.mayHaveRoom = false;
    for (const drawn of drawnContent.values()) {
      if (drawn.state !== "partlyCoarse") continue;
      drawn.state = "rough";
      done.isMore = true;
    }
  }
  return done;
}

const begin = ({ version }: Arrivals) => ({ version, begunAt: performance.now() });

/**
 * Redrawing for slices that have arrived takes one part in so many of the time of a viewport: a software renderer shares
 * its processors with the decoders, and a panorama needs seconds there.
 */
const redrawShare = 30;
/** ms after which the arrivals are shown, however slow the machine. */
const maxOutdatedMs = 20_000;

/**
 * Returns the arrivals with which an unchanged viewport is drawn: those that it shows as long as it was begun recently,
 * measured by the `ms` that its image takes; always the last ones.
 */
function chooseArrivals(
  drawn: DrawnContent,
  arrivals: Arrivals,
  ms: number,
): Pick<DrawnContent, "version" | "begunAt"> {
  const isRecent = performance.now() - drawn.begunAt < Math.min(maxOutdatedMs, redrawShare * ms);
  return drawn.version === arrivals.version || (isRecent && !arrivals.isWhole) ? drawn : begin(arrivals);
}

const isFinal = (state: RenderProgress): boolean => state !== "rough" && state !== "waiting";

export interface PlacedViewport {
  name: string;
  viewport: Viewport;
  size: DOMRect;
  at: ViewportArea;
}

/** The viewports with their pixel rectangles on the canvas. Resizes the canvas. */
function placeViewports(canvas: HTMLCanvasElement, viewports: ViewportRegistry, renderer: VolumeRenderer) {
  const pixelRatio = window.devicePixelRatio || 1;
  const canvasRect = canvas.getBoundingClientRect();
  const [width, height] = [Math.round(canvasRect.width * pixelRatio), Math.round(canvasRect.height * pixelRatio)];
  renderer.resize(width, height);
  const placed = [...viewports.all()].map(([name, viewport]) => {
    const size = viewport.element.getBoundingClientRect();
    return { name, viewport, size, at: toCanvasRect(size, canvasRect, pixelRatio) };
  });
  return { standing: placed, places: JSON.stringify([width, height, placed.map(({ name, at }) => [name, at])]) };
}

const toCanvasRect = (viewport: DOMRect, canvas: DOMRect, pixelRatio: number): ViewportArea => ({
  left: Math.round((viewport.left - canvas.left) * pixelRatio),
  top: Math.round((viewport.top - canvas.top) * pixelRatio),
  width: Math.round(viewport.width * pixelRatio),
  height: Math.round(viewport.height * pixelRatio),
});
