/** What becomes of a file where names are hidden: freed of them, sent as it is, or kept back. Its name alone is known yet. */
export type Fate = "cleaned" | "plain" | "keptBack";

export function fateOf(name: string): Fate {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  if (["stl", "ply", "obj", "jpg", "jpeg", "png", "dcm", "dicom"].includes(ending)) return "cleaned";
  return ["pdf", "bmp"].includes(ending) ? "plain" : "keptBack";
}
