import type { ArchGuess } from "@arcada/imaging/arch/guess";
import { makePreview } from "@arcada/imaging/volume/preview";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import type { GridValues } from "@arcada/imaging/surface/grid-values";
import { trueValue } from "@arcada/imaging/view/true-value";
import type { Vector } from "@arcada/imaging/view/vector";
import type { VolumeValues } from "@arcada/imaging/view/volume-values";
import { middleVoxelOf, voxelAt } from "@arcada/imaging/view/volume-geometry";
import { halfTable } from "@arcada/imaging/gl/half";
import type { VolumePainter } from "@arcada/imaging/gl/volume-painter";
import type { Decoded } from "./decode-pool.ts";
import { SharpSlices } from "./sharp-slices.ts";

/**
 * A grey value under a point; `isMean`: the mean of a box, because the slice has not arrived yet or the volume is shown
 * at half its resolution.
 */
export interface ValueAt {
  value: number;
  isMean: boolean;
}

/** The loaded part of a volume. It outlives the renderer, so that a lost graphics context can be filled again. */
export class VolumeStore {
  readonly info: VolumeInfo;
  preview: { info: VolumeInfo; values: Int16Array } | null = null;
  private data: Int16Array | null = null;
  private readonly covered: Uint8Array;
  private painter: VolumePainter | null = null;
  private readonly listeners = new Set<() => void>();
  /** Number of slices that have arrived. */
  slices = 0;
  /** The graphics processor had no memory for them: only the preview is drawn. */
  lacksRoom = false;
  /** Incremented whenever the image changes. */
  version = 0;
  readonly offset: number;
  readonly factor: number;
  /** The volume as acquired, if `info` is that of its half. */
  readonly whole: VolumeInfo;
  /** The arch that was detected when the volume was prepared, null if there was none; undefined if nobody looked. */
  readonly arch: ArchGuess | null | undefined;
  private readonly sharp: SharpSlices;
  /** The current slice: those near it are loaded first. */
  lookedAt: number;

  constructor(info: VolumeInfo, offset: number, factor: number, whole = info, arch?: ArchGuess | null) {
    this.arch = arch;
    this.whole = whole;
    this.sharp = new SharpSlices(whole, offset);
    this.lookedAt = Math.floor(info.slices / 2);
    this.info = info;
    this.offset = offset;
    this.factor = factor;
    this.covered = new Uint8Array(info.slices);
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** True if a voxel is the mean of eight of the volume's own. */
  get isHalf(): boolean {
    return this.whole !== this.info;
  }

  lookAt(patient: Vector): void {
    this.lookedAt = voxelAt(this.info, patient)?.[2] ?? this.lookedAt;
  }

  putPreview(values: Int16Array, info: VolumeInfo): void {
    this.preview = { info, values };
    this.painter?.setPreview([info.columns, info.rows, info.slices], values);
    this.tell();
  }

  /** Throws RangeError if the browser or its graphics processor has no memory for the volume. */
  putGroup(first: number, { values, halves, count }: Decoded): void {
    const size = this.info.columns * this.info.rows;
    this.data ??= new Int16Array(size * this.info.slices);
    // First of all: slices that cannot be drawn do not count as arrived.
    this.painter?.putSlices(first / this.factor, Math.ceil(count / this.factor), halves);
    this.data.set(values, first * size);
    for (let slice = first; slice < first + count; slice++) {
      if (!this.covered[slice]) this.slices++;
      this.covered[slice] = 1;
    }
    this.tell();
  }

  /** Slices at full resolution, for planes parallel to them while the half is shown. */
  putSharp(first: number, { values, count }: Decoded): void {
    this.sharp.put(first, values, count);
    this.tell();
  }

  hasSharp(slice: number): boolean {
    return this.sharp.has(slice) || (this.factor > 1 && !this.isHalf && this.covered[slice] === 1);
  }

  /** Passes a slice at full resolution to the renderer; returns true if it could. */
  sharpen(slice: number): boolean {
    if (!this.painter || !this.hasSharp(slice)) return false;
    const { columns, rows } = this.whole;
    const own = this.data?.subarray(slice * columns * rows, (slice + 1) * columns * rows);
    return this.sharp.show(this.painter, slice, this.isHalf ? undefined : own);
  }

  /** Gives the renderer everything that has arrived and all that follows; null detaches it. */
  attach(painter: VolumePainter | null): void {
    this.painter = painter;
    if (!painter) return;
    if (this.preview)
      painter.setPreview(
        [this.preview.info.columns, this.preview.info.rows, this.preview.info.slices],
        this.preview.values,
      );
    this.lacksRoom = false;
    try {
      this.refill(painter);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.lacksRoom = true;
    }
    this.tell();
  }

  valueAt(patient: Vector): ValueAt | null {
    const exact = this.isHalf ? this.sharp.valueAt(patient) : null;
    if (exact !== null) return { value: trueValue(this.info, exact), isMean: false };
    const voxel = voxelAt(this.info, patient);
    if (!voxel) return null;
    if (this.data && this.covered[voxel[2]])
      return { value: this.read(this.data, this.info, voxel), isMean: this.isHalf };
    const coarse = this.preview && voxelAt(this.preview.info, patient);
    return this.preview && coarse
      ? { value: this.read(this.preview.values, this.preview.info, coarse), isMean: true }
      : null;
  }

  /** Its lossless values as far as they have arrived. */
  get values(): VolumeValues {
    const { info, data, covered } = this;
    const value = (column: number, row: number, slice: number): number | null =>
      data && covered[slice] ? this.read(data, info, [column, row, slice]) : null;
    return { geometry: info, value };
  }

  /** All values as stored if they have arrived, else the preview's. */
  get grid(): (GridValues & { isWhole: boolean }) | null {
    const { info, data, preview } = this;
    if (data && this.slices === info.slices) return { info, data, isWhole: true };
    return preview && { info: preview.info, data: preview.values, isWhole: false };
  }

  /** The middle of the volume in patient mm. */
  get middle(): Vector {
    return middleVoxelOf(this.whole);
  }

  private read(values: Int16Array, { columns, rows }: VolumeInfo, [column, row, slice]: Vector): number {
    return trueValue(this.info, values[(slice * rows + row) * columns + column] ?? 0);
  }

  private refill(painter: VolumePainter): void {
    if (!this.data) return;
    const size = this.info.columns * this.info.rows;
    const table = halfTable(this.offset);
    for (let first = 0; first < this.info.slices; first += this.factor) {
      if (!this.covered[first]) continue;
      const count = Math.min(this.factor, this.info.slices - first);
      const values = this.data.subarray(first * size, (first + count) * size);
      const shown = this.factor === 1 ? values : makePreview({ ...this.info, slices: count }, values, this.factor).data;
      painter.putSlices(
        first / this.factor,
        1,
        Uint16Array.from(shown, (value) => table[value & 0xffff] ?? 0),
      );
    }
  }

  private tell(): void {
    this.version++;
    for (const listener of this.listeners) listener();
  }
}
