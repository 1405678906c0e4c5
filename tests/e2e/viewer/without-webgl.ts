import type { Page } from "playwright-core";

/** As in a browser that draws nothing in 3D. */
export async function disableWebGl(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Get = (this: HTMLCanvasElement, kind: string, ...more: unknown[]) => unknown;
    const originalGetContext = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, "getContext")!.value as Get;
    const getContextWithoutWebGl: Get = function (kind, ...more) {
      return kind.startsWith("webgl") ? null : Reflect.apply(originalGetContext, this, [kind, ...more]);
    };
    Object.assign(HTMLCanvasElement.prototype, { getContext: getContextWithoutWebGl });
  });
}
