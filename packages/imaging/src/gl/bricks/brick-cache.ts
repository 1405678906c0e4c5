/**
 * `uploading`: more of a viewport's bricks can be loaded now; `waiting`: the others have not arrived; `partial`: there
 * is no slot left for the others.
 */
export type BrickState = "complete" | "uploading" | "waiting" | "partial";

/** A brick that is to be written into a slot, and the brick that loses it. */
export interface BrickPlacement {
  brick: number;
  slot: number;
  evicted: number | null;
}

interface Request {
  bricks: readonly number[];
  /** Its bricks before this one have a slot, or were not ready. */
  next: number;
}

/**
 * Decides which bricks have a slot. A brick that no viewport shows any more keeps its slot until another needs it: the
 * least recently shown brick goes first.
 */
export class BrickCache {
  private capacity: number;
  /** Slots by brick, the least recently wanted first. */
  private readonly slots = new Map<number, number>();
  /** By viewport, the latest last. */
  private readonly requests = new Map<string, Request>();
  private wanted = new Set<number>();

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** Replaces the bricks that a viewport shows, the most important first. The latest viewport is served first. */
  want(viewport: string, bricks: readonly number[]): void {
    this.requests.delete(viewport);
    this.requests.set(viewport, { bricks, next: 0 });
    this.wanted = new Set([...this.requests.values()].flatMap((request) => request.bricks));
    for (const brick of this.wanted) {
      const slot = this.slots.get(brick);
      if (slot === undefined) continue;
      this.slots.delete(brick);
      this.slots.set(brick, slot);
    }
  }

  /** Forgets what the viewports show. Their bricks keep their slots until others need them. */
  forgetViewports(): void {
    this.requests.clear();
    this.wanted.clear();
  }

  /** Takes all slots away, where there is no memory for them. */
  close(): void {
    this.capacity = 0;
    this.slots.clear();
  }

  /** Gives the next missing brick a slot; null if none is missing, the missing ones are not ready or no slot is left. */
  placeNext(isReady: (brick: number) => boolean): BrickPlacement | null {
    for (const request of [...this.requests.values()].reverse()) {
      for (; request.next < request.bricks.length; request.next++) {
        const brick = request.bricks[request.next];
        if (this.slots.has(brick) || !isReady(brick)) continue;
        const place = this.findSlot();
        if (!place) return null;
        this.slots.set(brick, place.slot);
        return { brick, ...place };
      }
    }
    return null;
  }

  getState(viewport: string): BrickState {
    const request = this.requests.get(viewport);
    if (!request || request.bricks.every((brick) => this.slots.has(brick))) return "complete";
    if (this.isFull()) return "partial";
    return request.next < request.bricks.length ? "uploading" : "waiting";
  }

  private findSlot(): { slot: number; evicted: number | null } | null {
    if (this.slots.size < this.capacity) return { slot: this.slots.size, evicted: null };
    if (this.isFull()) return null;
    const [[evicted, slot]] = this.slots;
    this.slots.delete(evicted);
    return { slot, evicted };
  }

  /** True if every slot holds a brick that a viewport shows. */
  private isFull(): boolean {
    if (this.slots.size < this.capacity) return false;
    const [oldest] = this.slots.keys();
    return oldest === undefined || this.wanted.has(oldest);
  }
}
