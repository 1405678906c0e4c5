import type { VoiWindow } from "../image/voi-window.ts";
import type { Vector } from "../geometry/vector.ts";
import { createCurvedSurfaceRenderer, type CurvedSurfaceContent } from "./curved-surface-renderer.ts";
import { bindDrawRegion, type DrawRegion } from "./draw-region.ts";
import { createFramePacing } from "./frame-pacing.ts";
import { ProgressiveRenderer, type RenderProgress } from "./progressive-renderer.ts";
import { createPlaneRenderer, type PlaneContent } from "./plane-renderer.ts";
import { createRayCastRenderer, type RayCastContent } from "./ray-cast-renderer.ts";
import type { Size } from "../view/image-view.ts";
import { createVolumeTextures, type VolumeTextures } from "./volume-textures.ts";

export type SlabMode = "max" | "mean" | "min";

export interface VolumeDisplaySettings {
  window: VoiWindow;
  inverted: boolean;
  /** mm; 0 is a single plane. */
  slab: number;
  slabMode: SlabMode;
  /** mm between two samples of a slab. */
  sample: number;
}

/** The content of a viewport of a volume; each kind has its own view. */
export type ViewportContent = PlaneContent | CurvedSurfaceContent | RayCastContent;

/** One viewport of the canvas, in device pixels from the top left. */
export interface ViewportArea {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A way to draw a volume: one shader over the textures that all views share. */
export type CreateContentRenderer<Content> = (
  gl: WebGL2RenderingContext,
  textures: VolumeTextures,
  offset: number,
) => {
  // Methods: a view of one kind is kept among views of all kinds.
  /** Draws one quad; frame, viewport and scissor are set before. */
  render(content: Content, displaySettings: VolumeDisplaySettings, region: DrawRegion): void;
  /** Samples for each pixel. */
  countSamples(content: Content, displaySettings: VolumeDisplaySettings): number;
  /** Returns other state that changes the image; `version` counts the arrivals of data. */
  getContentVersion(version: number): string;
  /** Returns the size in pixels of an image that has fewer pixels than its place. */
  getRenderSize?(place: ViewportArea): Size;
  dispose: () => void;
};

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
  resize: (width: number, height: number) => void;
  /** Removes the drawings after viewports were closed or moved. */
  clear: () => void;
  dispose: () => void;
}

/** Opens WebGL 2 on the canvas; null where it is absent or the volume has more slices than a texture can hold. */
export function createVolumeRenderer(canvas: HTMLCanvasElement, size: Vector, offset: number): VolumeRenderer | null {
  const gl = canvas.getContext("webgl2", { antialias: false, depth: false, alpha: true, preserveDrawingBuffer: true });
  if (!gl || Math.max(...size) > Number(gl.getParameter(gl.MAX_3D_TEXTURE_SIZE))) return null;
  const textures = createVolumeTextures(gl, size, offset);
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
      gl.disable(gl.SCISSOR_TEST);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
    },
    begin: () => progressiveRenderer.begin(),
    render: (name, place, content, displaySettings, version) => {
      const contentRenderer = getContentRenderer(content.kind);
      const size = contentRenderer.getRenderSize?.(place) ?? { width: place.width, height: place.height };
      return progressiveRenderer.render({
        name,
        place,
        size,
        kind: content.kind,
        key: JSON.stringify([place, content, displaySettings, contentRenderer.getContentVersion(version)]),
        samples: contentRenderer.countSamples(content, displaySettings),
        mayReduce: contentRenderer.getRenderSize !== undefined,
        draw: (region) => {
          bindDrawRegion(gl, region);
          contentRenderer.render(content, displaySettings, region);
          gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        },
      });
    },
    end: () => progressiveRenderer.end(),
    dispose: () => {
      progressiveRenderer.clear();
      framePacing.stop();
      for (const contentRenderer of contentRenderers.values()) contentRenderer.dispose();
      textures.dispose();
      gl.getExtension("WEBGL_lose_context")?.loseContext();
    },
  };
}
