import { useCallback, useEffect, useRef } from "react";
import { between, type ModelCamera } from "@arcada/imaging/view/model-camera";

const milliseconds = 350;

interface Flight {
  fly: (from: ModelCamera, to: ModelCamera) => void;
  /** A hand on the model ends it where it is. */
  stop: () => void;
}

/** Carries a camera to where it is to stand, so that the eye sees which way it went; at once for whom movement is too much. */
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
