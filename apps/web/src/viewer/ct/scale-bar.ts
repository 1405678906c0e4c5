/** The longest of 1, 2, 5, 10 … mm that takes at most `most` CSS pixels. */
export function scaleBar(pixelsPerMm: number, most: number): { mm: number; pixels: number } {
  const room = most / pixelsPerMm;
  const power = 10 ** Math.floor(Math.log10(room));
  const mm = [5, 2, 1].map((step) => step * power).find((step) => step <= room) ?? power;
  return { mm, pixels: mm * pixelsPerMm };
}
