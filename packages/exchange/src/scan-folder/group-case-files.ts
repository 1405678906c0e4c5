import { isIgnoredFile } from "./case-file-role.ts";

/** Files of one case in a watched or dropped folder. */
export interface CaseFolder {
  /** The name that the files have in common; empty for files that share none. */
  name: string;
  /** The file that describes the case; null for meshes alone. */
  project: { path: string; program: "exocad" | "threeShape" } | null;
  paths: string[];
}

/** No program writes more files for one case; a drive that somebody chose has more. */
export const folderLimits = { files: 2000 } as const;

/**
 * Divides paths (separated by "/") into cases. A project file takes the files of its folder whose names begin with its
 * own; a 3Shape order takes its whole folder. Other files are one case if they lie in one folder and their names begin
 * alike before the word for the jaw, so that two patients in one folder stay apart.
 */
export function groupCaseFiles(paths: readonly string[]): CaseFolder[] {
  const left = new Set(paths.filter((path) => !isIgnoredFile(path)).toSorted());
  const orders = [...left].filter(isThreeShapeOrder).map((path): CaseFolder => {
    const folder = folderOf(path);
    return takeFiles(left, { name: stemOf(path), program: "threeShape", path }, (one) => isWithin(one, folder));
  });
  const projects = [...left]
    .filter((path) => path.toLowerCase().endsWith(".dentalproject"))
    // "case-2" also begins with "case": the longer name takes its files first.
    .toSorted((one, other) => stemOf(other).length - stemOf(one).length)
    .map((path): CaseFolder => {
      const [folder, stem] = [folderOf(path), stemOf(path).toLowerCase()];
      return takeFiles(left, { name: stemOf(path), program: "exocad", path }, (one) => {
        return one === path || (folderOf(one) === folder && beginsAs(one, stem));
      });
    });
  return [...orders, ...projects.toReversed(), ...groupLoose([...left])];
}

function takeFiles(
  left: Set<string>,
  { name, program, path }: { name: string; program: "exocad" | "threeShape"; path: string },
  belongs: (path: string) => boolean,
): CaseFolder {
  const own = [...left].filter(belongs);
  for (const one of own) left.delete(one);
  return { name, project: { path, program }, paths: own };
}

/** An order of 3Shape has the name of its folder. */
function isThreeShapeOrder(path: string): boolean {
  const parts = path.split("/");
  return (
    path.toLowerCase().endsWith(".xml") &&
    parts.length > 1 &&
    parts.at(-2)!.toLowerCase() === stemOf(path).toLowerCase()
  );
}

function groupLoose(paths: readonly string[]): CaseFolder[] {
  const groups = new Map<string, CaseFolder>();
  for (const path of paths) {
    const name = commonName(path);
    const key = `${folderOf(path)}\n${name.toLowerCase()}`;
    const group = groups.get(key) ?? { name, project: null, paths: [] };
    group.paths.push(path);
    groups.set(key, group);
  }
  return [...groups.values()];
}

// The words after which a name no longer says whose case it is.
const roleWords =
  /upper|lower|maxill|mandib|occlusion|bite|totaljaw|buccal|shell|scan|preparation|antagonist|raw |[uls]_?jaw|preview|photo|[1-8][1-8]-(crown|waxup|margin|copyline)/i;

/** The part of a name before the word for the jaw; a name without such a word belongs to the folder. */
function commonName(path: string): string {
  const stem = stemOf(path);
  const at = stem.search(roleWords);
  return at > 0 ? trimEndMatching(stem.slice(0, at), "-_ ") : "";
}

/** Without these characters at its end. */
function trimEndMatching(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

const stemOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);
const isWithin = (path: string, folder: string): boolean => path.startsWith(folder);

/**
 * "case" begins the names "case-upperjaw", "case-16-crown_cad" and "case.matrix4", but neither "case2-upperjaw" nor
 * "case_anna-upperjaw": only words for a jaw, a tooth or a part may follow the name of a project.
 */
function beginsAs(path: string, stem: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const rest = name.slice(stem.length);
  return name.startsWith(stem) && (rest.startsWith(".") || partWords.test(rest));
}

const partWords =
  /^[-_ ]+(upper|lower|maxill|mandib|occlusion|bite|totaljaw|buccal|marker|gingiva|situ|antagonist|preparation|scan|preview|[1-8][1-8][-_ ])/;
