import { graphics } from "./graphics.ts";

/**
 * The drawing speed of these graphics, learnt from fences, which report without blocking whether the graphics have
 * reached them.
 */
export interface Pace {
  /** Returns true if all submitted work is done: drawing that piles up is seen seconds late. */
  isFree: () => boolean;
  msOf: (kind: string, work: number) => number;
  workIn: (kind: string, ms: number) => number;
  /** Records submitted work of a kind; work is pixels × samples. */
  add: (kind: string, work: number) => void;
  /** Sends the submitted work to the graphics. */
  send: () => void;
  stop: () => void;
}

/** ms for a sample. */
const slowest = 2e-3;

export function pace(gl: WebGL2RenderingContext): Pace {
  const rates = new Map<string, number>();
  const rateOf = (kind: string): number => rates.get(kind) ?? (graphics().kind === "software" ? 1e-4 : 1e-6);
  const begun = new Map<string, number>();
  let fence: WebGLSync | null = null;
  let sent = 0;
  // The time that the graphics spend on other work, such as composing the page, in ms: the shortest round of late.
  let besides = 1000;
  const learn = (took: number) => {
    besides = Math.min(took, besides * 1.1);
    const expected = [...begun].reduce((sum, [kind, work]) => sum + work * rateOf(kind), 0);
    const factor = (took - besides) / Math.max(0.01, expected);
    // A busy page learns late that drawing is done: slowness is adopted slowly.
    const weight = factor > 1 ? 0.25 : 0.5;
    for (const kind of begun.keys())
      rates.set(kind, Math.min(slowest, Math.max(1e-8, rateOf(kind) * (1 - weight + weight * Math.min(8, factor)))));
    begun.clear();
  };
  return {
    isFree: () => {
      if (!fence) return true;
      if (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) return false;
      gl.deleteSync(fence);
      fence = null;
      learn(performance.now() - sent);
      return true;
    },
    msOf: (kind, work) => work * rateOf(kind),
    workIn: (kind, ms) => ms / rateOf(kind),
    add: (kind, work) => void begun.set(kind, (begun.get(kind) ?? 0) + work),
    send: () => {
      if (begun.size === 0) return;
      fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
      sent = performance.now();
      gl.flush();
    },
    stop: () => gl.deleteSync(fence),
  };
}
