import { type Browser, chromium, type LaunchOptions } from "playwright-core";
import { findChromium } from "./find-chromium.ts";

/** A Chromium without a window, with WebGL 2 drawn by the processor. The caller closes it. */
export async function launchBrowser(
  options: Pick<LaunchOptions, "args" | "slowMo" | "timeout"> = {},
): Promise<Browser> {
  const { executable, environment } = await findChromium();
  return chromium.launch({
    timeout: 60_000,
    ...options,
    executablePath: executable,
    headless: true,
    env: { ...process.env, ...environment },
    args: [...flags, ...(options.args ?? [])],
  });
}

const flags = [
  // As root, and in containers, there is no sandbox to be had; only our own pages are opened.
  "--no-sandbox",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
  "--disable-gpu-compositing",
  "--disable-gpu-rasterization",
  // Containers limit shared memory to 64 MB; a volume needs more.
  "--disable-dev-shm-usage",
  // Nothing may leave the machine but what a page asks for.
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  // The same glyph shapes on every machine.
  "--font-render-hinting=none",
];
