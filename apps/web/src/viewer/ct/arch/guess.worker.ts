import { guessArch, type ArchGuess } from "@arcada/imaging/arch/guess";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";

export interface GuessTask {
  info: VolumeInfo;
  values: Int16Array;
}

self.addEventListener("message", ({ data: { info, values } }: MessageEvent<GuessTask>) => {
  self.postMessage(guessArch(info, values) satisfies ArchGuess | null);
});
