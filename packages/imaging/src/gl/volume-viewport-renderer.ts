import type { VoiWindow } from "../image/voi-window.ts";
import type { DrawRegion } from "./bind-framebuffer-area.ts";
import type { BrickState } from "./bricks/brick-cache.ts";
import type { Size } from "../view/image-view.ts";
import type { VolumeTextures } from "./volume-textures.ts";

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
  /**
   * Names the bricks that a viewport shows, if the textures have any, and returns how many of them are there; a view
   * without it is drawn from the coarser texture.
   */
  requestBricks?(
    viewport: string,
    content: Content,
    displaySettings: VolumeDisplaySettings,
    version: number,
  ): BrickState;
  /** Returns the size in pixels of an image that has fewer pixels than its place. */
  getRenderSize?(place: ViewportArea): Size;
  dispose: () => void;
};
