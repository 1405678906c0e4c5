import { guessArch, type ArchGuess } from "@arcada/imaging/arch/detection/detect-arches";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";

export interface ArchDetectionTask {
  info: VolumeInfo;
  values: Int16Array;
}

self.addEventListener("message", ({ data: { info, values } }: MessageEvent<ArchDetectionTask>) => {
  self.postMessage(guessArch(info, values) satisfies ArchGuess | null);
});
