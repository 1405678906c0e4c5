/** ms: at five images in a second, a model no longer follows the pointer. */
const slowFrameMs = 200;

/** The graphics processor is asked at this interval whether it has finished. */
const pollMs = 20;

/** After this time without movement, the full surfaces are drawn again. */
const restMs = 250;

type FenceContext = Pick<
  WebGL2RenderingContext,
  | "SYNC_GPU_COMMANDS_COMPLETE"
  | "SYNC_STATUS"
  | "SIGNALED"
  | "fenceSync"
  | "flush"
  | "isContextLost"
  | "getSyncParameter"
  | "deleteSync"
>;

export interface FrameWatch {
  /** Measures how long the graphics processor takes for everything that it has been given so far. */
  measure: () => void;
  /** True if the last measured image took so long that movements would not be smooth. */
  isSlow: () => boolean;
}

/**
 * Measures, without blocking the page, one image at a time; one that is not finished after the time of a slow image is
 * slow already. What cannot be measured changes nothing.
 */
export function createFrameWatch(gl: FenceContext): FrameWatch {
  let began: number | null = null;
  let wasSlow = false;
  return {
    measure: () => {
      if (began !== null) return;
      const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
      if (!fence) return;
      const start = (began = performance.now());
      gl.flush();
      const poll = () => {
        if (gl.isContextLost()) return void (began = null);
        if (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) return void setTimeout(poll, pollMs);
        gl.deleteSync(fence);
        began = null;
        wasSlow = performance.now() - start > slowFrameMs;
      };
      setTimeout(poll, pollMs);
    },
    isSlow: () => (began === null ? wasSlow : wasSlow || performance.now() - began > slowFrameMs),
  };
}

/**
 * Draws in the next animation frame. If coarse copies were drawn there, which is decided no earlier than in that frame,
 * the full surfaces follow after a rest. Returns a function that cancels both.
 * @param render draws, and returns true if it drew a coarse copy in place of a full surface
 */
export function drawUntilRest(render: (isMoving: boolean) => boolean, isMoving: boolean): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    if (render(isMoving)) timer = setTimeout(() => render(false), restMs);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
