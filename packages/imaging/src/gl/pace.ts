import { graphics } from "./graphics.ts";

/** How long drawing takes on these graphics: learnt from fences, which tell without waiting when they have come so far. */
export interface Pace {
  /** Whether all that was begun is done: drawing that piles up is seen seconds late. */
  isFree: () => boolean;
  msOf: (kind: string, work: number) => number;
  workIn: (kind: string, ms: number) => number;
  /** So much of a kind has been begun; its work is pixels × samples. */
  add: (kind: string, work: number) => void;
  /** What was begun goes to the graphics. */
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
  // What the graphics are busy with besides, as putting the page together: the least that a round has taken of late.
  let besides = 1000;
  const learn = (took: number) => {
    besides = Math.min(took, besides * 1.1);
    const expected = [...begun].reduce((sum, [kind, work]) => sum + work * rateOf(kind), 0);
    const factor = (took - besides) / Math.max(0.01, expected);
    // A page that is busy with something else hears late of what was done: slowness is believed slowly.
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
