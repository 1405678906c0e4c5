import { screens } from "@arcada/contract/screens";
import { planeNames } from "@arcada/imaging/view/plane";
import { closeUps, commonPane, placeOf, placesOf } from "../ct/layout/layouts.ts";
import type { LayoutName } from "../ct/layout/layouts.ts";
import { keepPlaces } from "./first-places.ts";
import type { FirstPlace, FirstPlaces } from "./first-places.ts";
import { endFirstLook } from "./first-stage.ts";

/** The layout and the viewports that were stored last. */
let kept = "";

/**
 * From now on the viewer shows the volume itself; the next first look uses the positions of its viewports.
 * @param layout null if they deviate from the layout, which is temporary
 */
export function handOver(layout: LayoutName | null, standing: readonly { name: string; size: DOMRect }[]): void {
  endFirstLook();
  if (layout === null || location.pathname !== screens.ctViewer.path) return;
  const seen = standing.filter(({ size }) => size.width > 0);
  const told = [layout, ...seen.map(({ name }) => name)].join();
  if (told === kept) return;
  kept = told;
  const places: FirstPlaces = {};
  // Planes through a joint are not in the volume's middle.
  const isOfJoints = placesOf(layout).some((place) => placeOf(place).side);
  for (const name of isOfJoints ? [] : ([...planeNames, "panorama"] as const)) {
    const found = seen.find((one) => one.name === name);
    if (found) places[name] = standsAt(found.size);
  }
  const sections = seen.filter(({ name }) => name.startsWith("section/"));
  if (sections.length > 0) places.sections = sections.map(({ size }) => standsAt(size));
  const close = closeUps[layout];
  keepPlaces(layout, close ? { ...places, closeUp: commonPane / close.mm } : places);
}

const standsAt = ({ left, top, width, height }: DOMRect): FirstPlace => [left, top, width, height];
