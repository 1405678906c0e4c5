import { getGraphicsCapabilities } from "./graphics-capabilities.ts";

/**
 * The drawing speed of these graphics, learnt from fences, which report without blocking whether the graphics have
 * reached them.
 */
export interface FramePacing {
  /** Returns true if all submitted work is done: drawing that piles up is seen seconds late. */
  isIdle: () => boolean;
  estimateMs: (kind: string, work: number) => number;
  getWorkWithin: (kind: string, ms: number) => number;
  /** Records submitted work of a kind; work is pixels × samples. */
  addWork: (kind: string, work: number) => void;
  /** Sends the submitted work to the graphics. */
  submit: () => void;
  stop: () => void;
}

/** ms for a sample. */
const maxMsPerSample = 2e-3;

export function createFramePacing(gl: WebGL2RenderingContext): FramePacing {
  const msPerSample = new Map<string, number>();
  const getMsPerSample = (kind: string): number =>
    msPerSample.get(kind) ?? (getGraphicsCapabilities().kind === "software" ? 1e-4 : 1e-6);
  const pendingWork = new Map<string, number>();
  let fence: WebGLSync | null = null;
  let submittedAt = 0;
  // The time that the graphics spend on other work, such as composing the page, in ms: the shortest round of late.
  let otherWorkMs = 1000;
  const updateRates = (elapsedMs: number) => {
    otherWorkMs = Math.min(elapsedMs, otherWorkMs * 1.1);
    const expected = [...pendingWork].reduce((sum, [kind, work]) => sum + work * getMsPerSample(kind), 0);
    const factor = (elapsedMs - otherWorkMs) / Math.max(0.01, expected);
    // A busy page learns late that drawing is done: slowness is adopted slowly.
    const weight = factor > 1 ? 0.25 : 0.5;
    for (const kind of pendingWork.keys())
      msPerSample.set(
        kind,
        Math.min(maxMsPerSample, Math.max(1e-8, getMsPerSample(kind) * (1 - weight + weight * Math.min(8, factor)))),
      );
    pendingWork.clear();
  };
  return {
    isIdle: () => {
      if (!fence) return true;
      if (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) return false;
      gl.deleteSync(fence);
      fence = null;
      updateRates(performance.now() - submittedAt);
      return true;
    },
    estimateMs: (kind, work) => work * getMsPerSample(kind),
    getWorkWithin: (kind, ms) => ms / getMsPerSample(kind),
    addWork: (kind, work) => void pendingWork.set(kind, (pendingWork.get(kind) ?? 0) + work),
    submit: () => {
      if (pendingWork.size === 0) return;
      fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
      submittedAt = performance.now();
      gl.flush();
    },
    stop: () => gl.deleteSync(fence),
  };
}
