import type { Size } from "../view/image-view.ts";
import type { RenderTarget } from "./render-target.ts";

/**
 * The target of a drawing: lines `from` to `to` of an image. `isRough`: with as few samples as suffice for the moment.
 */
export interface DrawRegion extends Size {
  target: RenderTarget | null;
  left: number;
  bottom: number;
  from: number;
  to: number;
  isRough: boolean;
}

/** Frame, viewport and scissor. */
export function bindDrawRegion(
  gl: WebGL2RenderingContext,
  { target, left, bottom, width, height, from, to }: DrawRegion,
): void {
  gl.bindFramebuffer(gl.FRAMEBUFFER, target?.framebuffer() ?? null);
  gl.viewport(left, bottom, width, height);
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(left, bottom + height - to, width, to - from);
}
