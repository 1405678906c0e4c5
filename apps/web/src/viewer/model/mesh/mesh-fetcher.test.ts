import { beforeEach, expect, it, vi } from "vitest";
import { prefetchMesh, takeMeshFetcher } from "./mesh-fetcher.ts";
import type { MeshMessage, MeshJob, ReadyMesh } from "./load-mesh.worker.ts";
import { startLoading, type MeshLoad } from "./use-meshes.ts";

const job: MeshJob = { url: "/files/a.stl", glb: "/files/a.glb", kind: "stl" };

/** Fake workers that answer as instructed. */
class FakeWorker {
  static made: FakeWorker[] = [];
  jobs: MeshJob[] = [];
  ended = false;
  #listeners = new Map<string, (event: { data?: MeshMessage }) => void>();
  constructor() {
    FakeWorker.made.push(this);
  }
  addEventListener = (name: string, listener: (event: { data?: MeshMessage }) => void) =>
    this.#listeners.set(name, listener);
  postMessage = (one: MeshJob) => this.jobs.push(one);
  terminate = () => (this.ended = true);
  answers = (data: MeshMessage) => this.#listeners.get("message")?.({ data });
  dies = () => this.#listeners.get("error")?.({});
}

beforeEach(() => {
  FakeWorker.made = [];
  vi.useFakeTimers();
  vi.stubGlobal("Worker", FakeWorker);
});

it("delivers earlier and then new messages to its subscriber, and starts only once", () => {
  prefetchMesh(job);
  prefetchMesh(job);
  const [worker] = FakeWorker.made;
  worker.answers({ came: 1 });
  const received: (MeshMessage | null)[] = [];
  const fetcher = takeMeshFetcher(job);
  fetcher.subscribe((answer) => received.push(answer));
  worker.answers({ came: 2 });
  worker.dies();
  expect(FakeWorker.made).toHaveLength(1);
  expect(worker.jobs).toEqual([job]);
  expect(received).toEqual([{ came: 1 }, { came: 2 }, null]);
  fetcher.stop();
  expect(worker.ended).toBe(true);
  // A second request gets another worker.
  takeMeshFetcher(job);
  expect(FakeWorker.made).toHaveLength(2);
});

it("stops a prefetch that is not taken over", () => {
  prefetchMesh(job);
  vi.advanceTimersByTime(59_000);
  expect(FakeWorker.made[0].ended).toBe(false);
  vi.advanceTimersByTime(2_000);
  expect(FakeWorker.made[0].ended).toBe(true);
  takeMeshFetcher(job);
  expect(FakeWorker.made).toHaveLength(2);
});

it.each([
  ["its tree fails", (worker: FakeWorker) => worker.answers({ fault: "network" }), "network"],
  ["the worker dies at its tree", (worker: FakeWorker) => worker.dies(), "tooLarge"],
] as const)("keeps a surface shown if %s", (_, fail, treeFault) => {
  const loads: MeshLoad[] = [];
  const onFault = vi.fn<() => void>();
  startLoading(job, (load) => loads.push(load), onFault);
  const [worker] = FakeWorker.made;
  worker.answers({ mesh: {} as ReadyMesh });
  fail(worker);
  expect(loads.at(-1)).toEqual({ state: "ready", mesh: {}, tree: null, treeFault });
  expect(onFault).not.toHaveBeenCalled();
});
