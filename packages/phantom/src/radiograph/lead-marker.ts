import { addPatch, type Plate } from "./plate.ts";
import { distanceToChain, clamp, type Point2 } from "../math/shape-functions.ts";

/** Lead letters as chains of points in a square of 1 × 1. */
const letters: Record<"R" | "L", readonly Point2[]> = {
  R: [
    [0.1, 0],
    [0.1, 1],
    [0.5, 1],
    [0.68, 0.88],
    [0.68, 0.64],
    [0.5, 0.5],
    [0.1, 0.5],
    [0.4, 0.5],
    [0.72, 0],
  ],
  L: [
    [0.15, 1],
    [0.15, 0],
    [0.7, 0],
  ],
};

/** Draws a lead letter of `size` mm with its lower left corner at (x, y) on the detector. */
export function addLeadMarker(plate: Plate, letter: "R" | "L", x: number, y: number, size: number): void {
  const box = { left: x - 1, right: x + size + 1, bottom: y - 1, top: y + size + 1 };
  addPatch(plate, box, plate.pixel * 1.5, (px, py) => {
    const distance = distanceToChain(letters[letter], (px - x) / size, (py - y) / size) * size;
    return 1.6 * clamp(0.5 + (0.6 - distance) / 0.3, 0, 1);
  });
}
