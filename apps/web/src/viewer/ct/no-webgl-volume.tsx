import { useEffect } from "react";
import type { Series } from "@arcada/contract/study/study.schema";
import { endFirstPaint } from "../first-paint/first-paint-overlay.ts";
import { NoWebglNotice } from "../ui/page/no-webgl-notice.tsx";

/** Shows a volume in a browser without WebGL 2: its slices, or else one image of it. */
export function NoWebglVolume({ series }: { series: Series }) {
  useEffect(endFirstPaint, []);
  const slices = series.instances.flatMap(({ id, name, thumbnailUrl }) =>
    thumbnailUrl === null ? [] : [{ id, name, thumbnailUrl }],
  );
  const { id, description, thumbnailUrl } = series;
  const whole = thumbnailUrl === null ? [] : [{ id, name: description ?? "", thumbnailUrl }];
  return <NoWebglNotice images={slices.length > 0 ? slices : whole} />;
}
