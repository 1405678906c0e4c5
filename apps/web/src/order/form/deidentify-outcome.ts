/**
 * If names are hidden, a file is either rebuilt without them or kept back. Only the file name is known at this point.
 */
export type DeidentifyOutcome = "cleaned" | "keptBack";

export function getDeidentifyOutcome(name: string): DeidentifyOutcome {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return ["stl", "ply", "obj", "jpg", "jpeg", "png", "bmp", "dcm", "dicom"].includes(ending) ? "cleaned" : "keptBack";
}
