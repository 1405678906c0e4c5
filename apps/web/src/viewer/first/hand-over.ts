import { screens } from "@arcada/contract/screens";
import { planeNames } from "@arcada/imaging/view/plane";
import { keepPlaces } from "./first-places.ts";
import type { FirstPlace, FirstPlaces } from "./first-places.ts";
import { endFirstLook } from "./first-stage.ts";

/** Which panes of which layout were told last. */
let kept = "";

/**
 * The viewer shows the volume itself from now on; where its panes stand is where the next first look puts them.
 * @param layout null where they stand otherwise than the layout says, which is for now only
 */
export function handOver(layout: string | null, standing: readonly { name: string; size: DOMRect }[]): void {
  endFirstLook();
  if (layout === null || location.pathname !== screens.ctViewer.path) return;
  const seen = standing.filter(({ size }) => size.width > 0);
  const told = [layout, ...seen.map(({ name }) => name)].join();
  if (told === kept) return;
  kept = told;
  const places: FirstPlaces = {};
  for (const name of [...planeNames, "panorama"] as const) {
    const found = seen.find((one) => one.name === name);
    if (found) places[name] = placeOf(found.size);
  }
  const sections = seen.filter(({ name }) => name.startsWith("section/"));
  if (sections.length > 0) places.sections = sections.map(({ size }) => placeOf(size));
  keepPlaces(places);
}

const placeOf = ({ left, top, width, height }: DOMRect): FirstPlace => [left, top, width, height];
