import { beforeEach, expect, it, vi } from "vitest";
import { bringMeshEarly, meshBringer } from "./mesh-bringer.ts";
import type { MeshAnswer, MeshJob } from "./mesh.worker.ts";

const job: MeshJob = { url: "/files/a.stl", glb: "/files/a.glb", kind: "stl" };

/** Fake workers that answer as instructed. */
class FakeWorker {
  static made: FakeWorker[] = [];
  jobs: MeshJob[] = [];
  ended = false;
  #listeners = new Map<string, (event: { data?: MeshAnswer }) => void>();
  constructor() {
    FakeWorker.made.push(this);
  }
  addEventListener = (name: string, listener: (event: { data?: MeshAnswer }) => void) =>
    this.#listeners.set(name, listener);
  postMessage = (one: MeshJob) => this.jobs.push(one);
  terminate = () => (this.ended = true);
  answers = (data: MeshAnswer) => this.#listeners.get("message")?.({ data });
  dies = () => this.#listeners.get("error")?.({});
}

beforeEach(() => {
  FakeWorker.made = [];
  vi.useFakeTimers();
  vi.stubGlobal("Worker", FakeWorker);
});

it("tells whoever takes it what has come before, then what comes, and is begun once", () => {
  bringMeshEarly(job);
  bringMeshEarly(job);
  const [worker] = FakeWorker.made;
  worker!.answers({ came: 1 });
  const heard: (MeshAnswer | null)[] = [];
  const bringer = meshBringer(job);
  bringer.hear((answer) => heard.push(answer));
  worker!.answers({ came: 2 });
  worker!.dies();
  expect(FakeWorker.made).toHaveLength(1);
  expect(worker!.jobs).toEqual([job]);
  expect(heard).toEqual([{ came: 1 }, { came: 2 }, null]);
  bringer.stop();
  expect(worker!.ended).toBe(true);
  // A second request gets another worker.
  meshBringer(job);
  expect(FakeWorker.made).toHaveLength(2);
});

it("ends what nobody has come to take", () => {
  bringMeshEarly(job);
  vi.advanceTimersByTime(59_000);
  expect(FakeWorker.made[0]!.ended).toBe(false);
  vi.advanceTimersByTime(2_000);
  expect(FakeWorker.made[0]!.ended).toBe(true);
  meshBringer(job);
  expect(FakeWorker.made).toHaveLength(2);
});
