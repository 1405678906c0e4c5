import type { Shortcuts } from "../ui/input/shortcuts.ts";
import { buildZoomShortcuts } from "../ui/toolbar/zoom-tools.tsx";
import type { ViewportId } from "../ct-core/viewport-layouts.ts";
import type { CtViewerState } from "./layout/viewport-props.ts";
import { findPlaneName } from "./planes/use-plane-views.ts";
import { buildRotationShortcuts, buildSlabShortcuts } from "./settings/display-settings-panels.tsx";

/** The keys of the active viewport: zoom, slices, rotation and slab. */
export function buildPlaneShortcuts(parts: CtViewerState, shown: readonly ViewportId[]): Shortcuts {
  const { viewports, controls } = parts;
  const { active } = controls;
  const step = (slices: number) => () => viewports.getActions(active)?.step(slices);
  return {
    ...buildZoomShortcuts(buildZoomActions(parts)),
    I: controls.invert,
    R: controls.reset,
    V: () => controls.toggleEnlarged(controls.enlarged ?? active),
    P: () => controls.activate(cycleNext(shown, active)),
    ArrowUp: step(-1),
    ArrowDown: step(1),
    PageUp: step(-10),
    PageDown: step(10),
    ...buildRotationShortcuts(controls, findPlaneName(active)),
    ...buildSlabShortcuts(controls),
    Home: step(-100_000),
    End: step(100_000),
  };
}

/** Buttons and keys zoom the active viewport, around its middle. */
export const buildZoomActions = ({ viewports, controls: { active, fit } }: CtViewerState) => ({
  zoom: (factor: number) => viewports.getActions(active)?.zoom(factor),
  fit: () => {
    fit();
    for (const [, { actions: selection }] of viewports.all()) selection?.fit?.();
  },
});

/** The next element of a row, cyclically. */
export const cycleNext = <T>(row: readonly T[], now: T): T => row[(row.indexOf(now) + 1) % row.length] ?? now;
