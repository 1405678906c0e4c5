import { beforeEach, expect, it, vi } from "vitest";
import { prefetchMesh, takeMeshFetcher } from "./mesh-fetcher.ts";
import type { MeshMessage, MeshJob, ReadyMesh } from "./load-mesh.worker.ts";
import { getDrawnMesh, isCoarse, isNothingDrawn, keepCoarse, startLoading, type MeshLoad } from "./use-meshes.ts";
import { findModelsWithoutTree } from "./use-surface-trees.ts";

const job: MeshJob = { url: "/files/a.stl", glb: "/files/a.glb", coarse: null, kind: "stl" };

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

it("draws the coarse copy until the full surface comes, and measures only that", () => {
  const loads: MeshLoad[] = [];
  const models = () => new Map(loads.slice(-1).map((load) => ["scan", load]));
  startLoading(
    job,
    (load) => loads.push(keepCoarse(load, loads.at(-1))),
    () => loads.push(keepCoarse({ state: "failed", reason: "network" }, loads.at(-1))),
  );
  const [worker] = FakeWorker.made;
  const [coarse, full] = [{ triangles: 250_000 }, { triangles: 5_000_000 }] as ReadyMesh[];
  worker.answers({ coarse });
  worker.answers({ came: 1_000_000 });
  expect(getDrawnMesh(loads.at(-1))).toBe(coarse);
  expect(loads.at(-1)?.state).toBe("loading");
  expect([...findModelsWithoutTree(models())]).toEqual(["scan"]);
  expect(isCoarse(models())).toBe(true);
  worker.answers({ mesh: full });
  expect(getDrawnMesh(loads.at(-1))?.triangles).toBe(5_000_000);
  expect(isCoarse(models())).toBe(false);
});

it("is drawn as soon as its coarse copy comes", () => {
  const coarse = { triangles: 250_000 } as ReadyMesh;
  const loading: MeshLoad = { state: "loading", came: 0 };
  const isWaiting = (load: MeshLoad) => isNothingDrawn(new Map([["scan", load]]));
  expect([loading, { ...loading, coarse }].map(isWaiting)).toEqual([true, false]);
});

it("keeps the coarse copy drawn, as such, if the full surface does not come", () => {
  const coarse = { triangles: 250_000 } as ReadyMesh;
  const failed = keepCoarse({ state: "failed", reason: "network" }, { state: "loading", came: 5, coarse });
  expect(getDrawnMesh(failed)).toBe(coarse);
  expect(isCoarse(new Map([["scan", failed]]))).toBe(true);
});

it.each([
  ["that came with it", (worker: FakeWorker, coarse: ReadyMesh) => worker.answers({ coarse }), false],
  ["that an earlier attempt has drawn", () => {}, true],
] as const)("keeps the camera's target but not the orientation of a coarse copy %s", (_, answer, isDrawn) => {
  const loads: MeshLoad[] = [];
  const bounds = { min: [0, 0, 0], max: [9.9, 10, 10] } as const;
  const shape = { side: 1, along: null, against: null, normal: [0, 0, 1] } as unknown as ReadyMesh["shape"];
  const coarse = { bounds, shape } as ReadyMesh;
  startLoading(
    job,
    (load) => loads.push(load),
    () => {},
    isDrawn ? coarse : undefined,
  );
  const [worker] = FakeWorker.made;
  answer(worker, coarse);
  // The normal of the same shape may have the other sign.
  const own = { ...shape, normal: [0, 0, -1] } as unknown as ReadyMesh["shape"];
  worker.answers({ mesh: { bounds: { ...bounds, max: [10, 10, 10] }, shape: own } as unknown as ReadyMesh });
  expect(getDrawnMesh(loads.at(-1))).toEqual({ bounds, shape: own });
});
