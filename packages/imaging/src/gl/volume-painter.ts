import type { Window } from "../picture/window.ts";
import type { Vector } from "../view/vector.ts";
import { curveView, type CurveShown } from "./curve-view.ts";
import { aim, type Frame } from "./frame.ts";
import { pace } from "./pace.ts";
import { Pieces, type Painted } from "./pieces.ts";
import { planeView, type PlaneShown } from "./plane-view.ts";
import { renderView, type RenderShown } from "./render-view.ts";
import type { Size } from "../view/picture-view.ts";
import { volumeTextures, type VolumeTextures } from "./volume-textures.ts";

export type SlabMode = "max" | "mean" | "min";

export interface VolumeLook {
  window: Window;
  inverted: boolean;
  /** mm; 0 is a single plane. */
  slab: number;
  slabMode: SlabMode;
  /** mm between two samples of a slab. */
  sample: number;
}

/** The content of a viewport of a volume; each kind has a view of its own. */
export type PaneShown = PlaneShown | CurveShown | RenderShown;

/** One viewport of the canvas, in device pixels from the top left. */
export interface PanePlace {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A way to draw a volume: one shader over the textures that all views share. */
export type VolumeView<Shown> = (
  gl: WebGL2RenderingContext,
  textures: VolumeTextures,
  offset: number,
) => {
  // Methods: a view of one kind is kept among views of all kinds.
  /** Draws one quad; frame, viewport and scissor are set before. */
  paint(shown: Shown, look: VolumeLook, frame: Frame): void;
  /** Samples for each pixel. */
  samples(shown: Shown, look: VolumeLook): number;
  /** Returns other state that changes the image; `version` counts the arrivals of data. */
  news(version: number): string;
  /** Returns the size in pixels of an image that has fewer pixels than its place. */
  sizeIn?(place: PanePlace): Size;
  dispose: () => void;
};

type Kinds = { [Shown in PaneShown as Shown["kind"]]: VolumeView<Shown> };
const views: Kinds = { plane: planeView, curve: curveView, render: renderView };

/** Draws a volume into the viewports of one canvas. */
export interface VolumePainter extends Pick<VolumeTextures, "setPreview" | "putSlices" | "setSharp"> {
  /** Returns true if the graphics have finished the previous drawing; otherwise nothing is drawn for now. */
  begin: () => boolean;
  /**
   * Draws one viewport. The caller repeats the call for unfinished work; data that has arrived meanwhile is shown with
   * the next `version`.
   */
  paint: (name: string, place: PanePlace, shown: PaneShown, look: VolumeLook, version: number) => Painted;
  end: () => void;
  resize: (width: number, height: number) => void;
  /** Removes the drawings after viewports have gone or moved. */
  clear: () => void;
  dispose: () => void;
}

/** Opens WebGL 2 on the canvas; null where it is absent or the volume has more slices than a texture can hold. */
export function volumePainter(canvas: HTMLCanvasElement, size: Vector, offset: number): VolumePainter | null {
  const gl = canvas.getContext("webgl2", { antialias: false, depth: false, alpha: true, preserveDrawingBuffer: true });
  if (!gl || Math.max(...size) > Number(gl.getParameter(gl.MAX_3D_TEXTURE_SIZE))) return null;
  const textures = volumeTextures(gl, size, offset);
  const clock = pace(gl);
  const parts = new Pieces(gl, clock);
  type Made = ReturnType<VolumeView<PaneShown>>;
  const made = new Map<PaneShown["kind"], Made>();
  // Shaders are compiled when their view is first used: the first image does not wait for the others.
  const viewOf = (kind: PaneShown["kind"]) => {
    const view: Made = made.get(kind) ?? views[kind](gl, textures, offset);
    made.set(kind, view);
    return view;
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
      parts.clear();
      gl.disable(gl.SCISSOR_TEST);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
    },
    begin: () => parts.begin(),
    paint: (name, place, shown, look, version) => {
      const view = viewOf(shown.kind);
      const size = view.sizeIn?.(place) ?? { width: place.width, height: place.height };
      return parts.paint({
        name,
        place,
        size,
        kind: shown.kind,
        key: JSON.stringify([place, shown, look, view.news(version)]),
        samples: view.samples(shown, look),
        mayYield: view.sizeIn !== undefined,
        draw: (frame) => {
          aim(gl, frame);
          view.paint(shown, look, frame);
          gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        },
      });
    },
    end: () => parts.end(),
    dispose: () => {
      parts.clear();
      clock.stop();
      for (const view of made.values()) view.dispose();
      textures.dispose();
      gl.getExtension("WEBGL_lose_context")?.loseContext();
    },
  };
}
