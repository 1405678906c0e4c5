import { dot, minus, times, type Vector } from "../geometry/vector.ts";
import { patientToCurvedSurface, type CurvedSurface, type CurvedSurfacePoint } from "./curved-surface.ts";

/** Finds places on a surface, to about a mm: neighbouring points share one answer. */
export function createLocator(surface: CurvedSurface): (point: Vector) => CurvedSurfacePoint {
  const known = new Map<number, CurvedSurfacePoint>();
  return (point) => {
    const [x, y] = minus(point, times(surface.up, dot(point, surface.up)));
    const key = Math.round(x) * 4096 + Math.round(y);
    const place = known.get(key) ?? patientToCurvedSurface(surface, point);
    known.set(key, place);
    return place;
  };
}
