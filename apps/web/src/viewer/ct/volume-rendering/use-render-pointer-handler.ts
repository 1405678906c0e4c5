import { useRef, type Dispatch, type KeyboardEvent, type RefObject, type SetStateAction } from "react";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import {
  fitCamera,
  panCamera,
  orbitCamera,
  zoomCamera,
  type BoundingBox,
  type ModelCamera,
} from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/image-view";
import { useGestures } from "../../ui/input/use-gestures.ts";
import { renderViews, type RenderView } from "./camera-presets.ts";

interface PointerHandlerOptions {
  camera: ModelCamera | null;
  setCamera: Dispatch<SetStateAction<ModelCamera | null>>;
  showView: (view: RenderView) => void;
  size: Size | null;
  /** The box that is to be visible as a whole. */
  box: BoundingBox;
  /** True if a drag with the main button pans the image instead of orbiting. */
  isPanning: boolean;
  onPick: (at: Point2D) => void;
  onPress: () => void;
  onDouble: () => void;
}

/** Orbits, pans and zooms a rendered volume. A press without movement is a click on its surface. */
export function useRenderPointerHandler(viewport: RefObject<HTMLElement | null>, options: PointerHandlerOptions) {
  const { camera, setCamera, showView, size, box, isPanning } = options;
  const dragDistance = useRef(0);
  const alter = (change: (camera: ModelCamera, viewport: Size) => ModelCamera) => {
    if (camera && size) setCamera((now) => change(now ?? camera, size));
  };
  const orbit = (by: Point2D) => alter((now, area) => orbitCamera(now, by, area));
  const pan = (by: Point2D) => alter((now) => panCamera(now, by));
  const zoom = (factor: number, at?: Point2D) =>
    alter((now, area) => zoomCamera(now, area, at ?? [area.width / 2, area.height / 2], factor));
  useGestures(viewport, {
    press: () => {
      dragDistance.current = 0;
      options.onPress();
    },
    drag: (_at, by, button) => {
      dragDistance.current += Math.abs(by[0]) + Math.abs(by[1]);
      if (dragDistance.current < 4) return;
      if (button !== 0 || isPanning) pan(by);
      else orbit(by);
    },
    release: (at, button) => {
      if (button === 0 && dragDistance.current < 4) options.onPick(at);
    },
    pinch: (at, factor, by) => {
      zoom(factor, at);
      if (by[0] !== 0 || by[1] !== 0) pan(by);
    },
    wheel: (at, notches) => zoom(Math.exp(-notches * 0.2), at),
    doubleClick: options.onDouble,
  });
  const keys: Record<string, () => void> = {
    ...Object.fromEntries(renderViews.map((name, at) => [String(at + 1), () => showView(name)])),
    ArrowLeft: () => orbit([-step, 0]),
    ArrowRight: () => orbit([step, 0]),
    ArrowUp: () => orbit([0, -step]),
    ArrowDown: () => orbit([0, step]),
    "Shift+ArrowLeft": () => pan([-step, 0]),
    "Shift+ArrowRight": () => pan([step, 0]),
    "Shift+ArrowUp": () => pan([0, -step]),
    "Shift+ArrowDown": () => pan([0, step]),
    "0": () => alter((now, area) => fitCamera(now, box, area)),
    Enter: () => size && options.onPick([size.width / 2, size.height / 2]),
  };
  return {
    orbit,
    zoom,
    /** Keys of the viewport itself take precedence over those of the whole viewer. */
    onKeyDown: (event: KeyboardEvent) => {
      if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
      const action = keys[event.shiftKey ? `Shift+${event.key}` : event.key];
      if (!action) return;
      event.preventDefault();
      action();
    },
  };
}

const step = 24;
