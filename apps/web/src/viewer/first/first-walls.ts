import { toneOf, type Window } from "@arcada/imaging/picture/window";
import type { Size } from "@arcada/imaging/view/picture-view";
import { bringEarly } from "../../kernel/early-answers.ts";
import { firstPlaces, type FirstPlace } from "./first-places.ts";
import { pictureAt } from "./first-panes.ts";
import { putFirstLook } from "./first-stage.ts";
import type { Passed, WallPicture, Walls, WallsTask } from "./first-walls.worker.ts";

export interface WallsAhead {
  /** Starts the drawing. Answers that the page needs, too, reach it by `bringEarly`. */
  look: (task: Wanted) => void;
  stop: () => void;
  /** Resolves when they are visible, or will not become so. */
  end: Promise<void>;
}
type Wanted = Omit<WallsTask, "panorama" | "sections">;

/**
 * Shows the panorama and the cross-sections of a volume at the places where the viewer will show them; null if the
 * viewer showed none the last time.
 */
export function beginWalls(): WallsAhead | null {
  const { panorama = null, sections = [] } = firstPlaces();
  if (!panorama && sections.length === 0) return null;
  // Its script is loaded while the study is being requested.
  const worker = new Worker(new URL("./first-walls.worker.ts", import.meta.url), { type: "module" });
  const over = Promise.withResolvers<void>();
  const passing = new Map<string, { pass: (answer: Response | Promise<Response>) => void; again: RequestInit }>();
  const end = () => {
    worker.terminate();
    over.resolve();
    for (const [url, { pass, again }] of passing) pass(fetch(url, again));
  };
  const promise = (url: string, again: RequestInit) =>
    bringEarly(url, new Promise<Response>((pass) => passing.set(url, { pass, again })));
  return {
    stop: end,
    end: over.promise,
    look: (task) => {
      promise(task.marks.url, { headers: task.marks.headers });
      if (!task.kept) promise(task.preview.url, { cache: "no-store" });
      worker.addEventListener("error", end);
      worker.addEventListener("message", ({ data }: MessageEvent<Walls | Passed>) => {
        if ("url" in data) {
          passing.get(data.url)?.pass(new Response(data.body, { status: data.status }));
          passing.delete(data.url);
          return;
        }
        if (panorama && data.panorama) show(panorama, data.panorama, task.whole.window);
        for (const [at, section] of data.sections.entries()) {
          const place = sections[at];
          if (place) show(place, section, task.whole.window);
        }
        end();
      });
      const sizes = { panorama: panorama && sizeOf(panorama), sections: sections.map(sizeOf) };
      worker.postMessage({ ...task, ...sizes } satisfies WallsTask);
    },
  };
}

const sizeOf = ([, , width, height]: FirstPlace): Size => ({ width, height });

function show(place: FirstPlace, { values, ...size }: WallPicture, window: Window): void {
  const tone = toneOf(window);
  putFirstLook(
    pictureAt(place, size, (pixels) => {
      for (let at = 0; at < pixels.length; at++)
        pixels[at] = 0xff000000 | (Math.round(tone(values[at] ?? 0)) * 0x10101);
    }),
  );
}
