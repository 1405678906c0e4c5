import { createToneFunction, type VoiWindow } from "@arcada/imaging/image/voi-window";
import type { Size } from "@arcada/imaging/view/image-view";
import { addPrefetch } from "../../data/prefetched-responses.ts";
import { loadViewportRects, type ViewportRect } from "./stored-viewport-rects.ts";
import { createCanvasAt } from "./first-paint-planes.ts";
import { keepFirstPaintBend } from "./first-paint-bend.ts";
import { showFirstPaint } from "./first-paint-overlay.ts";
import type {
  ForwardedResponse,
  ReformattedImage,
  ArchImages,
  ArchFirstPaintTask,
} from "./ct-arch-first-paint.worker.ts";

export interface ArchFirstPaint {
  /** Starts the drawing. Answers that the page needs, too, reach it by `addPrefetch`. */
  start: (task: DrawOptions) => void;
  stop: () => void;
  /** Resolves when they are visible, or will not become so. */
  finished: Promise<void>;
}
type DrawOptions = Omit<ArchFirstPaintTask, "panorama" | "crossSections">;

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
  };
  const expectResponse = (url: string, retryInit: RequestInit) =>
    addPrefetch(url, new Promise<Response>((resolve) => forwarded.set(url, { resolve, retryInit })));
  return {
    stop: stop,
    finished: finished.promise,
    start: (task) => {
      expectResponse(task.annotations.url, { headers: task.annotations.headers });
      if (!task.storedName) expectResponse(task.preview.url, { cache: "no-store" });
      worker.addEventListener("error", stop);
      worker.addEventListener("message", ({ data }: MessageEvent<ArchImages | ForwardedResponse>) => {
        if ("url" in data) {
          forwarded.get(data.url)?.resolve(new Response(data.body, { status: data.status }));
          forwarded.delete(data.url);
          return;
        }
        if (data.bend) keepFirstPaintBend(data.bend.name, data.bend.bend);
        if (panorama && data.panorama) showImage(panorama, data.panorama, task.whole.window);
        for (const [at, crossSection] of data.crossSections.entries()) {
          const rect = crossSections[at];
          if (rect) showImage(rect, crossSection, task.whole.window);
        }
        stop();
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
