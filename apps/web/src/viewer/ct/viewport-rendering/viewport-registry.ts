import type { ViewportContent } from "@arcada/imaging/gl/volume-renderer";
import type { Size } from "@arcada/imaging/view/image-view";
import type { VolumeDisplaySettings } from "@arcada/imaging/gl/volume-viewport-renderer";

/** One viewport over the shared canvas. */
export interface Viewport {
  element: HTMLElement;
  /**
   * Returns the content of a viewport of this size (CSS pixels) as plain data; it is drawn again only if it has
   * changed.
   */
  getContent: (size: Size) => ViewportContent | null;
  /** Display settings in which this viewport differs from the others. */
  displaySettings?: Partial<VolumeDisplaySettings>;
  /** The actions of the viewer's keys and buttons on it. */
  actions?: ViewportActions;
}

/** `rough`: a finer image follows; `reduced`: it stays coarse; `partlyCoarse`: a part of it stays coarse. */
type Coarseness = "rough" | "reduced" | "partlyCoarse";

export interface ViewportActions {
  /** Moves by so many slices (cross-sections, …). */
  step: (count: number) => void;
  zoom: (factor: number) => void;
  /** Shows the whole content again, if the viewport has its own view. */
  fit?: () => void;
}

/** The viewports of one volume by their names; each component that shows a viewport keeps its entry up to date. */
export class ViewportRegistry {
  private readonly viewports = new Map<string, Viewport>();
  private readonly listeners = new Set<() => void>();
  private readonly coarsenessByName = new Map<string, Coarseness>();
  private readonly coarsenessListeners = new Set<() => void>();

  set(name: string, viewport: Viewport): void {
    this.viewports.set(name, viewport);
    for (const listener of this.listeners) listener();
  }

  delete(name: string): void {
    this.viewports.delete(name);
    this.setCoarseness(name, null);
    for (const listener of this.listeners) listener();
  }

  all(): Iterable<[string, Viewport]> {
    return this.viewports;
  }

  getActions(name: string): ViewportActions | undefined {
    return this.viewports.get(name)?.actions;
  }

  /** Sets how much coarser than its screen area a viewport is shown; null: not at all. */
  setCoarseness(name: string, coarseness: Coarseness | null): void {
    if ((this.coarsenessByName.get(name) ?? null) === coarseness) return;
    if (coarseness) this.coarsenessByName.set(name, coarseness);
    else this.coarsenessByName.delete(name);
    for (const listener of this.coarsenessListeners) listener();
  }

  /** Returns the coarseness of a viewport or of the viewports within it, whose names begin with its id. */
  getCoarseness(viewportId: string): Coarseness | null {
    const among = [...this.coarsenessByName].filter(
      ([name]) => name === viewportId || name.startsWith(`${viewportId}/`),
    );
    return among.find(([, coarseness]) => coarseness === "rough")?.[1] ?? among[0]?.[1] ?? null;
  }

  /** Waits until no viewport is `rough`, `ms` at most, and returns in which ways any of them is shown coarse. */
  async waitUntilFinal(ms: number): Promise<Coarseness[]> {
    const found = () => [...new Set(this.coarsenessByName.values())];
    await new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        stop();
        resolve();
      };
      const timer = setTimeout(finish, ms);
      const check = () => {
        if (!found().includes("rough")) finish();
      };
      const stop = this.onCoarsenessChange(check);
      check();
    });
    return found();
  }

  onCoarsenessChange = (listener: () => void): (() => void) => {
    this.coarsenessListeners.add(listener);
    return () => void this.coarsenessListeners.delete(listener);
  };

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
