import { buildPreview } from "@arcada/imaging/volume/volume-preview";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import type { VoxelGrid } from "@arcada/imaging/surface/voxel-grid";
import { rescaleValue } from "@arcada/imaging/view/rescale-to-grey-values";
import type { Vector } from "@arcada/imaging/geometry/vector";
import type { VolumeValues } from "@arcada/imaging/view/volume-values";
import { getMiddleVoxelPoint, findVoxel, sizeOf } from "@arcada/imaging/volume/volume-geometry";
import { createHalfFloatTable, toHalfFloats } from "@arcada/imaging/gl/half-float";
import type { WholeVolume } from "@arcada/imaging/gl/bricks/brick-textures";
import type { VolumeRenderer } from "@arcada/imaging/gl/volume-renderer";
import type { Decoded } from "./decode-pool.ts";
import { FullResolutionSlices } from "./full-resolution-slices.ts";
import { getBrickBudget } from "./texture-size.ts";
import type { ArchGuess } from "@arcada/imaging/arch/detection/detected-arches";

/**
 * A grey value under a point; `isMean`: the mean of a box, because the slice has not arrived yet or the volume is shown
 * at half its resolution.
 */
export interface VoxelValue {
  value: number;
  isMean: boolean;
}

/** The loaded part of a volume. It outlives the renderer, so that a lost graphics context can be filled again. */
export class VolumeStore {
  readonly info: VolumeInfo;
  preview: { info: VolumeInfo; values: Int16Array } | null = null;
  private data: Int16Array | null = null;
  private readonly loadedSlices: Uint8Array;
  private renderer: VolumeRenderer | null = null;
  private readonly listeners = new Set<() => void>();
  /** Number of slices that have arrived. */
  slices = 0;
  /** The graphics processor had no memory for them: only the preview is drawn. */
  isOutOfMemory = false;
  /** Incremented whenever the image changes. */
  version = 0;
  readonly offset: number;
  readonly factor: number;
  /** The volume as acquired, if `info` is that of its half. */
  readonly fullInfo: VolumeInfo;
  /** The arch that was detected when the volume was prepared, null if there was none; undefined if nobody looked. */
  readonly arch: ArchGuess | null | undefined;
  private readonly fullResolution: FullResolutionSlices;
  /** The current slice: those near it are loaded first. */
  currentSlice: number;

