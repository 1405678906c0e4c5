import type { AgeBand } from "@arcada/contract/clinic/clinic.rules";
import type { ClinicMap } from "@arcada/contract/clinic/service-figures.calls";
import { getAgeBand } from "./clinic-text.ts";

export type MappedClinic = ClinicMap["clinics"][number];
/** The visible part of the map: screen pixels = place × scale + shift. */
export interface MapView {
  scale: number;
  x: number;
  y: number;
}
export interface ClinicPoint {
  x: number;
  y: number;
  clinic: MappedClinic;
}
export interface ClinicCluster {
  x: number;
  y: number;
  clinics: MappedClinic[];
  openWork: number;
  /** The age band of the work that has waited longest; null if there is no open work. */
  band: AgeBand | null;
  radius: number;
}

/** Clusters clinics that would overlap into one bubble at their centre. */
export function clusterClinics(points: readonly ClinicPoint[], view: MapView, cell = 34): ClinicCluster[] {
  const cells = new Map<string, ClinicPoint[]>();
  for (const spot of points) {
    const key = `${Math.floor((spot.x * view.scale + view.x) / cell)} ${Math.floor((spot.y * view.scale + view.y) / cell)}`;
    cells.set(key, [...(cells.get(key) ?? []), spot]);
  }
  // Draw the clinics with the most open work last, so that they are on top.
  return [...cells.values()].map((group) => toCluster(group, view)).toSorted((a, b) => a.openWork - b.openWork);
}

function toCluster(group: ClinicPoint[], { scale, x, y }: MapView): ClinicCluster {
  const clinics = group.map(({ clinic }) => clinic);
  const openWork = clinics.reduce((sum, one) => sum + one.openWork, 0);
  const oldest = clinics.flatMap((one) => one.oldest ?? []).toSorted()[0];
  const average = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  return {
    x: average(group.map((one) => one.x)) * scale + x,
    y: average(group.map((one) => one.y)) * scale + y,
    clinics,
    openWork,
    band: oldest === undefined ? null : getAgeBand(oldest),
    radius: openWork === 0 ? 5 : Math.min(22, 9 + 3 * Math.sqrt(openWork)),
  };
}

export interface Size {
  width: number;
  height: number;
}
/** The size of the whole unscaled world map. */
export const mapSize: Size = { width: 960, height: 480 };
/** Returns the scale at which the world fills an area of this size. */
const getMinScale = ({ width, height }: Size): number => Math.max(width / mapSize.width, height / mapSize.height);
const maxZoom = 60;
export const isMaxZoom = (view: MapView, size: Size): boolean => view.scale >= maxZoom * getMinScale(size);

/** Zooms the view around a point of the screen. */
export function zoomView(view: MapView, by: number, at: { x: number; y: number }, size: Size): MapView {
  const minScale = getMinScale(size);
  const scale = Math.min(maxZoom * minScale, Math.max(minScale, view.scale * by));
  const factor = scale / view.scale;
  return clampView({ scale, x: at.x - (at.x - view.x) * factor, y: at.y - (at.y - view.y) * factor }, size);
}

/** Keeps the world within the viewport. */
export function clampView({ scale, x, y }: MapView, { width, height }: Size): MapView {
  const clamp = (value: number, size: number, drawn: number) => Math.min(0, Math.max(size - drawn * scale, value));
  return { scale, x: clamp(x, width, mapSize.width), y: clamp(y, height, mapSize.height) };
}

/** Returns the view that fits all clinics with a margin. */
export function fitView(points: readonly ClinicPoint[], size: Size): MapView {
  const xs = points.length > 0 ? points.map(({ x }) => x) : [0, mapSize.width];
  const ys = points.length > 0 ? points.map(({ y }) => y) : [0, mapSize.height];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const fillRatio = 0.7;
  const minScale = getMinScale(size);
  const wanted = Math.min(
    (fillRatio * size.width) / Math.max(right - left, 1),
    (fillRatio * size.height) / Math.max(bottom - top, 1),
  );
  const scale = Math.min(8 * minScale, Math.max(minScale, wanted));
  const shift = { x: size.width / 2 - ((left + right) / 2) * scale, y: size.height / 2 - ((top + bottom) / 2) * scale };
  return clampView({ scale, ...shift }, size);
}
