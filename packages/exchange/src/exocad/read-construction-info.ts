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
