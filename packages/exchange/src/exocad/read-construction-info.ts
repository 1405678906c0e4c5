import { allTeeth } from "@arcada/contract/kernel/tooth-numbers";
import { ExchangeError } from "../exchange-error.ts";
import { childOf, childrenOf, isNamed, readXml, textOf } from "../xml/read-xml.ts";
import type { XmlElement } from "../xml/read-xml.ts";

/** Rows of a matrix that a row vector is multiplied with; the translation (mm) is its last row. */
export type RowMatrix = readonly number[];

export interface ConstructionInfo {
  name: string | null;
  guid: string | null;
  scans: { fileName: string; part: string | null; teeth: number[]; matrix: RowMatrix | null }[];
  /** The margin line of each prepared tooth, mm in the scene. */
  margins: { tooth: number; points: [number, number, number][] }[];
}

/** No margin line of a tooth has more. */
const maxPoints = 20_000;

/**
 * Reads the file that exocad writes beside a finished design (`<case>.constructionInfo`).
 * @throws {ExchangeError} notExocad, and those of `readXml`
 */
export function readConstructionInfo(bytes: Uint8Array): ConstructionInfo {
  const root = readXml(bytes);
  if (!isNamed(root, "ConstructionInfo")) throw new ExchangeError("notExocad", root.name.slice(0, 60));
  const teeth = childrenOf(root, "Teeth").flatMap((one) => childrenOf(one, "Tooth"));
  return {
    name: textOf(root, "ProjectName"),
    guid: textOf(root, "ProjectGUID"),
    scans: childrenOf(root, "ScanFiles")
      .flatMap((one) => childrenOf(one, "ScanFile"))
      .flatMap((one) => readScan(one) ?? []),
    margins: teeth.flatMap((one) => readMargin(one) ?? []),
  };
}

function readScan(scan: XmlElement): ConstructionInfo["scans"][number] | null {
  const path = textOf(scan, "FileName");
  if (path === null) return null;
  return {
    // It may be the absolute path of another machine.
    fileName: path.split(/[/\\]/).at(-1)!,
    part: textOf(scan, "PartType"),
    teeth: (childOf(scan, "ToothNumbers")?.children ?? [])
      .map(({ text }) => Number(text))
      .filter((tooth) => allTeeth.includes(tooth)),
    matrix: readMatrix(childOf(scan, "TransformationMatrix")),
  };
}

function readMatrix(matrix: XmlElement | undefined): RowMatrix | null {
  if (!matrix) return null;
  const values = Array.from({ length: 16 }, (_, at) =>
    Number(textOf(matrix, `_${Math.floor(at / 4)}${at % 4}`) ?? "x"),
  );
  return values.every(Number.isFinite) ? values : null;
}

function readMargin(element: XmlElement): ConstructionInfo["margins"][number] | null {
  const tooth = Number(textOf(element, "Number"));
  const points = (childOf(element, "Margin")?.children ?? [])
    .slice(0, maxPoints)
    .map((point): [number, number, number] => [coordinate(point, "x"), coordinate(point, "y"), coordinate(point, "z")]);
  const isLine = points.length > 2 && points.every((point) => point.every(Number.isFinite));
  return allTeeth.includes(tooth) && isLine ? { tooth, points } : null;
}

const coordinate = (point: XmlElement, axis: string): number => Number(textOf(point, axis) ?? "x");

/** The place of a returned design: in the coordinates of the scans, or in those to which exocad moved them. */
export interface DesignPlace {
  /** `same`: the designs lie on the scans as they were sent; `moved`: all scans were moved alike; `apart`: differently. */
  alignment: "same" | "moved" | "apart";
  /** The movement from the scene of the design to the scans (row vector × matrix, mm); null unless `moved`. */
  toScans: RowMatrix | null;
}

/** Compares the matrices of the scans; a scan without a matrix was not moved. */
export function findDesignPlace({ scans }: Pick<ConstructionInfo, "scans">): DesignPlace {
  const [first = identity, ...others] = scans.map(({ matrix }) => matrix ?? identity);
  if (others.some((one) => !isEqual(one, first))) return { alignment: "apart", toScans: null };
  if (isEqual(first, identity)) return { alignment: "same", toScans: null };
  const inverse = invertRigid(first);
  return inverse ? { alignment: "moved", toScans: inverse } : { alignment: "apart", toScans: null };
}

const identity: RowMatrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
/** Less than what a scanner resolves (mm, and the sine of an angle). */
const tolerance = 1e-4;
const isEqual = (one: RowMatrix, other: RowMatrix): boolean =>
  one.every((value, at) => Math.abs(value - other[at]!) <= tolerance);

/** Returns the inverse of a rotation with a translation; null for any other matrix. */
function invertRigid(matrix: RowMatrix): RowMatrix | null {
  const row = (at: number) => matrix.slice(4 * at, 4 * at + 3);
  const dot = (one: readonly number[], other: readonly number[]) =>
    one.reduce((sum, value, at) => sum + value * other[at]!, 0);
  const rows = [row(0), row(1), row(2)];
  const isRotation = rows.every((one, at) =>
    rows.every((other, place) => Math.abs(dot(one, other) - (at === place ? 1 : 0)) < 1e-3),
  );
  if (!isRotation) return null;
  const moved = rows.map((one) => -dot(row(3), one));
  return [0, 1, 2].flatMap((at) => [...rows.map((one) => one[at]!), 0]).concat(moved, 1);
}
