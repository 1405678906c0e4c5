import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { hasChineseFont } from "@arcada/testing/browser/find-chromium";

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: { width: 400, height: 300 } });
});
afterAll(() => browser.close());

describe("the browser of the tests", () => {
  it("draws 16-bit volumes with WebGL 2 and linear filtering", async () => {
    expect(await page.evaluate(sampleBetweenTwoVoxels)).toEqual({ error: 0, red: 128 });
  });

  it.skipIf(!hasChineseFont())("draws Chinese characters, each with its own shape", async () => {
    const [first, second, missing] = [
      await screenshotOf("王"),
      await screenshotOf("喆"),
      await screenshotOf("\u{10FFFD}"),
    ];
    expect(first.equals(second)).toBe(false);
    expect(first.equals(missing)).toBe(false);
    expect(second.equals(missing)).toBe(false);
  });

  it("keeps a page's storage and speaks https-only interfaces on localhost", async () => {
    await page.route("http://localhost:1/", (route) =>
      route.fulfill({ body: "<title>here</title>", contentType: "text/html" }),
    );
    await page.goto("http://localhost:1/");
    expect(await page.evaluate(() => [isSecureContext, typeof crypto.subtle, typeof indexedDB])).toEqual([
      true,
      "object",
      "object",
    ]);
  });
});

const screenshotOf = async (character: string): Promise<Buffer> => {
  await page.setContent(`<p style="font: 100px sans-serif; margin: 0">${character}</p>`);
  return page.screenshot();
};

/** Runs in the page: a volume of two voxels, 0 and 1, read half-way between them. */
function sampleBetweenTwoVoxels(): { error: number; red: number | undefined } {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return { error: -1, red: undefined };
  const program = gl.createProgram();
  const compile = (kind: number, source: string) => {
    const shader = gl.createShader(kind)!;
    gl.shaderSource(shader, `#version 300 es\nprecision highp float; precision highp sampler3D;\n${source}`);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  };
  compile(gl.VERTEX_SHADER, "void main() { gl_PointSize = 400.0; gl_Position = vec4(0, 0, 0, 1); }");
  compile(
    gl.FRAGMENT_SHADER,
    "uniform sampler3D volume; out vec4 colour; void main() { colour = vec4(texture(volume, vec3(0.5)).r, 0, 0, 1); }",
  );
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindTexture(gl.TEXTURE_3D, gl.createTexture());
  gl.texParameteri(gl.TEXTURE_3D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_3D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  // 0x3c00 is 1 in half precision; rows of two bytes are not aligned to four.
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  gl.texImage3D(gl.TEXTURE_3D, 0, gl.R16F, 1, 1, 2, 0, gl.RED, gl.HALF_FLOAT, new Uint16Array([0, 0x3c00]));
  gl.drawArrays(gl.POINTS, 0, 1);
  const pixel = new Uint8Array(4);
  gl.readPixels(100, 50, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  return { error: gl.getError(), red: pixel[0] };
}
