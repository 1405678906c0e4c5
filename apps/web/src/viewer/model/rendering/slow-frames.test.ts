import { beforeEach, expect, it, vi } from "vitest";
import { createFrameWatch, drawUntilRest } from "./slow-frames.ts";

/** A graphics processor that finishes an image after the given time; null: it gives no fence. */
function fakeContext(frameMs: number | null) {
  return {
    SYNC_GPU_COMMANDS_COMPLETE: 0x9117,
    SYNC_STATUS: 0x9114,
    SIGNALED: 0x9119,
    fenceSync: () => (frameMs === null ? null : ({ done: performance.now() + frameMs } as WebGLSync)),
    flush: () => {},
    isContextLost: () => false,
    getSyncParameter: (fence: WebGLSync) => ((fence as { done: number }).done <= performance.now() ? 0x9119 : 0),
    deleteSync: () => {},
  } as const;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => setTimeout(draw, 16));
  vi.stubGlobal("cancelAnimationFrame", (frame: number) => clearTimeout(frame));
});

it.each([
  ["slow", 900, true],
  ["fast", 30, false],
])("finds that a graphics processor is %s", (_, frameMs, isSlow) => {
  const frames = createFrameWatch(fakeContext(frameMs));
  frames.measure();
  expect(frames.isSlow()).toBe(false);
  vi.advanceTimersByTime(300);
  expect(frames.isSlow()).toBe(isSlow);
  vi.advanceTimersByTime(1000);
  expect(frames.isSlow()).toBe(isSlow);
});

it("finds nothing slow that it could not measure", () => {
  const frames = createFrameWatch(fakeContext(null));
  frames.measure();
  vi.advanceTimersByTime(1000);
  expect(frames.isSlow()).toBe(false);
});

it("draws the full surfaces at rest, though they became slow only between the movement and its frame", () => {
  const frames = createFrameWatch(fakeContext(900));
  const drawn: string[] = [];
  const render = (isMoving: boolean) => {
    const isCoarse = isMoving && frames.isSlow();
    drawn.push(isCoarse ? "coarse" : "full");
    return isCoarse;
  };
  frames.measure();
  vi.advanceTimersByTime(190);
  expect(frames.isSlow()).toBe(false);
  drawUntilRest(render, true);
  vi.advanceTimersByTime(20);
  expect(drawn).toEqual(["coarse"]);
  vi.advanceTimersByTime(300);
  expect(drawn).toEqual(["coarse", "full"]);
});

it("draws no full surfaces between two movements, nor twice at rest", () => {
  const render = vi.fn<(isMoving: boolean) => boolean>((isMoving) => isMoving);
  const stop = drawUntilRest(render, true);
  vi.advanceTimersByTime(100);
  stop();
  drawUntilRest(render, false);
  vi.advanceTimersByTime(1000);
  expect(render.mock.calls).toEqual([[true], [false]]);
});
