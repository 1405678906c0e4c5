import { useCallback, useEffect, useRef } from "react";
import { between, type ModelCamera } from "@arcada/imaging/view/model-camera";

const milliseconds = 350;

interface Flight {
  fly: (from: ModelCamera, to: ModelCamera) => void;
  /** A drag on the model stops it in its current pose. */
  stop: () => void;
}

/** Animates a camera to its target, so that the user sees the way; at once if the user prefers reduced motion. */
export function useFlight(set: (camera: ModelCamera) => void): Flight {
  const frame = useRef(0);
  const latest = useRef(set);
  useEffect(() => void (latest.current = set));
  const stop = useCallback(() => cancelAnimationFrame(frame.current), []);
  useEffect(() => stop, [stop]);
  const fly = useCallback(
    (from: ModelCamera, to: ModelCamera) => {
      stop();
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) return latest.current(to);
      const began = performance.now();
      const step = () => {
        const part = Math.min(1, (performance.now() - began) / milliseconds);
        latest.current(part === 1 ? to : between(from, to, part * part * (3 - 2 * part)));
        if (part < 1) frame.current = requestAnimationFrame(step);
      };
      step();
    },
    [stop],
  );
  return { fly, stop };
}
