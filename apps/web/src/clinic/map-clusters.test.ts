import { describe, expect, it } from "vitest";
import { clusterClinics, mapSize, fitView, clampView, isMaxZoom, zoomView } from "./map-clusters.ts";
import type { MappedClinic, ClinicPoint } from "./map-clusters.ts";

const size = { width: 480, height: 240 };
const days = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
const spot = (x: number, y: number, openWork: number, oldest: string | null): ClinicPoint => ({
  x,
  y,
  clinic: { id: `${x} ${y}`, openWork, oldest } as MappedClinic,
});

describe("the bubbles of the service map", () => {
  it("merge if they would overlap, and show the age of the oldest open work", () => {
    const spots = [spot(100, 100, 2, days(3)), spot(104, 102, 1, days(40)), spot(700, 300, 0, null)];
    const [lone, both] = clusterClinics(spots, fitView(spots, size));
    expect(lone).toMatchObject({ openWork: 0, band: null });
    expect(both).toMatchObject({ openWork: 3, band: "older", clinics: [{ id: "100 100" }, { id: "104 102" }] });
    const close = zoomView(fitView(spots, size), 30, both, size);
    expect(clusterClinics(spots, close)).toHaveLength(3);
  });

  it("keep the point under the pointer while zooming, and the world within the view", () => {
    const whole = fitView([], size);
    expect(whole).toEqual({ scale: 0.5, x: 0, y: 0 });
    const at = { x: 300, y: 100 };
    const near = zoomView(whole, 4, at, size);
    expect((at.x - near.x) / near.scale).toBeCloseTo(at.x / whole.scale);
    expect(clampView({ ...near, x: 999, y: -9999 }, size)).toEqual({
      scale: 2,
      x: 0,
      y: size.height - mapSize.height * 2,
    });
    expect(isMaxZoom(zoomView(near, 1e6, at, size), size)).toBe(true);
    expect(zoomView(near, 1e-6, at, size)).toEqual(whole);
  });
});
