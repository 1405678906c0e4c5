import { MeshError } from "../mesh/mesh-error.ts";
import { readPlyHeader, type PlyElement, type PlyHeader, type PlyProperty, type PlyType } from "../mesh/ply-header.ts";
import { TextTokenizer } from "../mesh/text-tokenizer.ts";
import { latin1Bytes, toDataView } from "./rebuild-error.ts";

/**
 * Rebuilds a PLY with a new header and only the values whose meaning is known: positions, directions, colours, faces.
 * It keeps the file's format, and each value unchanged.
 * @throws MeshError
 */
export function rebuildPly(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const header = readPlyHeader(bytes);
  const head = latin1Bytes(formatHeader(header));
  // Rows lose values and gain none; a text has a blank or a line's end behind each.
  const out = new Uint8Array(head.length + bytes.length - header.end + 1);
  out.set(head);
  const length =
    header.format === "ascii"
      ? copyTextRows(bytes, header, out, head.length)
      : copyBinaryRows(bytes, header, out, head.length);
  return out.subarray(0, length);
}

const keptProperties: Partial<Record<string, ReadonlySet<string>>> = {
  vertex: new Set(
    "x y z nx ny nz red green blue alpha diffuse_red diffuse_green diffuse_blue r g b a s t u v texture_u texture_v quality confidence intensity".split(
      " ",
    ),
  ),
  face: new Set("vertex_index vertex_indices nx ny nz red green blue alpha texcoord texnumber".split(" ")),
  tristrips: new Set(["vertex_index", "vertex_indices"]),
};
const listProperties = new Set(["vertex_index", "vertex_indices", "texcoord"]);
const isKept = (element: PlyElement, { name, count }: PlyProperty): boolean =>
  keptProperties[element.name]?.has(name) === true && listProperties.has(name) === (count !== null);

function formatHeader({ format, elements }: PlyHeader): string {
  const lines = elements.flatMap((element) =>
    keptProperties[element.name]
      ? [
          `element ${element.name} ${element.count}`,
          ...element.properties.flatMap((one) => (isKept(element, one) ? [formatProperty(one)] : [])),
        ]
      : [],
  );
  return ["ply", `format ${format} 1.0`, ...lines, "end_header", ""].join("\n");
}

const formatProperty = ({ name, type, count }: PlyProperty): string =>
  count ? `property list ${typeName(count)} ${typeName(type)} ${name}` : `property ${typeName(type)} ${name}`;
const typeName = ({ name }: PlyType): string => name;

function copyBinaryRows(
  bytes: Uint8Array,
  { format, elements, end }: PlyHeader,
  out: Uint8Array,
  from: number,
): number {
  const view = toDataView(bytes);
  const little = format === "binary_little_endian";
  let [at, to] = [end, from];
  for (const element of elements) {
    const plan = element.properties.map((property) => ({ ...property, isKept: isKept(element, property) }));
    const isWhole = plan.every((property) => property.isKept);
    const start = at;
    for (let row = 0; row < element.count; row++) {
      for (const { type, count, isKept: keep } of plan) {
        const begin = at;
        if (count) {
          if (at + count.size > bytes.length) throw new MeshError("truncated");
          const length = count.read(view, at, little);
          if (!Number.isInteger(length) || length < 0) throw new MeshError("badNumbers");
          at += count.size + length * type.size;
        } else at += type.size;
        if (at > bytes.length) throw new MeshError("truncated");
        if (keep && !isWhole) {
          for (let index = begin; index < at; index++) out[to++] = bytes[index];
        }
      }
      if (plan.length === 0) break;
    }
    if (!isWhole || plan.length === 0) continue;
    out.set(bytes.subarray(start, at), to);
    to += at - start;
  }
  return to;
}

const numberPattern = /^[-+]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][-+]?\d{1,4})?$/;

function copyTextRows(bytes: Uint8Array, { elements, end }: PlyHeader, out: Uint8Array, from: number): number {
  const tokens = new TextTokenizer(bytes, end);
  let to = from;
  const write = (word: string, separator: number): void => {
    for (let letter = 0; letter < word.length; letter++) out[to++] = word.charCodeAt(letter);
    out[to++] = separator;
  };
  const next = (): string => {
    const word = tokens.readWord();
    if (word === "") throw new MeshError("truncated");
    return word;
  };
  const value = (keep: boolean): number => {
    const word = next();
    if (!keep) return Number(word);
    if (!numberPattern.test(word)) throw new MeshError("badNumbers");
    write(word, blank);
    return Number(word);
  };
  for (const element of elements) {
    const plan = element.properties.map((property) => ({
      isList: property.count !== null,
      stays: isKept(element, property),
    }));
    for (let row = 0; row < element.count && plan.length > 0; row++) {
      const begin = to;
      for (const { isList, stays: keep } of plan) {
        const length = value(keep);
        if (!isList) continue;
        if (!Number.isInteger(length) || length < 0) throw new MeshError("badNumbers");
        for (let index = 0; index < length; index++) value(keep);
      }
      if (to > begin) out[to - 1] = newline;
    }
  }
  return to;
}
const [blank, newline] = [32, 10];
