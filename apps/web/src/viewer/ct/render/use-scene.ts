import { useEffect, useRef, useState } from "react";
import { uniqueKey } from "../../../kernel/unique.ts";
import type { CtParts } from "../layout/pane-props.ts";
import { firstScene, keptOf, sceneOf, type Scene } from "./scene.ts";

const restMilliseconds = 1000;

/** The scene as it was left, saved with the annotations of the study a moment after its last change. */
export function useScene({
  series,
  marks,
  store: { info },
}: CtParts): [Scene, (change: (now: Scene) => Partial<Scene>) => void] {
  const owner = series.instances[0]?.id ?? null;
  const mark = marks.list.find(({ tool, instanceId }) => tool === "scene" && instanceId === owner);
  const [held, hold] = useState<Scene | null>(null);
  const kept = mark ? sceneOf(mark, info) : firstScene;
  const latest = useRef({ marks, mark });
  useEffect(() => void (latest.current = { marks, mark }));
  useEffect(() => {
    if (!held) return;
    const timer = setTimeout(() => {
      const { marks: now, mark: before } = latest.current;
      const { points, settings } = keptOf(held, info);
      const own = { tool: "scene", instanceId: owner, plane: "volume", text: null, points, settings } as const;
      now.amend({ id: before?.id ?? uniqueKey(), ...own });
    }, restMilliseconds);
    return () => clearTimeout(timer);
  }, [held, owner, info]);
  return [held ?? kept, (change) => hold((now) => ({ ...(now ?? kept), ...change(now ?? kept) }))];
}
