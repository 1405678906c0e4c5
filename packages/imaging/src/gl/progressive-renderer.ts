import type { Size } from "../view/image-view.ts";
import type { DrawRegion } from "./bind-framebuffer-area.ts";
import type { FramePacing } from "./frame-pacing.ts";
import { createRenderTarget, type RenderTarget } from "./render-target.ts";
import type { ViewportArea } from "./volume-viewport-renderer.ts";

/**
 * `waiting`: others were drawn this time; `rough`: the shown image is coarser than the final one; `reduced`: coarser
 * than its place, and stays so; `partlyCoarse`: a part of it is drawn from a coarser texture, and stays so.
 */
export type RenderProgress = "done" | "rough" | "reduced" | "partlyCoarse" | "waiting";

/** One image to be drawn. */
interface RenderTask {
  name: string;
  /** Identifies its content. */
  key: string;
  kind: string;
  place: ViewportArea;
  /** Its size in pixels, which may be smaller than its place. */
  size: Size;
  /** Samples for each pixel. */
  samples: number;
  /** On slow graphics it stays coarser than its place. */
  mayReduce: boolean;
  /** Draws lines `from` to `to` of a frame; `isRough`: with as few samples as will do for the moment. */
  draw: (region: DrawRegion) => void;
}

/** The longest time of one work step in ms: the page can respond in between. */
const chunkMs = 24;
/** ms of an image that is drawn at once, and of all drawing that is submitted before the graphics are waited for. */
const immediateMs = 100;
const maxQueuedMs = 100;
/** ms after which a waiting user has moved on; and the smallest share of the side, however long it takes. */
const maxReducedMs = 4000;
const minReducedShare = 0.45;
/**
 * However slow the machine: the coarse image's share of the side, and the number of parts in which the fine one is
 * drawn.
 */
const minCoarseShare = 0.2;
const maxChunks = 12;

/**
 * Draws images so that the graphics are never far behind the pointer: fast ones at once; slow ones first coarsely, then
 * line by line, as long as nothing changes.
 */
export class ProgressiveRenderer {
  private readonly viewportStates = new Map<string, ViewportState>();
  /** ms that have been begun this time. */
  private queuedMs = 0;
  /** True if a new image had to wait: no other is refined before it. */
  private isTaskWaiting = false;
  private wasTaskWaiting = false;
  private readonly gl: WebGL2RenderingContext;
  private readonly framePacing: FramePacing;
  constructor(gl: WebGL2RenderingContext, framePacing: FramePacing) {
    this.gl = gl;
    this.framePacing = framePacing;
  }

  /** Returns true if something can be drawn now. */
  begin(): boolean {
    if (!this.framePacing.isIdle()) return false;
    this.queuedMs = 0;
    this.wasTaskWaiting = this.isTaskWaiting;
    this.isTaskWaiting = false;
    return true;
  }

  render(task: RenderTask): RenderProgress {
    const { gl, framePacing, queuedMs } = this;
    const { name, key, kind, size, samples } = task;
    const createState = () => ({
      key: "",
      kind,
      samples,
      line: 0,
      size,
      coarse: createRenderTarget(gl),
      fine: createRenderTarget(gl),
    });
    const state = this.viewportStates.get(name) ?? createState();
    this.viewportStates.set(name, state);
    const isNew = state.key !== key;
    const cost = framePacing.estimateMs(kind, size.width * size.height * samples);
    const isFull = queuedMs > 0 && queuedMs + Math.min(cost, chunkMs) > maxQueuedMs;
    if (isNew && isFull) {
      this.isTaskWaiting = true;
      return "waiting";
    }
    if (isNew) this.start(task, state, cost);
    else if (state.line < state.size.height && !isFull && !this.wasTaskWaiting) this.resume(task, state);
    if (state.line < state.size.height) return "rough";
    return state.size.width < 0.95 * task.place.width ? "reduced" : "done";
  }

  end(): void {
    this.framePacing.submit();
  }

  /** Returns the ms that the final image of a viewport needs at the speed of these graphics; 0 if it has none. */
  estimateMs(name: string): number {
    const state = this.viewportStates.get(name);
    return state ? this.framePacing.estimateMs(state.kind, state.size.width * state.size.height * state.samples) : 0;
  }

  clear(): void {
    for (const { coarse, fine } of this.viewportStates.values()) for (const part of [coarse, fine]) part.dispose();
    this.viewportStates.clear();
  }

  private start(task: RenderTask, state: ViewportState, cost: number): void {
    const { place } = task;
    const canvasRegion = getCanvasRegion(this.gl, place);
    const size = task.mayReduce ? reduceSize(task.size, cost) : task.size;
    state.key = task.key;
    state.kind = task.kind;
    state.samples = task.samples;
    state.size = size;
    state.line = size.height;
    if (cost <= immediateMs && size.width === place.width && size.height === place.height)
      return this.draw(task, { ...canvasRegion, target: null, from: 0, to: place.height, isRough: false });
    const part = Math.min(1, Math.max(minCoarseShare, Math.sqrt((2 * chunkMs) / cost)));
    if (part < 1) state.line = 0;
    const target = part < 1 ? state.coarse : state.fine;
    target.resize(Math.ceil(size.width * part), Math.ceil(size.height * part));
    this.draw(task, getTargetRegion(target, 0, target.height(), part < 1));
    target.copyTo(null, canvasRegion);
  }

  private resume(task: RenderTask, state: ViewportState): void {
    const { place, kind, samples } = task;
    const { fine, coarse, size } = state;
    if (state.line === 0) {
      fine.resize(size.width, size.height);
      coarse.copyTo(fine.framebuffer(), { left: 0, bottom: 0, ...size });
    }
    const chunkLines = Math.max(
      size.height / maxChunks,
      this.framePacing.getWorkWithin(kind, chunkMs) / (size.width * samples),
    );
    const to = Math.min(size.height, state.line + Math.ceil(chunkLines));
    this.draw(task, getTargetRegion(fine, state.line, to, false));
    state.line = to;
    fine.copyTo(null, getCanvasRegion(this.gl, place));
  }

  private draw({ kind, samples, draw }: RenderTask, region: DrawRegion): void {
    const work = (region.to - region.from) * region.width * samples * (region.isRough ? 0.5 : 1);
    this.queuedMs += this.framePacing.estimateMs(kind, work);
    this.framePacing.addWork(kind, work);
    draw(region);
  }
}

/** The drawing state of one viewport. */
interface ViewportState {
  key: string;
  kind: string;
  /** Samples for each pixel. */
  samples: number;
  /** Finished lines of the fine image. */
  line: number;
  /** Pixels of the fine image. */
  size: Size;
  coarse: RenderTarget;
  fine: RenderTarget;
}

function reduceSize({ width, height }: Size, cost: number): Size {
  const part = Math.min(1, Math.max(minReducedShare, Math.sqrt(maxReducedMs / cost)));
  return { width: Math.ceil(width * part), height: Math.ceil(height * part) };
}

const getTargetRegion = (target: RenderTarget, from: number, to: number, isRough: boolean): DrawRegion => {
  const [width, height] = [target.width(), target.height()];
  return { target, left: 0, bottom: 0, width, height, from, to, isRough };
};

const getCanvasRegion = (gl: WebGL2RenderingContext, { left, top, width, height }: ViewportArea) => ({
  left,
  width,
  height,
  bottom: gl.drawingBufferHeight - top - height,
});
