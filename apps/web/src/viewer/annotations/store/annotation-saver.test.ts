import { beforeEach, expect, it, vi } from "vitest";
import type { Annotation } from "@arcada/contract/study/annotation";
import { send } from "../../../data/ask.ts";
import { NoResponseError } from "../../../data/call-errors.ts";
import { AnnotationSaver, saveAllAnnotations } from "./annotation-saver.ts";

vi.mock("../../../data/ask.ts", () => ({ send: vi.fn<typeof send>() }));

const server = vi.mocked(send);
const annotate = (id: string) => [{ id } as Annotation];
const savedIds = () => server.mock.calls.map(([, input]) => (input as { marks: Annotation[] }).marks[0]?.id);

function openSaver() {
  const states: string[] = [];
  const saver = new AnnotationSaver("study", 1, (state) => states.push(state));
  return { saver, states };
}

beforeEach(async () => {
  vi.useFakeTimers();
  server.mockReset();
  server.mockImplementation(async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { version: 2 };
  });
});

it("saves at once what waits, and once", async () => {
  const { saver, states } = openSaver();
  saver.schedule(annotate("a"));
  const saving = saveAllAnnotations();
  await vi.advanceTimersByTimeAsync(150);
  expect(await saving).toBe(true);
  expect(states.at(-1)).toBe("saved");
  await vi.advanceTimersByTimeAsync(2000);
  expect(savedIds()).toEqual(["a"]);
  saver.close();
});

it("saves at once what has changed while an earlier version is on its way", async () => {
  const { saver } = openSaver();
  saver.schedule(annotate("a"));
  await vi.advanceTimersByTimeAsync(750);
  saver.schedule(annotate("b"));
  const saving = saveAllAnnotations();
  await vi.advanceTimersByTimeAsync(300);
  expect(await saving).toBe(true);
  expect(savedIds()).toEqual(["a", "b"]);
  saver.close();
});

it("waits for what a page that was left still saves", async () => {
  const { saver } = openSaver();
  saver.schedule(annotate("a"));
  saver.close();
  const onSaved = vi.fn<(isSaved: boolean) => void>();
  void saveAllAnnotations().then(onSaved);
  await vi.advanceTimersByTimeAsync(50);
  expect(onSaved).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(100);
  expect(onSaved).toHaveBeenCalledWith(true);
});

it.each([
  ["fails now", async () => {}],
  ["has failed earlier", async () => vi.advanceTimersByTimeAsync(1000)],
])("says so if a save %s", async (_, wait) => {
  server.mockRejectedValue(new NoResponseError(false, null));
  const { saver, states } = openSaver();
  saver.schedule(annotate("a"));
  await wait();
  expect(await saveAllAnnotations()).toBe(false);
  expect(states.at(-1)).toBe("lost");
  saver.close();
});
