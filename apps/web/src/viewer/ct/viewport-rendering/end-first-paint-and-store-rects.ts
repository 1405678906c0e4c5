import { screens } from "@arcada/contract/screens";
import { planeNames } from "@arcada/imaging/view/plane-view";
import {
  closeUps,
  defaultViewportSize,
  getViewportDefinition,
  listLayoutViewportIds,
} from "../../ct-core/viewport-layouts.ts";
import type { FieldOfView, LayoutName } from "../../ct-core/viewport-layouts.ts";
import { storeViewportRects } from "../../first-paint/stored-viewport-rects.ts";
import type { ViewportRect, ViewportRects } from "../../first-paint/stored-viewport-rects.ts";
import { endFirstPaint } from "../../first-paint/first-paint-overlay.ts";

/** The layout and the viewports that were stored last. */
let lastStored = "";

/**
 * Ends the first paint, because from now on the viewer shows the volume itself, and stores the positions of its
 * viewports for the next first paint.
 * @param layout null if the positions deviate from the layout, which is temporary
 */
export function transferFromFirstPaint(
  field: FieldOfView,
  layout: LayoutName | null,
  viewports: readonly { name: string; size: DOMRect }[],
): void {
  endFirstPaint();
  if (layout === null || location.pathname !== screens.ctViewer.path) return;
  const visible = viewports.filter(({ size }) => size.width > 0);
  const description = [field, layout, ...visible.map(({ name }) => name)].join();
  if (description === lastStored) return;
  lastStored = description;
  const rects: ViewportRects = {};
  // Planes through a joint are not in the volume's middle.
  const showsJoints = listLayoutViewportIds(layout).some((place) => getViewportDefinition(place).side);
  for (const name of showsJoints ? [] : ([...planeNames, "panorama"] as const)) {
    const found = visible.find((one) => one.name === name);
    if (found) rects[name] = toRect(found.size);
  }
  const crossSections = visible.filter(({ name }) => name.startsWith("section/"));
  if (crossSections.length > 0) rects.sections = crossSections.map(({ size }) => toRect(size));
  const closeUp = closeUps[layout];
  storeViewportRects(field, layout, closeUp ? { ...rects, closeUp: defaultViewportSize / closeUp.mm } : rects);
}

const toRect = ({ left, top, width, height }: DOMRect): ViewportRect => [left, top, width, height];
