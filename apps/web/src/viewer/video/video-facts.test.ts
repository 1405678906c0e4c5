import { expect, it } from "vitest";
import { formatVideoLength, nameCodec } from "./video-facts.ts";

it("names the encoding of a video as people know it", () => {
  expect(["avc1", "hvc1", "mjpg"].map(nameCodec)).toEqual(["H.264", "HEVC", "mjpg"]);
});

it("rounds the length of a video to seconds", () => {
  expect([4.6, 59.7, 605].map(formatVideoLength)).toEqual(["0:05", "1:00", "10:05"]);
});
