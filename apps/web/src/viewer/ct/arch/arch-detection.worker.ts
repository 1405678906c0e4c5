import { guessArch } from "@arcada/imaging/arch/detection/detect-arches";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import type { ArchGuess } from "@arcada/imaging/arch/detection/detected-arches";

export interface ArchDetectionTask {
  info: VolumeInfo;
  values: Int16Array;
}

self.addEventListener("message", ({ data: { info, values } }: MessageEvent<ArchDetectionTask>) => {
  self.postMessage(guessArch(info, values) satisfies ArchGuess | null);
});
