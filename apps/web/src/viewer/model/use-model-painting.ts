import { useEffect, useRef, useState, type RefObject } from "react";
import type { ShownScene } from "./model-look.ts";
import { modelPainter, type ModelPainter } from "./model-painter.ts";
import type { ReadyMesh } from "./mesh.worker.ts";
import type { MeshLoad } from "./use-meshes.ts";

export type ModelPainting =
  | { state: "painting"; painter: ModelPainter }
  | { state: "opening" | "lost" | "absent"; painter: null };

/** Keeps the models inside `host` drawn as `shown` says, once for each change and at most once per frame. */
export function useModelPainting(
  host: RefObject<HTMLElement | null>,
  loads: ReadonlyMap<string, MeshLoad>,
  shown: ShownScene | null,
): ModelPainting {
  const [painting, setPainting] = useState<ModelPainting>({ state: "opening", painter: null });
  const [generation, setGeneration] = useState(0);
  const put = useRef(new Map<string, ReadyMesh>());

  useEffect(() => {
    if (!host.current) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const retry = () => {
      setPainting({ state: "lost", painter: null });
      timer = setTimeout(() => setGeneration((count) => count + 1), 1000);
    };
    const canvas = document.createElement("canvas");
    const painter = modelPainter(canvas);
    if (!painter) {
      // The existence of a context is known only after one has been requested.
      if (generation === 0) setPainting({ state: "absent", painter: null });
      else retry();
      return () => clearTimeout(timer);
    }
    host.current.replaceChildren(canvas);
    put.current = new Map();
    setPainting({ state: "painting", painter });
    canvas.addEventListener("webglcontextlost", retry);
    return () => {
      clearTimeout(timer);
      canvas.removeEventListener("webglcontextlost", retry);
      painter.dispose();
      canvas.remove();
    };
  }, [host, generation]);

  const { painter } = painting;
  useEffect(() => {
    if (!painter) return;
    for (const id of put.current.keys()) {
      if (loads.has(id)) continue;
      painter.remove(id);
      put.current.delete(id);
    }
    for (const [id, load] of loads) {
      if (load.state !== "ready" || put.current.get(id) === load.mesh) continue;
      painter.put(id, load.mesh);
      put.current.set(id, load.mesh);
    }
    if (!shown) return;
    const frame = requestAnimationFrame(() => painter.paint(shown));
    return () => cancelAnimationFrame(frame);
  }, [painter, loads, shown]);
  return painting;
}
