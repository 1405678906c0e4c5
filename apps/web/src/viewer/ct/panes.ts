import type { PaneShown, VolumeLook } from "@arcada/imaging/gl/volume-painter";
import type { Size } from "@arcada/imaging/view/picture-view";

/** One viewport over the shared canvas. */
export interface Pane {
  element: HTMLElement;
  /**
   * Returns the content of a viewport of this size (CSS pixels) as plain data; it is drawn again only if it has
   * changed.
   */
  shown: (size: Size) => PaneShown | null;
  /** Display settings in which this viewport differs from the others. */
  look?: Partial<VolumeLook>;
  /** The actions of the viewer's keys and buttons on it. */
  hand?: PaneHand;
}

/** `rough`: a finer image follows; `reduced`: it stays coarse. */
type Coarseness = "rough" | "reduced";

export interface PaneHand {
  /** Moves by so many slices (cross-sections, …). */
  step: (count: number) => void;
  zoom: (factor: number) => void;
  /** Shows all of it again, if the viewport keeps a view of its own. */
  fit?: () => void;
}

/** The viewports of one volume by their names; each component that shows a viewport keeps its entry up to date. */
export class Panes {
  private readonly known = new Map<string, Pane>();
  private readonly listeners = new Set<() => void>();
  private readonly rough = new Map<string, Coarseness>();
  private readonly roughListeners = new Set<() => void>();

  set(name: string, pane: Pane): void {
    this.known.set(name, pane);
    for (const listener of this.listeners) listener();
  }

  delete(name: string): void {
    this.known.delete(name);
    this.tell(name, null);
    for (const listener of this.listeners) listener();
  }

  all(): Iterable<[string, Pane]> {
    return this.known;
  }

  handOf(name: string): PaneHand | undefined {
    return this.known.get(name)?.hand;
  }

  /** Sets how much coarser than its screen area a viewport is shown; null: not at all. */
  tell(name: string, how: Coarseness | null): void {
    if ((this.rough.get(name) ?? null) === how) return;
    if (how) this.rough.set(name, how);
    else this.rough.delete(name);
    for (const listener of this.roughListeners) listener();
  }

  /** Returns the coarseness of a place and of the viewports within it, which are named after it. */
  coarsenessOf(place: string): Coarseness | null {
    const among = [...this.rough].filter(([name]) => name === place || name.startsWith(`${place}/`));
    return among.find(([, how]) => how === "rough")?.[1] ?? among[0]?.[1] ?? null;
  }

  onRough = (listener: () => void): (() => void) => {
    this.roughListeners.add(listener);
    return () => void this.roughListeners.delete(listener);
  };

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
