import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { studyRules } from "@arcada/contract/study/study.rules";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { readMp4, VideoError, type VideoFault } from "@arcada/imaging/video/read-mp4";
import type { VideoInfo } from "../../tables/study-columns.ts";
import { refuse } from "../../platform/http/refuse.ts";

/**
 * Reads what is known of a video. It is kept as it came, and browsers play it. Refuses `fileVideoLong` for more than the
 * rules allow, and files without pictures or with a broken description by their fault.
 */
export function readVideo(path: string): VideoInfo {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size > studyRules.videoBytes) refuse("fileVideoLong");
    const facts = readMp4((offset, length) => {
      const bytes = Buffer.alloc(Math.min(length, Math.max(0, size - offset)));
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset));
    }, size);
    return facts.seconds > studyRules.videoSeconds ? refuse("fileVideoLong") : facts;
  } catch (error) {
    if (error instanceof VideoError) refuse(refusals[error.reason]);
    throw error;
  } finally {
    closeSync(file);
  }
}

const refusals: Record<VideoFault, RefusalName> = {
  truncated: "fileTruncated",
  notVideo: "fileBroken",
  noPicture: "fileUnsupported",
  fragmented: "fileUnsupported",
};