  constructor(info: VolumeInfo, offset: number, factor: number, fullInfo = info, arch?: ArchGuess | null) {
    this.arch = arch;
    this.fullInfo = fullInfo;
    this.fullResolution = new FullResolutionSlices(fullInfo, offset);
    this.currentSlice = Math.floor(info.slices / 2);
    this.info = info;
    this.offset = offset;
    this.factor = factor;
    this.loadedSlices = new Uint8Array(info.slices);
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** True if a voxel is the mean of eight of the volume's own. */
  get isHalf(): boolean {
    return this.fullInfo !== this.info;
  }

  setCurrentSlice(patient: Vector): void {
    this.currentSlice = findVoxel(this.info, patient)?.[2] ?? this.currentSlice;
  }

  putPreview(values: Int16Array, info: VolumeInfo): void {
    this.preview = { info, values };
    this.renderer?.setPreview([info.columns, info.rows, info.slices], values);
    this.notify();
  }

  /** Throws RangeError if the browser or its graphics processor has no memory for the volume. */
  putGroup(first: number, { values, halves, count }: Decoded): void {
    const size = this.info.columns * this.info.rows;
    this.data ??= new Int16Array(size * this.info.slices);
    // First of all: slices that cannot be drawn do not count as arrived.
    this.renderer?.putSlices(first / this.factor, Math.ceil(count / this.factor), halves);
    this.data.set(values, first * size);
    for (let slice = first; slice < first + count; slice++) {
      if (!this.loadedSlices[slice]) this.slices++;
      this.loadedSlices[slice] = 1;
    }
    this.notify();
  }

  /** Slices at full resolution, for planes parallel to them while the half is shown. */
  putFullResolution(first: number, { values, count }: Decoded): void {
    this.fullResolution.put(first, values, count);
    this.notify();
  }

  hasFullResolution(slice: number): boolean {
    return this.fullResolution.has(slice) || (this.factor > 1 && !this.isHalf && this.loadedSlices[slice] === 1);
  }

  /** Passes a slice at full resolution to the renderer; returns true if it could. */
  uploadFullResolution(slice: number): boolean {
    if (!this.renderer || !this.hasFullResolution(slice)) return false;
    const { columns, rows } = this.fullInfo;
    const own = this.data?.subarray(slice * columns * rows, (slice + 1) * columns * rows);
    return this.fullResolution.show(this.renderer, slice, this.isHalf ? undefined : own);
  }

  /** Gives the renderer everything that has arrived and all that follows; null detaches it. */
  attach(renderer: VolumeRenderer | null): void {
    this.renderer = renderer;
    if (!renderer) return;
    if (this.preview)
      renderer.setPreview(
        [this.preview.info.columns, this.preview.info.rows, this.preview.info.slices],
        this.preview.values,
      );
    this.isOutOfMemory = false;
    try {
      this.refill(renderer);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.isOutOfMemory = true;
    }
    this.notify();
  }

  /** Drops all values: React may keep the store itself for longer than it is shown. Loading fills it anew. */
  release(): void {
    this.data = null;
    this.preview = null;
    this.fullResolution.clear();
    this.loadedSlices.fill(0);
    this.slices = 0;
  }

  valueAt(patient: Vector): VoxelValue | null {
    const exact = this.isHalf ? this.fullResolution.valueAt(patient) : null;
    if (exact !== null) return { value: rescaleValue(this.info, exact), isMean: false };
    const voxel = findVoxel(this.info, patient);
    if (!voxel) return null;
    if (this.data && this.loadedSlices[voxel[2]])
      return { value: this.readValue(this.data, this.info, voxel), isMean: this.isHalf };
    const coarse = this.preview && findVoxel(this.preview.info, patient);
    return this.preview && coarse
      ? { value: this.readValue(this.preview.values, this.preview.info, coarse), isMean: true }
      : null;
  }

  /** Its lossless values as far as they have arrived. */
  get values(): VolumeValues {
    const { info, data, loadedSlices } = this;
    const value = (column: number, row: number, slice: number): number | null =>
      data && loadedSlices[slice] ? this.readValue(data, info, [column, row, slice]) : null;
    return { geometry: info, value };
  }

  /** Its lossless values for a renderer whose texture of it is coarser; null if the texture holds them all. */
  get whole(): WholeVolume | null {
    if (this.factor === 1) return null;
    const read = (first: number, last: number) =>
      this.loadedSlices.subarray(first, last + 1).includes(0) ? null : this.data;
    return { size: sizeOf(this.info), factor: this.factor, bytes: getBrickBudget(), read };
  }

  /** All values as stored if they have arrived, else the preview's. */
  get grid(): (VoxelGrid & { isWhole: boolean }) | null {
    const { info, data, preview } = this;
    if (data && this.slices === info.slices) return { info, data, isWhole: true };
    return preview && { info: preview.info, data: preview.values, isWhole: false };
  }

  /** The middle of the volume in patient mm. */
  get middle(): Vector {
    return getMiddleVoxelPoint(this.fullInfo);
  }

  private readValue(values: Int16Array, { columns, rows }: VolumeInfo, [column, row, slice]: Vector): number {
    return rescaleValue(this.info, values[(slice * rows + row) * columns + column] ?? 0);
  }

  private refill(renderer: VolumeRenderer): void {
    if (!this.data) return;
    const size = this.info.columns * this.info.rows;
    const table = createHalfFloatTable(this.offset);
    for (let first = 0; first < this.info.slices; first += this.factor) {
      if (!this.loadedSlices[first]) continue;
      const count = Math.min(this.factor, this.info.slices - first);
      const values = this.data.subarray(first * size, (first + count) * size);
      const shown =
        this.factor === 1 ? values : buildPreview({ ...this.info, slices: count }, values, this.factor).data;
      renderer.putSlices(first / this.factor, 1, toHalfFloats(shown, table));
    }
  }

  private notify(): void {
    this.version++;
    for (const listener of this.listeners) listener();
  }
}
