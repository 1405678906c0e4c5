import { useRef, type Dispatch, type KeyboardEvent, type RefObject, type SetStateAction } from "react";
import type { Spot } from "@arcada/imaging/view/measure";
import {
  fittedModel,
  movedModel,
  orbited,
  zoomedModel,
  type Box,
  type ModelCamera,
} from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/picture-view";
import { useGestures } from "../../frame/use-gestures.ts";
import { renderViews, type RenderView } from "./render-views.ts";

interface Hand {
  camera: ModelCamera | null;
  turn: Dispatch<SetStateAction<ModelCamera | null>>;
  look: (view: RenderView) => void;
  size: Size | null;
  /** The box that is to be visible as a whole. */
  box: Box;
  /** True if a drag with the main button pans the image instead of orbiting. */
  isPanning: boolean;
  onPick: (at: Spot) => void;
  onPress: () => void;
  onDouble: () => void;
}

/** Orbits, pans and zooms a rendered volume. A press without movement is a click on its surface. */
export function useRenderHand(pane: RefObject<HTMLElement | null>, hand: Hand) {
  const { camera, turn, look, size, box, isPanning } = hand;
  const way = useRef(0);
  const alter = (change: (camera: ModelCamera, pane: Size) => ModelCamera) => {
    if (camera && size) turn((now) => change(now ?? camera, size));
  };
  const orbit = (by: Spot) => alter((now, room) => orbited(now, by, room));
  const pan = (by: Spot) => alter((now) => movedModel(now, by));
  const zoom = (factor: number, at?: Spot) =>
    alter((now, room) => zoomedModel(now, room, at ?? [room.width / 2, room.height / 2], factor));
  useGestures(pane, {
    press: () => {
      way.current = 0;
      hand.onPress();
    },
    drag: (_at, by, button) => {
      way.current += Math.abs(by[0]) + Math.abs(by[1]);
      if (way.current < 4) return;
      if (button !== 0 || isPanning) pan(by);
      else orbit(by);
    },
    release: (at, button) => {
      if (button === 0 && way.current < 4) hand.onPick(at);
    },
    pinch: (at, factor, by) => {
      zoom(factor, at);
      if (by[0] !== 0 || by[1] !== 0) pan(by);
    },
    wheel: (at, notches) => zoom(Math.exp(-notches * 0.2), at),
    double: hand.onDouble,
  });
  const keys: Record<string, () => void> = {
    ...Object.fromEntries(renderViews.map((name, at) => [String(at + 1), () => look(name)])),
    ArrowLeft: () => orbit([-step, 0]),
    ArrowRight: () => orbit([step, 0]),
    ArrowUp: () => orbit([0, -step]),
    ArrowDown: () => orbit([0, step]),
    "Shift+ArrowLeft": () => pan([-step, 0]),
    "Shift+ArrowRight": () => pan([step, 0]),
    "Shift+ArrowUp": () => pan([0, -step]),
    "Shift+ArrowDown": () => pan([0, step]),
    "0": () => alter((now, room) => fittedModel(now, box, room)),
    Enter: () => size && hand.onPick([size.width / 2, size.height / 2]),
  };
  return {
    orbit,
    zoom,
    /** Keys of the viewport itself take precedence over those of the whole viewer. */
    onKeyDown: (event: KeyboardEvent) => {
      if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
      const act = keys[event.shiftKey ? `Shift+${event.key}` : event.key];
      if (!act) return;
      event.preventDefault();
      act();
    },
  };
}

const step = 24;
