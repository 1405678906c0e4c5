import { useRef, useState, type RefObject } from "react";
import { useShortcuts } from "../ui/input/shortcuts.ts";
import { useGestures } from "../ui/input/use-gestures.ts";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { Size } from "@arcada/imaging/view/image-view";
import { createCentredPoints } from "../annotations/drawing/annotation-draft.ts";
import type { PickedPoint } from "./pick-point.ts";
import type { ModelTool } from "./model-toolbar.tsx";
import type { CameraControls } from "./rendering/use-model-camera.ts";
import { isModelAnnotationTool, type ModelDrawing } from "./use-model-annotations.ts";

interface PointerHandlerOptions {
  tool: ModelTool;
  controls: CameraControls;
  drawing: ModelDrawing;
  pick: (at: Point2D) => PickedPoint | null;
  /** Handles a press of a tool that needs one point: wall thickness, a comment, a point of a registration. */
  onPlace: (picked: PickedPoint) => void;
  onCut: (from: Point2D, to: Point2D) => void;
  size: Size | null;
}

/** The line that is being drawn through the models; null between. */
export type CutLine = readonly [Point2D, Point2D] | null;

/** Handles the pointer over models. A press that hits no surface measures nothing and is ignored. */
export function useModelPointerHandler(
  viewport: RefObject<HTMLElement | null>,
  options: PointerHandlerOptions,
): CutLine {
  const { tool, controls, drawing, pick, size } = options;
  const [line, setLine] = useState<CutLine>(null);
  const pressed = useRef<Point2D | null>(null);
  const drawn = isModelAnnotationTool(tool) && tool !== "thickness" ? tool : null;
  const isCutting = tool === "cut";
  const follow = (at: Point2D) => {
    const hit = drawing.isDrawing() ? pick(at) : null;
    if (hit) drawing.move(drawing.toModelSpace(hit).point, null);
  };
  useShortcuts({ Enter: size ? () => applyInMiddle(options, size) : undefined });
  useGestures(viewport, {
    press: (at, button) => {
      drawing.choose(null);
      pressed.current = button === 0 ? at : null;
      if (button === 0 && isCutting) setLine([at, at]);
      const hit = drawn && button === 0 ? pick(at) : null;
      if (!drawn || !hit) return;
      const { point, owner } = drawing.toModelSpace(hit);
      drawing.press(drawn, point, at, { instanceId: owner, plane: null });
    },
    drag: (at, by, button) => {
      if (button === 2 || button === 1 || tool === "pan") controls.pan(by);
      else if (line) setLine([line[0], at]);
      else if (drawn && drawing.isDrawing()) follow(at);
      else controls.orbit(by);
    },
    release: (at, button) => {
      if (button !== 0) return;
      if (line) {
        setLine(null);
        return options.onCut(line[0], at);
      }
      const hit = pick(at);
      if (drawn) return drawing.release(hit && drawing.toModelSpace(hit).point, at);
      const isClick = pressed.current && Math.hypot(at[0] - pressed.current[0], at[1] - pressed.current[1]) < 5;
      if (isClick && hit) options.onPlace(hit);
    },
    cancel: () => {
      setLine(null);
      drawing.discardDraft();
    },
    pinch: (at, factor, by) => controls.zoom(factor, at, by),
    wheel: (at, notches) => controls.zoom(Math.exp(-notches * 0.2), at),
    hover: (at) => at && follow(at),
  });
  return line;
}

/** Applies a tool without a pointer: in the middle of the viewport. */
function applyInMiddle({ tool, drawing, pick, onPlace, onCut }: PointerHandlerOptions, { width, height }: Size): void {
  if (tool === "cut") return onCut([width / 2, height / 4], [width / 2, (3 * height) / 4]);
  if (isModelAnnotationTool(tool) && tool !== "thickness") {
    const places = createCentredPoints(tool, { width, height }).map(pick);
    const [first] = places;
    if (!first || places.includes(null)) return;
    const owner = first.id;
    const points = places.map((place) => drawing.toModelSpace({ id: owner, point: place?.point ?? first.point }).point);
    return drawing.add(tool, points, { instanceId: owner, plane: null });
  }
  const middle = pick([width / 2, height / 2]);
  if (middle) onPlace(middle);
}
