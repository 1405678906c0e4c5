import { useEffect, useRef, useState } from "react";
import { createUniqueKey } from "../../../browser/unique-id.ts";
import type { CtViewerState } from "../layout/viewport-props.ts";
import { defaultScene, serializeScene, parseScene, type Scene } from "./rendering-scene.ts";

const restMs = 1000;

/** The scene as it was left, saved with the annotations of the study a moment after its last change. */
export function useRenderingScene({
  series,
  annotations,
  store: { info },
}: CtViewerState): [Scene, (change: (now: Scene) => Partial<Scene>) => void] {
  const owner = series.instances[0]?.id ?? null;
  const annotation = annotations.list.find(({ tool, instanceId }) => tool === "scene" && instanceId === owner);
  const [held, setHeld] = useState<Scene | null>(null);
  const stored = annotation ? parseScene(annotation, info) : defaultScene;
  const latest = useRef({ marks: annotations, mark: annotation });
  useEffect(() => void (latest.current = { marks: annotations, mark: annotation }));
  useEffect(() => {
    if (!held) return;
    const timer = setTimeout(() => {
      const { marks, mark } = latest.current;
      const { points, settings } = serializeScene(held, info);
      const own = { tool: "scene", instanceId: owner, plane: "volume", text: null, points, settings } as const;
      marks.amend({ id: mark?.id ?? createUniqueKey(), ...own });
    }, restMs);
    return () => clearTimeout(timer);
  }, [held, owner, info]);
  return [held ?? stored, (change) => setHeld((now) => ({ ...(now ?? stored), ...change(now ?? stored) }))];
}
