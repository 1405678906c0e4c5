import { geoEqualEarth, geoPath } from "d3-geo";
import { feature } from "topojson-client";
import { useQuery } from "@tanstack/react-query";
import { mapSize } from "./map-clusters.ts";
import landUrl from "world-atlas/land-110m.json?url";

const projection = geoEqualEarth().fitSize([mapSize.width, mapSize.height], { type: "Sphere" });

/** Projects a longitude and a latitude (degrees) onto the map drawing. */
export function projectPoint(longitude: number, latitude: number): { x: number; y: number } {
  const [x, y] = projection([longitude, latitude]) ?? [0, 0];
  return { x, y };
}

/** The world's coastline, without borders, from this server; loaded when a map is shown. */
export const useCoastline = () =>
  useQuery({
    queryKey: ["land"],
    queryFn: async ({ signal }): Promise<string> => {
      const response = await fetch(landUrl, { signal });
      const topology = (await response.json()) as Parameters<typeof feature>[0];
      return geoPath(projection)(feature(topology, topology.objects["land"]!)) ?? "";
    },
    staleTime: Infinity,
    meta: { shownBy: "page" },
  });
