import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { detectFileKind } from "../file-kind.ts";
import { readMp4, VideoError } from "./read-mp4.ts";

/** Made by ffmpeg 5.1: two seconds of a test picture of 64 × 48 pixels. */
const sample = (name: string): Uint8Array => readFileSync(path.join(import.meta.dirname, "fixtures", name));
const read = (bytes: Uint8Array) => readMp4((offset, length) => bytes.subarray(offset, offset + length), bytes.length);
const reasonOf = (bytes: Uint8Array): string | null => {
  try {
    read(bytes);
  } catch (error) {
    if (error instanceof VideoError) return error.reason;
    throw error;
  }
  return null;
};

describe("an MP4 file", () => {
  it.each(["h264.mp4", "hevc.mp4", "turned.mov"])("%s is recognised by its bytes", (name) => {
    expect(detectFileKind(sample(name).subarray(0, 4096), "", sample(name).length)).toBe("mp4");
  });

  it("states its length, its size and its encoding", () => {
    expect(read(sample("h264.mp4"))).toEqual({ codec: "avc1", seconds: 2, width: 64, height: 48 });
    expect(read(sample("hevc.mp4"))).toMatchObject({ codec: "hvc1", seconds: 1 });
  });

  it("of a turned phone has the size in which it is shown", () => {
    expect(read(sample("turned.mov"))).toMatchObject({ width: 48, height: 64 });
  });
});

describe("a video that is no good", () => {
  it.each([
    ["has sound alone", sample("sound.mp4"), "noPicture"],
    ["states no length", sample("fragmented.mp4"), "fragmented"],
    ["is cut", sample("h264.mp4").subarray(0, 2000), "truncated"],
    ["has a beginning alone", sample("h264.mp4").subarray(0, 32), "truncated"],
  ])("is refused by name when it %s", (_what, bytes, reason) => {
    expect(reasonOf(bytes)).toBe(reason);
  });

  it("never makes the reader run on or read outside, whichever byte is wrong", () => {
    const whole = sample("h264.mp4");
    for (let at = 0; at < 1200; at++) {
      const bytes = Uint8Array.from(whole);
      bytes[at] = 0xff - (whole[at] ?? 0);
      expect(() => reasonOf(bytes)).not.toThrow();
    }
  });
});
