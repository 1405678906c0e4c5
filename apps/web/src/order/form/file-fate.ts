/** What becomes of a file where names are hidden: built anew without them, or kept back. Its name alone is known yet. */
export type Fate = "cleaned" | "keptBack";

export function fateOf(name: string): Fate {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return ["stl", "ply", "obj", "jpg", "jpeg", "png", "bmp", "dcm", "dicom"].includes(ending) ? "cleaned" : "keptBack";
}
