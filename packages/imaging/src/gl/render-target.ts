interface Region {
  left: number;
  bottom: number;
  width: number;
  height: number;
}

/** An image that is drawn in parts before it is shown. */
export interface RenderTarget {
  resize: (width: number, height: number) => void;
  width: () => number;
  height: () => number;
  framebuffer: () => WebGLFramebuffer | null;
  /** Stretches it over a region of another frame; of the canvas without one. */
  copyTo: (framebuffer: WebGLFramebuffer | null, region: Region) => void;
  dispose: () => void;
}

export function createRenderTarget(gl: WebGL2RenderingContext): RenderTarget {
  const framebuffer = gl.createFramebuffer();
  let texture: WebGLTexture | null = null;
  let [width, height] = [0, 0];
  return {
    width: () => width,
    height: () => height,
    framebuffer: () => framebuffer,
    resize: (wide, high) => {
      if (width === wide && height === high) return;
      [width, height] = [wide, high];
      gl.deleteTexture(texture);
      texture = gl.createTexture();
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, width, height);
      gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    },
    copyTo: (to, region) => {
      if (!texture) return;
      gl.bindFramebuffer(gl.READ_FRAMEBUFFER, framebuffer);
      gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, to);
      gl.enable(gl.SCISSOR_TEST);
      gl.scissor(region.left, region.bottom, region.width, region.height);
      const right = region.left + region.width;
      const top = region.bottom + region.height;
      gl.blitFramebuffer(0, 0, width, height, region.left, region.bottom, right, top, gl.COLOR_BUFFER_BIT, gl.LINEAR);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    },
    dispose: () => {
      gl.deleteFramebuffer(framebuffer);
      gl.deleteTexture(texture);
    },
  };
}
