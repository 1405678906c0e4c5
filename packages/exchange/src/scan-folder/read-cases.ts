import { jawOf } from "@arcada/contract/kernel/tooth-numbers";
import { readExocadProject } from "../exocad/read-exocad-project.ts";
import { ExchangeError, isCaseProblem } from "../exchange-error.ts";
import type { CaseProblem } from "../exchange-error.ts";
import { emptyCase } from "../lab-case/lab-case.ts";
import type { CaseFileRole, LabCase } from "../lab-case/lab-case.ts";
import type { WorkMapping } from "../lab-case/work-mapping.ts";
import { readThreeShapeOrder } from "../three-shape/read-three-shape-order.ts";
import { xmlLimits } from "../xml/read-xml.ts";
import { findCaseFileRole, isIgnoredFile } from "./case-file-role.ts";
import { groupCaseFiles } from "./group-case-files.ts";
import type { CaseFolder } from "./group-case-files.ts";

/** A file whose content is read only if it describes a case. */
export interface CaseSource {
  /** Separated by "/". */
  path: string;
  bytes: number;
  read: () => Promise<Uint8Array>;
}

export interface CaseFile {
  path: string;
  /** Null: a mesh whose jaw nobody says. */
  role: CaseFileRole | null;
  /** True if the role was concluded from the teeth that are treated. */
  isGuessed: boolean;
}

/** A case in a folder. */
export interface FoundCase {
  name: string;
  /** Empty but for its name if there is no project, or one that cannot be read. */
  content: LabCase;
  /** The path of the project or order. */
  project: string | null;
  /** The reason why the project cannot be read. */
  problem: CaseProblem | null;
  files: CaseFile[];
  /** Paths of files that stay behind, because only the program that wrote them can read them. */
  leftOut: string[];
  /** Jaws with treated teeth of which there is no scan. */
  missing: ("upperScan" | "lowerScan")[];
}

/** Reads the cases among the files of a folder. Problems belong to their case, so that the others can be read. */
export async function readCases(sources: readonly CaseSource[], mapping: WorkMapping): Promise<FoundCase[]> {
  const byPath = new Map(sources.map((one) => [one.path, one]));
  const folders = joinLoose(groupCaseFiles([...byPath.keys()]));
  const ignored = [...byPath.keys()].filter((path) => isIgnoredFile(path));
  const found: FoundCase[] = [];
  for (const folder of folders) found.push(await readCase(folder, byPath, mapping));
  // Ignored files are listed with the only case; among several, nobody knows to which they belong.
  return found.length === 1 ? [{ ...found[0]!, leftOut: [...found[0]!.leftOut, ...ignored] }] : found;
}

/** Files that no name assigns to a case (a photograph, a prescription) belong to the only case there is. */
function joinLoose(folders: readonly CaseFolder[]): CaseFolder[] {
  const named = folders.filter(({ name, project }) => project !== null || name !== "");
  const loose = folders.filter((one) => !named.includes(one)).flatMap(({ paths }) => paths);
  if (named.length === 1) return [{ ...named[0]!, paths: [...named[0]!.paths, ...loose] }];
  if (named.length === 0) return loose.length === 0 ? [] : [{ name: "", project: null, paths: loose }];
  return [...named];
}

async function readCase(
  { name, project, paths }: CaseFolder,
  sources: ReadonlyMap<string, CaseSource>,
  mapping: WorkMapping,
): Promise<FoundCase> {
  const { content, problem } = await readContent(name, project, sources, mapping);
  const isThreeShape = project?.program === "threeShape";
  const isKept = (path: string) => path === project?.path || (isThreeShape ? isOfThreeShape(path) : !isPreview(path));
  const files = assignRoles(paths.filter(isKept), content);
  return {
    name,
    content,
    project: project?.path ?? null,
    problem,
    files,
    leftOut: paths.filter((path) => !isKept(path)),
    missing: findMissing(content, files),
  };
}

async function readContent(
  name: string,
  project: CaseFolder["project"],
  sources: ReadonlyMap<string, CaseSource>,
  mapping: WorkMapping,
): Promise<{ content: LabCase; problem: CaseProblem | null }> {
  const empty = emptyCase(project?.program ?? "scanFolder", name || null);
  const source = project && sources.get(project.path);
  if (!source) return { content: empty, problem: null };
  if (source.bytes > xmlLimits.bytes) return { content: empty, problem: "tooLarge" };
  try {
    const bytes = await source.read();
    const content =
      project.program === "exocad" ? readExocadProject(bytes, name, mapping) : readThreeShapeOrder(bytes, mapping);
    return { content, problem: null };
  } catch (error) {
    if (error instanceof ExchangeError && isCaseProblem(error.problem))
      return { content: empty, problem: error.problem };
    throw error;
  }
}

const isPreview = (path: string): boolean => /preview/i.test(path.slice(path.lastIndexOf("/") + 1));

/** The meshes, pictures and papers of an order: its `.dcm` files are meshes that only 3Shape reads, not DICOM. */
const isOfThreeShape = (path: string): boolean => /\.(stl|ply|obj|jpe?g|png|pdf|txt)$/i.test(path) && !isPreview(path);

/** A mesh that says preparation or antagonist instead of its jaw gets the jaw by the teeth that are treated. */
function assignRoles(paths: readonly string[], { items }: LabCase): CaseFile[] {
  const jaws = new Set(items.flatMap(({ teeth }) => teeth).map(jawOf));
  const own = jaws.size !== 1 ? null : jaws.has("maxilla") ? "upperScan" : "lowerScan";
  const opposite = own === null ? null : own === "upperScan" ? "lowerScan" : "upperScan";
  return paths.map((path): CaseFile => {
    const named = findCaseFileRole(path);
    // A design does not go along with an order that asks for one, but as a paper.
    if (named) return { path, role: named.role === "design" ? "document" : named.role, isGuessed: false };
    const name = path.slice(path.lastIndexOf("/") + 1);
    const role = /antagonist/i.test(name) ? opposite : /preparation|prep/i.test(name) ? own : null;
    return { path, role, isGuessed: role !== null };
  });
}

function findMissing({ items }: LabCase, files: readonly CaseFile[]): FoundCase["missing"] {
  const treated = new Set(items.flatMap(({ teeth }) => teeth).map(jawOf));
  // A mesh without a jaw may be the one.
  if (files.some(({ role }) => role === null)) return [];
  const needed = [...treated].map((jaw): FoundCase["missing"][number] =>
    jaw === "maxilla" ? "upperScan" : "lowerScan",
  );
  return needed.filter((role) => !files.some((file) => file.role === role));
}
