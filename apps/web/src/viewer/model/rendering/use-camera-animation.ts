import { useCallback, useEffect, useRef } from "react";
import { interpolateCameras, type ModelCamera } from "@arcada/imaging/view/model-camera";

const durationMs = 350;

interface CameraAnimation {
  animate: (from: ModelCamera, to: ModelCamera) => void;
  /** A drag on the model stops it in its current pose. */
  stop: () => void;
}

/** Animates a camera to its target, so that the user sees the way; at once if the user prefers reduced motion. */
export function useCameraAnimation(set: (camera: ModelCamera) => void): CameraAnimation {
  const frame = useRef(0);
  const latest = useRef(set);
  useEffect(() => void (latest.current = set));
  const stop = useCallback(() => cancelAnimationFrame(frame.current), []);
  useEffect(() => stop, [stop]);
  const animate = useCallback(
    (from: ModelCamera, to: ModelCamera) => {
      stop();
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) return latest.current(to);
      const began = performance.now();
      const step = () => {
        const part = Math.min(1, (performance.now() - began) / durationMs);
        latest.current(part === 1 ? to : interpolateCameras(from, to, part * part * (3 - 2 * part)));
        if (part < 1) frame.current = requestAnimationFrame(step);
      };
      step();
    },
    [stop],
  );
  return { animate, stop };
}
