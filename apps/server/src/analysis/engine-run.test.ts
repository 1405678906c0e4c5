import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeHead } from "@arcada/imaging/phantom/head";
import { pano } from "@arcada/imaging/phantom/panorama";
import { runEngine } from "./engine-run.ts";
import type { EngineTask } from "./engine-task.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-engine-"));
afterAll(() => rmSync(folder, { recursive: true }));

const patient = { name: "Wang^Wei", id: "1", birthDate: "19800101", sex: "M" } as const;

function panorama(): EngineTask {
  const { name, bytes } = pano(makeHead("three"), patient);
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return {
    engine: { kind: "measurement" },
    source: { kind: "picture", path: file, format: "dicom", shows: "panorama", spacing: null },
    out: folder,
  };
}

describe("an engine's run", () => {
  it("measures a stored panorama apart from the event loop, and tells how far it is", async () => {
    const seen: number[] = [];
    const outcome = await runEngine(panorama(), {
      signal: new AbortController().signal,
      onProgress: (share) => seen.push(share),
    });
    expect(outcome).toMatchObject({ state: "done", abstentions: [] });
    const codes = outcome.state === "done" ? outcome.observations.map(({ code }) => code) : [];
    expect(codes).toEqual(expect.arrayContaining(["IQ_SIZE", "PAN_TILT", "PAN_MIDLINE"]));
    expect(seen.length).toBeGreaterThan(0);
  });
});
