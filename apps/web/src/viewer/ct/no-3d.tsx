import { useEffect } from "react";
import type { Series } from "@arcada/contract/study/study.calls";
import { endFirstLook } from "../first/first-stage.ts";
import { Without3d } from "../frame/without-3d.tsx";

/** Shows a volume in a browser without WebGL 2: its slices, or else one image of it. */
export function No3d({ series }: { series: Series }) {
  useEffect(endFirstLook, []);
  const slices = series.instances.flatMap(({ id, name, thumbnailUrl }) =>
    thumbnailUrl === null ? [] : [{ id, name, thumbnailUrl }],
  );
  const { id, description, thumbnailUrl } = series;
  const whole = thumbnailUrl === null ? [] : [{ id, name: description ?? "", thumbnailUrl }];
  return <Without3d pictures={slices.length > 0 ? slices : whole} />;
}
