import { isIgnoredFile } from "./case-file-role.ts";

/** Files of one case in a watched or dropped folder. */
export interface CaseFolder {
  /** The name that the files have in common; empty for files that share none. */
  name: string;
  /** The file that describes the case; null for meshes alone. */
  project: { path: string; program: "exocad" | "threeShape" } | null;
  paths: string[];
}

/**
 * Divides paths (separated by "/") into cases. A project file takes the files of its folder whose names begin with its
 * own; a 3Shape order takes its whole folder. Other files are one case if they lie in one folder and their names begin
 * alike before the word for the jaw, so that two patients in one folder stay apart.
 */
export function groupCaseFiles(paths: readonly string[]): CaseFolder[] {
  const files = paths.filter((path) => !isIgnoredFile(path)).toSorted();
  const orders = new Map(files.filter(isThreeShapeOrder).map((path) => [folderOf(path), path]));
  const projects = new Map(files.filter(isExocadProject).map((path) => [stemKey(path), path]));
  // Each file finds its own project: a folder of thousands of cases is looked at every few seconds.
  const owners = Map.groupBy(files, (path) => findOrder(path, orders) ?? findProject(path, projects) ?? "");
  const described = [...owners].filter(([project]) => project !== "");
  return [
    ...described.map(([path, own]): CaseFolder => {
      const program = isExocadProject(path) ? "exocad" : "threeShape";
      return { name: stemOf(path), project: { path, program }, paths: own };
    }),
    ...groupLoose(owners.get("") ?? []),
  ];
}

/** Returns the order in whose folder the file lies, the outermost one first. */
function findOrder(path: string, orders: ReadonlyMap<string, string>): string | undefined {
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    const order = orders.get(path.slice(0, at + 1));
    if (order !== undefined) return order;
  }
  return undefined;
}

/**
 * Returns the project of the file's folder whose name begins the file's, the longest one: "case" begins
 * "case-upperjaw", "case-16-crown_cad" and "case.matrix4", but neither "case2-upperjaw" nor "case_anna-upperjaw". Only
 * words for a jaw, a tooth or a part may follow.
 */
function findProject(path: string, projects: ReadonlyMap<string, string>): string | undefined {
  const lower = path.toLowerCase();
  for (let at = path.length - 1; at >= folderOf(path).length; at--) {
    const rest = lower.slice(at);
    if (!rest.startsWith(".") && !partWords.test(rest)) continue;
    const project = projects.get(lower.slice(0, at));
    if (project !== undefined) return project;
  }
  return undefined;
}

const partWords =
  /^[-_ ]+(upper|lower|maxill|mandib|occlusion|bite|totaljaw|buccal|marker|gingiva|situ|antagonist|preparation|scan|preview|[1-8][1-8][-_ ])/;

const isExocadProject = (path: string): boolean => path.toLowerCase().endsWith(".dentalproject");
const stemKey = (path: string): string => path.slice(0, -".dentalproject".length).toLowerCase();

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
