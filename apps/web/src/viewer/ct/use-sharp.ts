import { useEffect, useRef } from "react";
import { planeNames, sliceIn } from "@arcada/imaging/view/plane";
import { groupSize } from "@arcada/imaging/volume/preview";
import type { CtControls } from "./use-ct-controls.ts";
import type { VolumeLoad } from "./use-volume.ts";

/**
 * Milliseconds of rest before a slice is loaded: a user who keeps scrolling does not wait for the slices in between.
 */
const restMilliseconds = 200;

/** Loads the current slice at full resolution if the volume is shown at half its resolution. */
export function useSharp({ store, stage, bringSharp }: VolumeLoad, { cross, planes, look }: CtControls): void {
  const bring = useRef(bringSharp);
  useEffect(() => void (bring.current = bringSharp));
  const name = planeNames.find((each) => sliceIn(store.whole, planes[each], cross) !== null);
  const slice = name && stage === "half" && look.slab === 0 ? sliceIn(store.whole, planes[name], cross) : null;
  useEffect(() => {
    if (slice === null || store.hasSharp(slice)) return;
    const gone = new AbortController();
    const timer = setTimeout(() => {
      // A slice that cannot be loaded stays at half its resolution, as the page says.
      bring.current?.(Math.floor(slice / groupSize), gone.signal).catch(() => {});
    }, restMilliseconds);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [store, slice]);
}
