import type { Vector } from "../geometry/vector.ts";
import { createBrickTextures, type WholeVolume } from "./bricks/brick-textures.ts";
import { createCurvedSurfaceRenderer, type CurvedSurfaceContent } from "./curved-surface-renderer.ts";
import { bindDrawRegion } from "./bind-framebuffer-area.ts";
import { createFramePacing } from "./frame-pacing.ts";
import { ProgressiveRenderer, type RenderProgress } from "./progressive-renderer.ts";
import { createPlaneRenderer, type PlaneContent } from "./plane-renderer.ts";
import { createRayCastRenderer, type RayCastContent } from "./ray-cast-renderer.ts";
import { createVolumeTextures, type VolumeTextures } from "./volume-textures.ts";
import type { VolumeDisplaySettings, ViewportArea, CreateContentRenderer } from "./volume-viewport-renderer.ts";

/** The content of a viewport of a volume; each kind has its own view. */
export type ViewportContent = PlaneContent | CurvedSurfaceContent | RayCastContent;

type ContentRendererFactories = { [Content in ViewportContent as Content["kind"]]: CreateContentRenderer<Content> };
const contentRendererFactories: ContentRendererFactories = {
  plane: createPlaneRenderer,
  curve: createCurvedSurfaceRenderer,
  render: createRayCastRenderer,
};

/** Draws a volume into the viewports of one canvas. */
export interface VolumeRenderer extends Pick<VolumeTextures, "setPreview" | "putSlices" | "setSharp"> {
  /** Returns true if the graphics have finished the previous drawing; otherwise nothing is drawn for now. */
  begin: () => boolean;
  /**
   * Draws one viewport. The caller repeats the call for unfinished work; data that has arrived meanwhile is shown with
   * the next `version`.
   */
  render: (
    name: string,
    place: ViewportArea,
    content: ViewportContent,
    displaySettings: VolumeDisplaySettings,
    version: number,
  ) => RenderProgress;
  end: () => void;
  /** Returns the ms that the final image of a viewport needs; 0 if none was drawn. */
  estimateMs: (name: string) => number;
  resize: (width: number, height: number) => void;
  /** Removes the drawings after viewports were closed or moved. */
  clear: () => void;
  dispose: () => void;
}

/**
 * Opens WebGL 2 on the canvas; null where it is absent or the volume has more slices than a texture can hold.
 * @param size voxels of the volume's texture along each axis
 * @param whole the volume as it was taken, if its texture is coarser and its planes are to be drawn in full
 */
export function createVolumeRenderer(
  canvas: HTMLCanvasElement,
  size: Vector,
  offset: number,
  whole: WholeVolume | null = null,
): VolumeRenderer | null {
  const gl = canvas.getContext("webgl2", { antialias: false, depth: false, alpha: true, preserveDrawingBuffer: true });
  if (!gl || Math.max(...size) > Number(gl.getParameter(gl.MAX_3D_TEXTURE_SIZE))) return null;
  const bricks = whole && createBrickTextures(gl, size, offset, whole);
  const textures = createVolumeTextures(gl, size, offset, bricks);
  const framePacing = createFramePacing(gl);
  const progressiveRenderer = new ProgressiveRenderer(gl, framePacing);
  type ContentRenderer = ReturnType<CreateContentRenderer<ViewportContent>>;
  const contentRenderers = new Map<ViewportContent["kind"], ContentRenderer>();
  // Shaders are compiled when their view is first used: the first image does not wait for the others.
  const getContentRenderer = (kind: ViewportContent["kind"]) => {
    const contentRenderer: ContentRenderer =
      contentRenderers.get(kind) ?? contentRendererFactories[kind](gl, textures, offset);
    contentRenderers.set(kind, contentRenderer);
    return contentRenderer;
  };
  return {
    setPreview: textures.setPreview,
    putSlices: textures.putSlices,
    setSharp: textures.setSharp,
    resize: (width, height) => {
      if (canvas.width !== width) canvas.width = width;
      if (canvas.height !== height) canvas.height = height;
    },
    clear: () => {
      progressiveRenderer.clear();
      bricks?.forgetViewports();
      gl.disable(gl.SCISSOR_TEST);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
    },
    begin: () => progressiveRenderer.begin(),
    render: (name, place, content, displaySettings, version) => {
      const contentRenderer = getContentRenderer(content.kind);
      const size = contentRenderer.getRenderSize?.(place) ?? { width: place.width, height: place.height };
      const brickState = contentRenderer.requestBricks?.(name, content, displaySettings, version) ?? "complete";
      const progress = progressiveRenderer.render({
        name,
        place,
        size,
        kind: content.kind,
        key: JSON.stringify([
          place,
          content,
          displaySettings,
          contentRenderer.getContentVersion(version),
          // Drawn with the bricks that are there, and again when the others have been uploaded.
          brickState === "uploading",
        ]),
        samples: contentRenderer.countSamples(content, displaySettings),
        mayReduce: contentRenderer.getRenderSize !== undefined,
        draw: (region) => {
          bindDrawRegion(gl, region);
          contentRenderer.render(content, displaySettings, region);
          gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        },
      });
      if (progress === "waiting" || brickState === "complete" || brickState === "waiting") return progress;
      return brickState === "uploading" ? "rough" : progress === "done" ? "partlyCoarse" : progress;
    },
    end: () => {
      progressiveRenderer.end();
      bricks?.upload();
    },
    estimateMs: (name) => progressiveRenderer.estimateMs(name),
    dispose: () => {
      progressiveRenderer.clear();
      framePacing.stop();
      for (const contentRenderer of contentRenderers.values()) contentRenderer.dispose();
      textures.dispose();
      gl.getExtension("WEBGL_lose_context")?.loseContext();
    },
  };
}
