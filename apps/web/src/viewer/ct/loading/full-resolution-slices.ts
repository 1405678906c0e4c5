import { createHalfFloatTable, toHalfFloats } from "@arcada/imaging/gl/half-float";
import type { VolumeRenderer } from "@arcada/imaging/gl/volume-renderer";
import type { Vector } from "@arcada/imaging/geometry/vector";
import { findVoxel, type VolumeGeometry } from "@arcada/imaging/volume/volume-geometry";

const maxSlices = 48;

/** Single slices at full resolution for a volume that is shown coarser; the latest ones are kept. */
export class FullResolutionSlices {
  private readonly slices = new Map<number, Int16Array>();
  private readonly volume: VolumeGeometry;
  private readonly offset: number;
  private shown: { by: VolumeRenderer; slice: number } | null = null;

  constructor(volume: VolumeGeometry, offset: number) {
    this.volume = volume;
    this.offset = offset;
  }

  put(first: number, values: Int16Array, count: number): void {
    const size = this.volume.columns * this.volume.rows;
    for (let at = 0; at < count; at++) this.slices.set(first + at, values.slice(at * size, (at + 1) * size));
    for (const slice of this.slices.keys()) if (this.slices.size > maxSlices) this.slices.delete(slice);
  }

  clear(): void {
    this.slices.clear();
  }

  has(slice: number): boolean {
    return this.slices.has(slice);
  }

  /** The value as stored; null if the slice is not loaded. */
  valueAt(patient: Vector): number | null {
    const voxel = findVoxel(this.volume, patient);
    const values = voxel && this.slices.get(voxel[2]);
    return values ? (values[voxel[1] * this.volume.columns + voxel[0]] ?? null) : null;
  }

  /** `own`: the slice's values if the slice is not one of these. */
  show(renderer: VolumeRenderer, slice: number, own: Int16Array | undefined): boolean {
    const values = own ?? this.slices.get(slice);
    if (!values) return false;
    if (this.shown?.by === renderer && this.shown.slice === slice) return true;
    const table = createHalfFloatTable(this.offset);
    const { columns, rows } = this.volume;
    renderer.setSharp(columns, rows, toHalfFloats(values, table));
    this.shown = { by: renderer, slice };
    return true;
  }
}
