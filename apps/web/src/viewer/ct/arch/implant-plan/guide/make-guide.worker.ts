import { makeGuideBody } from "@arcada/imaging/guide/guide-body";
import { GuideError, type GuideInput, type GuideProblem } from "@arcada/imaging/guide/guide-input";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";

export type GuideMessage =
  | { percent: number }
  /** `parts`: separate bodies, of which a usable guide has one. */
  | { stl: Uint8Array<ArrayBuffer>; parts: number }
  | { problem: GuideProblem | "failed" };

self.addEventListener("message", ({ data }: MessageEvent<GuideInput>) => {
  try {
    const { mesh, parts } = makeGuideBody(data, reportWholePercents());
    const stl = writeStl(mesh, "Arcada surgical guide");
    post({ stl, parts }, [stl.buffer]);
  } catch (error) {
    post({ problem: error instanceof GuideError ? error.problem : "failed" });
  }
});

/** Each message makes the page render: one for each percent is enough. */
function reportWholePercents(): (share: number) => void {
  let last = -1;
  return (share) => {
    const percent = Math.round(share * 100);
    if (percent === last) return;
    last = percent;
    post({ percent });
  };
}

function post(message: GuideMessage, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}
