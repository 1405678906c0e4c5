import { createToneFunction, type VoiWindow } from "@arcada/imaging/image/voi-window";
import type { Size } from "@arcada/imaging/view/image-view";
import { addPrefetch } from "../../data/prefetched-responses.ts";
import { loadViewportRects, type ViewportRect } from "./stored-viewport-rects.ts";
import { createCanvasAt } from "./first-paint-planes.ts";
import { keepFirstPaintBend } from "./first-paint-bend.ts";
import { showFirstPaint } from "./first-paint-overlay.ts";
import type { ArchViewportSizes, ReformattedImage } from "./arch-viewport-images.ts";
import type { ForwardedResponse, ArchFirstPaintImages, ArchFirstPaintTask } from "./ct-arch-first-paint.worker.ts";

export interface ArchFirstPaint {
  /** Starts the drawing. Answers that the page needs, too, reach it by `addPrefetch`. */
  start: (task: DrawOptions) => void;
  stop: () => void;
  /** Resolves when they are visible, or will not become so, and the page has the preview. */
  finished: Promise<void>;
}
type DrawOptions = Omit<ArchFirstPaintTask, keyof ArchViewportSizes>;

/**
 * Shows the panorama and the cross-sections of a volume where the viewer will show them. Returns null if the viewer
 * showed none the last time. A volume of a few teeth has no arch.
 */
export function startArchFirstPaint(): ArchFirstPaint | null {
  const { panorama = null, sections: crossSections = [] } = loadViewportRects("jaw");
  if (!panorama && crossSections.length === 0) return null;
  // Its script is loaded while the study is being requested.
  const worker = new Worker(new URL("./ct-arch-first-paint.worker.ts", import.meta.url), { type: "module" });
  const finished = Promise.withResolvers<void>();
  const forwarded = new Map<
    string,
    { resolve: (answer: Response | Promise<Response>) => void; retryInit: RequestInit }
  >();
  const stop = () => {
    worker.terminate();
    finished.resolve();
    for (const [url, { resolve, retryInit }] of forwarded) resolve(fetch(url, retryInit));
    forwarded.clear();
  };
  const expectResponse = (url: string, retryInit: RequestInit) =>
    addPrefetch(
      url,
      new Promise<Response>((resolve) => forwarded.set(url, { resolve, retryInit })),
      new Headers(retryInit.headers).get("token") ?? undefined,
    );
  let isShown = false;
  const show = ({ bend, ...images }: ArchFirstPaintImages, window: VoiWindow) => {
    if (bend) keepFirstPaintBend(bend.name, bend.bend);
    if (panorama && images.panorama) showImage(panorama, images.panorama, window);
    for (const [at, crossSection] of images.crossSections.entries()) {
      const rect = crossSections[at];
      if (rect) showImage(rect, crossSection, window);
    }
    isShown = true;
  };
  const forward = ({ url, response }: ForwardedResponse) => {
    const waiting = forwarded.get(url);
    forwarded.delete(url);
    waiting?.resolve(
      response ? new Response(response.body, { status: response.status }) : fetch(url, waiting.retryInit),
    );
  };
  return {
    stop,
    finished: finished.promise,
    start: (task) => {
      expectResponse(task.annotations.url, { headers: task.annotations.headers });
      if (!task.storedName) expectResponse(task.preview.url, { cache: "no-store" });
      worker.addEventListener("error", stop);
      worker.addEventListener("message", ({ data }: MessageEvent<ArchFirstPaintImages | ForwardedResponse>) => {
        if ("url" in data) forward(data);
        else show(data, task.whole.window);
        // The images may come before the preview, and the preview before the images.
        if (isShown && forwarded.size === 0) stop();
      });
      const sizes = { panorama: panorama && sizeOf(panorama), crossSections: crossSections.map(sizeOf) };
      worker.postMessage({ ...task, ...sizes } satisfies ArchFirstPaintTask);
    },
  };
}

const sizeOf = ([, , width, height]: ViewportRect): Size => ({ width, height });

function showImage(rect: ViewportRect, { values, ...size }: ReformattedImage, window: VoiWindow): void {
  const tone = createToneFunction(window);
  showFirstPaint(
    createCanvasAt(rect, size, (pixels) => {
      for (let at = 0; at < pixels.length; at++)
        pixels[at] = 0xff000000 | (Math.round(tone(values[at] ?? 0)) * 0x10101);
    }),
  );
}
