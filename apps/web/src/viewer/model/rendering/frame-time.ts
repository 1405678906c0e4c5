/** How often the graphics processor is asked whether it has finished. */
const pollMs = 20;

/**
 * Measures, without blocking the page, how long the graphics processor takes for everything that it has been given so
 * far. Calls nothing if the context is lost.
 */
export function measureFrameTime(gl: WebGL2RenderingContext, onMeasured: (ms: number) => void): void {
  const began = performance.now();
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  if (!fence) return;
  gl.flush();
  const poll = () => {
    if (gl.isContextLost()) return;
    if (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) return void setTimeout(poll, pollMs);
    gl.deleteSync(fence);
    onMeasured(performance.now() - began);
  };
  setTimeout(poll, pollMs);
}
