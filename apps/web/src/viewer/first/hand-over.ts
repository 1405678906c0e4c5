import { planeNames } from "@arcada/imaging/view/plane";
import { keepPlaces } from "./first-places.ts";
import type { FirstPlaces } from "./first-places.ts";
import { endFirstLook, isOver } from "./first-stage.ts";

/** The viewer shows the volume itself from now on; where its planes stand is where the next first look puts them. */
export function handOver(standing: readonly { name: string; size: DOMRect }[]): void {
  if (isOver()) return;
  endFirstLook();
  const places: FirstPlaces = {};
  for (const plane of planeNames) {
    const found = standing.find(({ name, size }) => name === plane && size.width > 0)?.size;
    if (found) places[plane] = [found.left, found.top, found.width, found.height];
  }
  keepPlaces(places);
}
