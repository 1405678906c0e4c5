/** The longest of 1, 2, 5, 10 … mm that takes at most `most` CSS pixels. */
export function computeScaleBar(pixelsPerMm: number, maxPixels: number): { mm: number; pixels: number } {
  const availableMm = maxPixels / pixelsPerMm;
  const power = 10 ** Math.floor(Math.log10(availableMm));
  const mm = [5, 2, 1].map((step) => step * power).find((step) => step <= availableMm) ?? power;
  return { mm, pixels: mm * pixelsPerMm };
}
