import { useEffect, useRef } from "react";
import { planeNames, sliceIn } from "@arcada/imaging/view/plane";
import { groupSize } from "@arcada/imaging/volume/preview";
import type { CtControls } from "./use-ct-controls.ts";
import type { VolumeLoad } from "./use-volume.ts";

/** Who scrolls on does not wait for what is passed by. */
const restMilliseconds = 200;

/** Brings the whole slice that is looked at where the volume is shown at half its resolution. */
export function useSharp({ store, stage, bringSharp }: VolumeLoad, { cross, planes, look }: CtControls): void {
  const bring = useRef(bringSharp);
  useEffect(() => void (bring.current = bringSharp));
  const name = planeNames.find((each) => sliceIn(store.whole, planes[each], cross) !== null);
  const slice = name && stage === "half" && look.slab === 0 ? sliceIn(store.whole, planes[name], cross) : null;
  useEffect(() => {
    if (slice === null || store.hasSharp(slice)) return;
    const gone = new AbortController();
    const timer = setTimeout(() => {
      // What does not come stays at half its resolution, as the page says.
      bring.current?.(Math.floor(slice / groupSize), gone.signal).catch(() => {});
    }, restMilliseconds);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [store, slice]);
}
