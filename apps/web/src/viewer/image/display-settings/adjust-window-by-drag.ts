import type { VoiWindow } from "@arcada/imaging/image/voi-window";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";

/**
 * To the right: wider, less contrast; upwards: a lower centre, brighter. The step is proportional to the range of the
 * values.
 */
export function adjustWindowByDrag(window: VoiWindow, [x, y]: Point2D, range: number): VoiWindow {
  const step = Math.max(0.25, range / 1200);
  const { center, width } = window;
  return { ...window, center: center + y * step, width: Math.max(Math.min(1, width), width + x * step) };
}
