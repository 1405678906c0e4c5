import type { Page } from "playwright-core";

/** As in a browser that draws nothing in 3D. */
export async function drawsFlatOnly(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Get = (this: HTMLCanvasElement, kind: string, ...more: unknown[]) => unknown;
    const own = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, "getContext")!.value as Get;
    const flat: Get = function (kind, ...more) {
      return kind.startsWith("webgl") ? null : Reflect.apply(own, this, [kind, ...more]);
    };
    Object.assign(HTMLCanvasElement.prototype, { getContext: flat });
  });
}
