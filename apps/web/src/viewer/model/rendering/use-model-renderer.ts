import { useEffect, useRef, useState, type RefObject } from "react";
import type { RenderedScene } from "./model-display-settings.ts";
import { createModelRenderer, type DrawnMeshes, type ModelRenderer } from "./model-renderer.ts";
import { drawUntilRest } from "./slow-frames.ts";
import type { ModelCamera } from "@arcada/imaging/view/model-camera";
import type { MeshLoad } from "../mesh/use-meshes.ts";

export type ModelRendererState =
  | { state: "painting"; renderer: ModelRenderer }
  | { state: "opening" | "lost" | "absent"; renderer: null };

/** Draws the models inside `host` as `shown` specifies, once for each change and at most once per frame. */
export function useModelRenderer(
  host: RefObject<HTMLElement | null>,
  loads: ReadonlyMap<string, MeshLoad>,
  shown: RenderedScene | null,
): ModelRendererState {
  const [rendering, setRendering] = useState<ModelRendererState>({ state: "opening", renderer: null });
  const [generation, setGeneration] = useState(0);
  const uploaded = useRef(new Map<string, DrawnMeshes>());
  const lastCamera = useRef<ModelCamera | null>(null);

  useEffect(() => {
    if (!host.current) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const retry = () => {
      setRendering({ state: "lost", renderer: null });
      timer = setTimeout(() => setGeneration((count) => count + 1), 1000);
    };
    const canvas = document.createElement("canvas");
    const renderer = createModelRenderer(canvas);
    if (!renderer) {
      // The existence of a context is known only after one has been requested.
      if (generation === 0) setRendering({ state: "absent", renderer: null });
      else retry();
      return () => clearTimeout(timer);
    }
    host.current.replaceChildren(canvas);
    uploaded.current = new Map();
    setRendering({ state: "painting", renderer });
    canvas.addEventListener("webglcontextlost", retry);
    return () => {
      clearTimeout(timer);
      canvas.removeEventListener("webglcontextlost", retry);
      renderer.dispose();
      canvas.remove();
    };
  }, [host, generation]);

  const { renderer } = rendering;
  useEffect(() => {
    if (!renderer) return;
    for (const id of uploaded.current.keys()) {
      if (loads.has(id)) continue;
      renderer.remove(id);
      uploaded.current.delete(id);
    }
    for (const [id, load] of loads) {
      const known = uploaded.current.get(id);
      const meshes = { full: load.state === "ready" ? load.mesh : known?.full, coarse: load.coarse };
      if (known?.full === meshes.full && known?.coarse === meshes.coarse) continue;
      renderer.put(id, meshes);
      uploaded.current.set(id, meshes);
    }
    if (!shown) return;
    const isMoving = lastCamera.current !== null && lastCamera.current !== shown.camera;
    lastCamera.current = shown.camera;
    return drawUntilRest((moves) => renderer.render(shown, moves), isMoving);
  }, [renderer, loads, shown]);
  return rendering;
}
