import { screens } from "@arcada/contract/screens";
import { planeNames } from "@arcada/imaging/view/plane";
import { closeUps, commonPane, placeOf, placesOf } from "../ct/layout/layouts.ts";
import type { LayoutName } from "../ct/layout/layouts.ts";
import { keepPlaces } from "./first-places.ts";
import type { FirstPlace, FirstPlaces } from "./first-places.ts";
import { endFirstLook } from "./first-stage.ts";

/** Which panes of which layout were told last. */
let kept = "";

/**
 * The viewer shows the volume itself from now on; where its panes stand is where the next first look puts them.
 * @param layout null where they stand otherwise than the layout says, which is for now only
 */
export function handOver(layout: LayoutName | null, standing: readonly { name: string; size: DOMRect }[]): void {
  endFirstLook();
  if (layout === null || location.pathname !== screens.ctViewer.path) return;
  const seen = standing.filter(({ size }) => size.width > 0);
  const told = [layout, ...seen.map(({ name }) => name)].join();
  if (told === kept) return;
  kept = told;
  const places: FirstPlaces = {};
  // Planes that stand on a joint do not lie in the volume's middle.
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
