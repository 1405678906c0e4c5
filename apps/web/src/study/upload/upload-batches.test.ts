import { beforeAll, describe, expect, it, vi } from "vitest";
import type { IngestJob } from "@arcada/contract/study/upload-job.calls";
import type {
  Batch,
  matchPending as MatchLeft,
  getPercent as PercentOf,
  uploadShare as SentShare,
  getStage as StageOf,
} from "./upload-batches.ts";

let stageOf: typeof StageOf;
let matchLeft: typeof MatchLeft;
let percentOf: typeof PercentOf;
let sentShare: typeof SentShare;
beforeAll(async () => {
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => {} });
  ({
    getStage: stageOf,
    matchPending: matchLeft,
    getPercent: percentOf,
    uploadShare: sentShare,
  } = await import("./upload-batches.ts"));
});

const batch: Batch = {
  key: "k",
  owner: "o",
  patient: { id: "p", name: "王小明" },
  kind: null,
  files: 2,
  uploads: ["1"],
  left: [],
  job: null,
};
const left = [{ key: "a/I1 10 5", name: "I1" }];
const job = (state: IngestJob["state"], questions: string[] = []) => ({ state, questions, progress: 0.5 }) as IngestJob;
const now = { sending: undefined, problem: undefined, job: undefined };
const uploadProgress = { state: "paused", bytes: 200, sent: 100 } as const;

describe("a batch of files", () => {
  it("derives its stage from the upload and the job", () => {
    expect(stageOf({ ...now, batch: { ...batch, left }, sending: uploadProgress })).toBe("paused");
    expect(stageOf({ ...now, batch: { ...batch, left } })).toBe("missing");
    expect(stageOf({ ...now, batch })).toBe("opening");
    expect(stageOf({ ...now, batch, problem: "The storage is full." })).toBe("problem");
    expect(stageOf({ ...now, batch: { ...batch, job: "j" } })).toBe("working");
    expect(stageOf({ ...now, batch: { ...batch, job: "j" }, job: job("failed") })).toBe("failed");
    expect(stageOf({ ...now, batch: { ...batch, job: "j" }, job: job("done", ["s"]) })).toBe("question");
  });

  it("finds its missing files among those chosen again, alone or in their folder", () => {
    const file = (path: string, size = 10, lastModified = 5) =>
      ({ name: path.split("/").at(-1), webkitRelativePath: path, size, lastModified }) as File;
    const keyOf = (one: File) => `${one.webkitRelativePath} ${one.size} ${one.lastModified}`;
    const lacks = [
      ...left,
      { key: "a/my scan 1 10 5", name: "my scan 1" },
      { key: "b/I2 10 5", name: "I2" },
      { key: "c/I2 10 5", name: "I2" },
    ];
    const chosen = [file("a/I1"), file("my scan 1"), file("I2"), file("I1", 11), file("b/I2")];
    expect([...matchLeft(lacks, chosen, keyOf)].map(([one, key]) => [one.webkitRelativePath, key])).toEqual([
      ["a/I1", "a/I1 10 5"],
      ["my scan 1", "a/my scan 1 10 5"],
      ["b/I2", "b/I2 10 5"],
    ]);
  });

  it("computes its progress from the bytes sent and the progress of its job", () => {
    const going = { ...now, batch, stage: "sending", sending: uploadProgress } as const;
    const working = { ...now, batch, stage: "working", job: job("running") } as const;
    expect(percentOf([going])).toBe(35);
    expect(percentOf([going, working])).toBe(60);
    expect(percentOf([])).toBe(100);
  });

  it("never loses progress between the last byte sent and the processing by the server", () => {
    const sent = { ...now, batch, stage: "sending", sending: { state: "sending", bytes: 200, sent: 200 } } as const;
    const opening = { ...now, batch, stage: "opening" } as const;
    const begun = { ...now, batch, stage: "working", job: { ...job("running"), progress: 0 } } as const;
    const share = Math.floor(100 * sentShare);
    expect([sent, opening, begun].map((one) => percentOf([one]))).toEqual([share, share, share]);
  });
});
