import type { CaseFileRole } from "../lab-case/lab-case.ts";

/** The files of a case that other programs write, by their names. Case, separators and the program's prefix vary. */
export interface NamedRole {
  role: CaseFileRole;
  /** FDI number within the name of a design: `case-16-crown_cad.stl`. */
  tooth: number | null;
}

const meshEnding = /\.(stl|ply|obj|3mf)$/;
const pictureEnding = /\.(jpe?g|png|webp)$/;

/**
 * Returns the role of a file by the words that exocad, 3Shape, Medit, iTero and Shining 3D write into its name; null for
 * a mesh whose jaw the name does not tell, so that a person has to. Everything else is a document.
 */
export function findCaseFileRole(path: string): NamedRole | null {
  const name = path.split(/[/\\]/).at(-1)!.toLowerCase();
  const base = name.replace(/\.[^.]*$/, "");
  if (pictureEnding.test(name)) return { role: "photo", tooth: null };
  if (!meshEnding.test(name)) return { role: "document", tooth: null };
  if (/preview/.test(base)) return { role: "document", tooth: null };
  if (/_cad$|[-_ ](crown|waxup|bridge|abutment|veneer|inlay)_?cad/.test(base))
    return { role: "design", tooth: toothIn(base) };
  const role = scanRole(base);
  return role && { role, tooth: null };
}

/** Files that only the program that wrote them can read, or that repeat others: never uploaded as part of a case. */
export function isIgnoredFile(path: string): boolean {
  const parts = path.toLowerCase().split(/[/\\]/);
  return (
    parts.some((part) => part === "backup" || part.startsWith(".")) ||
    /(^|\.)(stcopy|3ml|tmp|lock|part|crdownload)$/.test(parts.at(-1)!)
  );
}

function scanRole(base: string): CaseFileRole | null {
  // "-upperjaw-situ", "-marker" and "-gingiva" stand in the jaw's own coordinates; so does the jaw before preparation.
  if (/bite|occlusion(first|second|_?\d)|totaljaw|occlusionscan|buccal/.test(base)) return "bite";
  const isUpper = /upper|maxill|(^|[-_ ])(u|ok|oberkiefer)$|occlusion_u$|上颌/.test(base);
  const isLower = /lower|mandib|(^|[-_ ])(l|uk|unterkiefer)$|occlusion_l$|下颌/.test(base);
  if (isUpper === isLower) return null;
  return isUpper ? "upperScan" : "lowerScan";
}

/** The number directly before the word for the work: numbers before it may be a date. */
function toothIn(base: string): number | null {
  const found = /(?:^|[-_ ])([1-4][1-8]|[5-8][1-5])[-_ ][a-z]+_?cad$/.exec(base)?.[1];
  return found === undefined ? null : Number(found);
}
