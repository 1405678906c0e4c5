import type { PaneShown, VolumeLook } from "@arcada/imaging/gl/volume-painter";
import type { Size } from "@arcada/imaging/view/picture-view";

/** One pane over the shared canvas. */
export interface Pane {
  element: HTMLElement;
  /** What is drawn in a pane of this size (CSS pixels): plain data, drawn again only when it has changed. */
  shown: (size: Size) => PaneShown | null;
  /** What this pane shows otherwise than the others. */
  look?: Partial<VolumeLook>;
  /** What the viewer's keys and buttons do to it. */
  hand?: PaneHand;
}

/** `rough`: finer comes; `reduced`: it stays so. */
type Coarseness = "rough" | "reduced";

export interface PaneHand {
  /** So many slices (sections, …) further. */
  step: (count: number) => void;
  zoom: (factor: number) => void;
  /** Shows all of it again, where the pane keeps a view of its own. */
  fit?: () => void;
}

/** The panes of one volume by their names; whoever shows a pane keeps its row true. */
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

  /** How much coarser than its place a pane is seen; null: not at all. */
  tell(name: string, how: Coarseness | null): void {
    if ((this.rough.get(name) ?? null) === how) return;
    if (how) this.rough.set(name, how);
    else this.rough.delete(name);
    for (const listener of this.roughListeners) listener();
  }

  /** Of a place and of the panes within it, which are named after it. */
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
