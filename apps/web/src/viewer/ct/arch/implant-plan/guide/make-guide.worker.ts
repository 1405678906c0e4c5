import { makeGuideBody } from "@arcada/imaging/guide/guide-body";
import { GuideError, type GuideInput, type GuideProblem } from "@arcada/imaging/guide/guide-input";
import type { ImplantBody } from "@arcada/imaging/implant/implant-body";
import { getOutwardAxis, type SleeveMeasures } from "@arcada/imaging/implant/implant-parts";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";

export interface GuideJob extends Pick<GuideInput, "transform"> {
  scan: { positions: Float32Array; indices: Uint32Array };
  sleeves: readonly { body: ImplantBody; sleeve: SleeveMeasures }[];
  /** mm; `radius`: around the sleeves. */
  measures: { thickness: number; gap: number; radius: number };
}

export type GuideMessage =
  | { percent: number }
  /** `parts`: separate bodies, of which a usable guide has one. */
  | { stl: Uint8Array<ArrayBuffer>; parts: number }
  | { problem: GuideProblem | "failed" };

self.addEventListener("message", ({ data }: MessageEvent<GuideJob>) => {
  try {
    const { mesh, parts } = makeGuideBody(toGuideInput(data), reportWholePercents());
    const stl = writeStl(mesh, "Arcada surgical guide");
    post({ stl, parts }, [stl.buffer]);
  } catch (error) {
    post({ problem: error instanceof GuideError ? error.problem : "failed" });
  }
});

const toGuideInput = ({ scan, transform, sleeves, measures }: GuideJob): GuideInput => ({
  scan: { ...scan, colours: null },
  transform,
  sleeves: sleeves.map(({ body, sleeve }) => ({
    position: body.head,
    axis: getOutwardAxis(body),
    diameter: sleeve.outer,
    height: sleeve.height,
    offset: sleeve.offset,
  })),
  region: { kind: "radius", mm: measures.radius },
  insertion: null,
  settings: { thickness: measures.thickness, gap: measures.gap },
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
