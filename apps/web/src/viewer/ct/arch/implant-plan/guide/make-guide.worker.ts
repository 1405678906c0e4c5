import { makeGuideBody } from "@arcada/imaging/guide/guide-body";
import { GuideError, type GuideInput, type GuideProblem } from "@arcada/imaging/guide/guide-input";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";

export type GuideMessage =
  | { share: number }
  | { stl: Uint8Array<ArrayBuffer>; parts: number }
  | { problem: GuideProblem | "failed" };

self.addEventListener("message", ({ data }: MessageEvent<GuideInput>) => {
  try {
    const { mesh, parts } = makeGuideBody(data, (share) => post({ share }));
    const stl = writeStl(mesh, "Arcada surgical guide");
    post({ stl, parts }, [stl.buffer]);
  } catch (error) {
    post({ problem: error instanceof GuideError ? error.problem : "failed" });
  }
});

const post = (message: GuideMessage, transfer: Transferable[] = []): void => self.postMessage(message, { transfer });
