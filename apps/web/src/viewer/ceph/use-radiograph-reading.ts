import { useEffect, useState } from "react";
import type { CephOpened } from "@arcada/contract/ceph/ceph.calls";
import type { Instance } from "@arcada/contract/study/study.schema";
import type { CephImagePoint, CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import type { RasterImage } from "@arcada/imaging/gl/raster-image";
import { landmarkErrors } from "@arcada/analysis/head-fit/measured-errors";
import { landmarkEntries } from "@arcada/analysis/ceph/normalised-tracing";
import type { ReadingJob, ReadingResult } from "./read-radiograph.worker.ts";

/** The browser's reading of a radiograph; nothing of it counts until a person takes it. In the file's pixels. */
export interface RadiographReading {
  /** Clockwise quarters until the head is upright; null if unknown. */
  turns: 0 | 1 | 2 | 3 | null;
  /** Suggested positions: of an analysis engine where there is one, else of the fitted mean head. */
  suggestions: Partial<Record<CephLandmark, CephImagePoint>>;
  /** The radius in which the true place may lie, where an engine states it. */
  spreads: Partial<Record<CephLandmark, number>>;
  /** The landmarks among them that the mean head suggests. */
  fittedLandmarks: ReadonlySet<CephLandmark>;
  ruler: { scales: CephOpened["proposals"]["scales"]; line: readonly [CephImagePoint, CephImagePoint] | null };
}

/** Reads the radiograph in the background, once, while landmarks or the scale are missing. */
export function useRadiographReading(
  { picture: file }: Instance,
  image: RasterImage,
  { proposals }: CephOpened,
  isWanted: boolean,
): RadiographReading {
  const [result, setResult] = useState<ReadingResult | null>(null);
  const isRead = result !== null && result.ruler !== "pending";
  useEffect(() => {
    if (!isWanted || isRead) return;
    const worker = new Worker(new URL("./read-radiograph.worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<ReadingResult>) => setResult(data));
    const { columns, rows, spacing } = image;
    const pixels =
      image.kind === "grey" ? { kind: image.kind, data: image.data } : { kind: image.kind, bitmap: image.bitmap };
    worker.postMessage({ columns, rows, spacing, ...pixels } satisfies ReadingJob);
    return () => worker.terminate();
  }, [image, isWanted, isRead]);
  const scale = file ? file.columns / image.columns : 1;
  const toFile = ([x, y]: readonly [number, number]): CephImagePoint => [
    Math.round(x * scale * 100) / 100,
    Math.round(y * scale * 100) / 100,
  ];
  const fitted = result?.head ? landmarkEntries(result.head.landmarks).filter(([id]) => landmarkErrors[id]) : [];
  const byEngine = landmarkEntries(proposals.landmarks as RadiographReading["suggestions"]);
  const suggestedByEngine = new Set(byEngine.map(([id]) => id));
  const ruler = result === null || result.ruler === "pending" ? null : result.ruler;
  return {
    turns: result?.head?.turns ?? null,
    suggestions: Object.fromEntries([...fitted.map(([id, at]) => [id, toFile(at)] as const), ...byEngine]),
    spreads: proposals.spreads,
    fittedLandmarks: new Set(fitted.map(([id]) => id).filter((id) => !suggestedByEngine.has(id))),
    ruler: {
      scales:
        proposals.scales.length > 0 || !ruler
          ? proposals.scales
          : ruler.scales.map(({ width, mm }) => ({ width: width / scale, mm })),
      line: ruler && [toFile(ruler.line[0]), toFile(ruler.line[1])],
    },
  };
}
