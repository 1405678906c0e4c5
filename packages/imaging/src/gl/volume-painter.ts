import type { Window } from "../picture/window.ts";
import type { Vector } from "../view/vector.ts";
import { planeView, type PlaneShown } from "./plane-view.ts";
import { volumeTextures, type VolumeTextures } from "./volume-textures.ts";

export type SlabMode = "max" | "mean";

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
export type PaneShown = PlaneShown;

/** One pane of the canvas, in device pixels from the top left. */
export interface PanePlace {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A way to draw a volume: one shader over the textures that all views share. The viewport is set before `paint`. */
export type VolumeView<Shown> = (
  gl: WebGL2RenderingContext,
  textures: VolumeTextures,
  offset: number,
) => {
  paint: (shown: Shown, look: VolumeLook, place: PanePlace) => void;
  dispose: () => void;
};

type Kinds = { [Shown in PaneShown as Shown["kind"]]: VolumeView<Shown> };
const views: Kinds = { plane: planeView };

/** Draws a volume into the panes of one canvas. */
export interface VolumePainter extends Pick<VolumeTextures, "setPreview" | "putSlices"> {
  paint: (place: PanePlace, shown: PaneShown, look: VolumeLook) => void;
  resize: (width: number, height: number) => void;
  dispose: () => void;
}

/** Opens WebGL 2 on the canvas; null where it is absent or the volume has more slices than a texture can hold. */
export function volumePainter(canvas: HTMLCanvasElement, size: Vector, offset: number): VolumePainter | null {
  const gl = canvas.getContext("webgl2", { antialias: false, depth: false, alpha: true, preserveDrawingBuffer: true });
  if (!gl || Math.max(...size) > Number(gl.getParameter(gl.MAX_3D_TEXTURE_SIZE))) return null;
  const textures = volumeTextures(gl, size, offset);
  const made = new Map<PaneShown["kind"], ReturnType<VolumeView<PaneShown>>>();
  // Shaders are compiled when their view is first looked at: the first picture does not wait for the others.
  const viewOf = (kind: PaneShown["kind"]) => {
    const view = made.get(kind) ?? views[kind](gl, textures, offset);
    made.set(kind, view);
    return view;
  };
  return {
    setPreview: textures.setPreview,
    putSlices: textures.putSlices,
    resize: (width, height) => {
      if (canvas.width !== width) canvas.width = width;
      if (canvas.height !== height) canvas.height = height;
    },
    paint: (place, shown, look) => {
      const bottom = canvas.height - place.top - place.height;
      gl.viewport(place.left, bottom, place.width, place.height);
      gl.enable(gl.SCISSOR_TEST);
      gl.scissor(place.left, bottom, place.width, place.height);
      viewOf(shown.kind).paint(shown, look, place);
    },
    dispose: () => {
      for (const view of made.values()) view.dispose();
      textures.dispose();
      gl.getExtension("WEBGL_lose_context")?.loseContext();
    },
  };
}
