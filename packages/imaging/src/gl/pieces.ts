import type { Size } from "../view/picture-view.ts";
import type { Frame } from "./frame.ts";
import type { Pace } from "./pace.ts";
import { renderTarget, type RenderTarget } from "./render-target.ts";
import type { PanePlace } from "./volume-painter.ts";

/**
 * `waiting`: others were drawn this time; `rough`: the shown image is coarser than the final one; `reduced`: coarser
 * than its place, and stays so.
 */
export type Painted = "done" | "rough" | "reduced" | "waiting";

/** One image to be drawn. */
interface Picture {
  name: string;
  /** Identifies its content. */
  key: string;
  kind: string;
  place: PanePlace;
  /** Its size in pixels, which may be smaller than its place. */
  size: Size;
  /** Samples for each pixel. */
  samples: number;
  /** On slow graphics it stays coarser than its place. */
  mayYield: boolean;
  /** Draws lines `from` to `to` of a frame; `isRough`: with as few samples as will do for the moment. */
  draw: (frame: Frame) => void;
}

/** ms that one piece of work may take: the page stays free to answer in between. */
const pieceMs = 24;
/** ms of an image that is drawn at once, and of all drawing that is submitted before the graphics are waited for. */
const wholeMs = 100;
const roundMs = 100;
/** ms after which a waiting user has moved on; and the least share of the side, however long it takes. */
const longestMs = 4000;
const leastYielding = 0.45;
/**
 * However slow the machine: the coarse image's share of the side, and the number of parts in which the fine one is
 * drawn.
 */
const leastPart = 0.2;
const mostPieces = 12;

/**
 * Draws images so that the graphics are never far behind the pointer: fast ones at once; slow ones first coarsely, then
 * line by line, as long as nothing changes.
 */
export class Pieces {
  private readonly rooms = new Map<string, Room>();
  /** ms that have been begun this time. */
  private spent = 0;
  /** True if a new image had to wait: no other is refined before it. */
  private isWaiting = false;
  private wasWaiting = false;
  private readonly gl: WebGL2RenderingContext;
  private readonly pace: Pace;
  constructor(gl: WebGL2RenderingContext, pace: Pace) {
    this.gl = gl;
    this.pace = pace;
  }

  /** Returns true if something can be drawn now. */
  begin(): boolean {
    if (!this.pace.isFree()) return false;
    this.spent = 0;
    this.wasWaiting = this.isWaiting;
    this.isWaiting = false;
    return true;
  }

  paint(picture: Picture): Painted {
    const { gl, pace, spent } = this;
    const { name, key, kind, size, samples } = picture;
    const made = () => ({ key: "", line: 0, size, coarse: renderTarget(gl), fine: renderTarget(gl) });
    const room = this.rooms.get(name) ?? made();
    this.rooms.set(name, room);
    const isNew = room.key !== key;
    const cost = pace.msOf(kind, size.width * size.height * samples);
    const isFull = spent > 0 && spent + Math.min(cost, pieceMs) > roundMs;
    if (isNew && isFull) {
      this.isWaiting = true;
      return "waiting";
    }
    if (isNew) this.start(picture, room, cost);
    else if (room.line < room.size.height && !isFull && !this.wasWaiting) this.goOn(picture, room);
    if (room.line < room.size.height) return "rough";
    return room.size.width < 0.95 * picture.place.width ? "reduced" : "done";
  }

  end(): void {
    this.pace.send();
  }

  clear(): void {
    for (const { coarse, fine } of this.rooms.values()) for (const part of [coarse, fine]) part.dispose();
    this.rooms.clear();
  }

  private start(picture: Picture, room: Room, cost: number): void {
    const { place } = picture;
    const here = onCanvas(this.gl, place);
    const size = picture.mayYield ? yielding(picture.size, cost) : picture.size;
    room.key = picture.key;
    room.size = size;
    room.line = size.height;
    if (cost <= wholeMs && size.width === place.width && size.height === place.height)
      return this.draw(picture, { ...here, target: null, from: 0, to: place.height, isRough: false });
    const part = Math.min(1, Math.max(leastPart, Math.sqrt((2 * pieceMs) / cost)));
    if (part < 1) room.line = 0;
    const target = part < 1 ? room.coarse : room.fine;
    target.resize(Math.ceil(size.width * part), Math.ceil(size.height * part));
    this.draw(picture, inTarget(target, 0, target.height(), part < 1));
    target.copyTo(null, here);
  }

  private goOn(picture: Picture, room: Room): void {
    const { place, kind, samples } = picture;
    const { fine, coarse, size } = room;
    if (room.line === 0) {
      fine.resize(size.width, size.height);
      coarse.copyTo(fine.frame(), { left: 0, bottom: 0, ...size });
    }
    const piece = Math.max(size.height / mostPieces, this.pace.workIn(kind, pieceMs) / (size.width * samples));
    const to = Math.min(size.height, room.line + Math.ceil(piece));
    this.draw(picture, inTarget(fine, room.line, to, false));
    room.line = to;
    fine.copyTo(null, onCanvas(this.gl, place));
  }

  private draw({ kind, samples, draw }: Picture, frame: Frame): void {
    const work = (frame.to - frame.from) * frame.width * samples * (frame.isRough ? 0.5 : 1);
    this.spent += this.pace.msOf(kind, work);
    this.pace.add(kind, work);
    draw(frame);
  }
}

/** The drawing state of one viewport. */
interface Room {
  key: string;
  /** Finished lines of the fine image. */
  line: number;
  /** Pixels of the fine image. */
  size: Size;
  coarse: RenderTarget;
  fine: RenderTarget;
}

function yielding({ width, height }: Size, cost: number): Size {
  const part = Math.min(1, Math.max(leastYielding, Math.sqrt(longestMs / cost)));
  return { width: Math.ceil(width * part), height: Math.ceil(height * part) };
}

const inTarget = (target: RenderTarget, from: number, to: number, isRough: boolean): Frame => {
  const [width, height] = [target.width(), target.height()];
  return { target, left: 0, bottom: 0, width, height, from, to, isRough };
};

const onCanvas = (gl: WebGL2RenderingContext, { left, top, width, height }: PanePlace) => ({
  left,
  width,
  height,
  bottom: gl.drawingBufferHeight - top - height,
});
