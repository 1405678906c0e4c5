import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import { fakeBrowser } from "../browser/fake-browser.ts";
import { RefusalError } from "./call-errors.ts";
import { uploadInParts } from "./upload-in-parts.ts";

const file = new File([new Uint8Array(250)], "one.bin");
const sends = (offset = 0) => uploadInParts(file, { path: "/pieces/1", offset, pieceBytes: 100 });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a file that is uploaded in parts", () => {
  it("arrives complete, one part after the other", async () => {
    const place = somewhere();
    await sends();
    expect(place).toMatchObject({ at: 250, ends: 1, pieces: [100, 100, 50] });
  });

  it("is completed by a retry if only the completion failed", async () => {
    const place = somewhere({ failures: 2 });
    await Promise.all([sends(), vi.runAllTimersAsync()]);
    expect(place).toMatchObject({ at: 250, ends: 1, pieces: [100, 100, 50, 0, 0] });
  });

  it("is completed if an earlier attempt sent all bytes", async () => {
    const place = somewhere({ at: 250 });
    await sends(250);
    expect(place).toMatchObject({ ends: 1, pieces: [0] });
  });

  it("is aborted if the server refuses it", async () => {
    somewhere({ refuses: true });
    await expect(sends()).rejects.toBeInstanceOf(RefusalError);
  });
});

/** A server that keeps what comes; its end fails so many times. */
function somewhere({ at = 0, failures = 0, refuses = false } = {}) {
  const place = { at, ends: 0, pieces: [] as number[] };
  fakeBrowser();
  const answer = (status: number, code: number, data: unknown = null) =>
    new Response(JSON.stringify({ code, msg: "", data }), { status });
  const refused = (name: "uploadOffset" | "uploadUnknown", data: unknown = null) =>
    answer(refusals[name].status, refusals[name].code, data);
  vi.stubGlobal("fetch", async (_path: string, { headers, body }: { headers: Record<string, string>; body: Blob }) => {
    if (refuses) return refused("uploadUnknown");
    if (Number(headers["upload-offset"]) !== place.at) return refused("uploadOffset", { offset: String(place.at) });
    place.pieces.push(body.size);
    place.at += body.size;
    if (place.at === file.size && failures-- > 0) return answer(500, 50_000);
    if (place.at === file.size) place.ends++;
    return answer(200, 200, { offset: place.at });
  });
  return place;
}
