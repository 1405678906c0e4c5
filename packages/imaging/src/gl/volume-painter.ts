import type { Window } from "../picture/window.ts";
import type { Vector } from "../view/vector.ts";
import { curveView, type CurveShown } from "./curve-view.ts";
import { planeView, type PlaneShown } from "./plane-view.ts";
import { renderView, type RenderShown } from "./render-view.ts";
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

/** What a pane shows of a volume; each kind has a view of its own. */
export type PaneShown = PlaneShown | CurveShown | RenderShown;

/** One pane of the canvas, in device pixels from the top left. */
export interface PanePlace {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * A way to draw a volume: one shader over the textures that all views share. The viewport is set before `paint`, which
 * answers true while there is more to draw: it is then asked again.
 */
export type VolumeView<Shown> = (
  gl: WebGL2RenderingContext,
  textures: VolumeTextures,
  offset: number,
) => {
  // A method: a view of one kind is kept among views of all kinds.
  paint(shown: Shown, look: VolumeLook, place: PanePlace): boolean | void;
  dispose: () => void;
};

type Kinds = { [Shown in PaneShown as Shown["kind"]]: VolumeView<Shown> };
const views: Kinds = { plane: planeView, curve: curveView, render: renderView };

/** Draws a volume into the panes of one canvas. */
export interface VolumePainter extends Pick<VolumeTextures, "setPreview" | "putSlices" | "setSharp"> {
  /** Answers true while there is more of it to draw. */
  paint: (place: PanePlace, shown: PaneShown, look: VolumeLook) => boolean;
  resize: (width: number, height: number) => void;
  /** Takes away what was drawn, where panes have gone or moved. */
  clear: () => void;
  dispose: () => void;
}

/** Opens WebGL 2 on the canvas; null where it is absent or the volume has more slices than a texture can hold. */
export function volumePainter(canvas: HTMLCanvasElement, size: Vector, offset: number): VolumePainter | null {
  const gl = canvas.getContext("webgl2", { antialias: false, depth: false, alpha: true, preserveDrawingBuffer: true });
  if (!gl || Math.max(...size) > Number(gl.getParameter(gl.MAX_3D_TEXTURE_SIZE))) return null;
  const textures = volumeTextures(gl, size, offset);
  type Made = ReturnType<VolumeView<PaneShown>>;
  const made = new Map<PaneShown["kind"], Made>();
  // Shaders are compiled when their view is first looked at: the first picture does not wait for the others.
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
      gl.disable(gl.SCISSOR_TEST);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
    },
    paint: (place, shown, look) => {
      const bottom = canvas.height - place.top - place.height;
      gl.viewport(place.left, bottom, place.width, place.height);
      gl.enable(gl.SCISSOR_TEST);
      gl.scissor(place.left, bottom, place.width, place.height);
      return viewOf(shown.kind).paint(shown, look, place) === true;
    },
    dispose: () => {
      for (const view of made.values()) view.dispose();
      textures.dispose();
      gl.getExtension("WEBGL_lose_context")?.loseContext();
    },
  };
}
