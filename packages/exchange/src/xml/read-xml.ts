import { XMLParser } from "fast-xml-parser";
import { ExchangeError } from "../exchange-error.ts";

/** An element of a document; `name` has no namespace prefix. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly XmlElement[];
  /** The text directly within the element, without space around it. */
  text: string;
}

/** Projects of exocad are below 1 MB, most of it the material database; orders of 3Shape below 200 kB. */
export const xmlLimits = { bytes: 16 * 1024 * 1024, depth: 60, elements: 200_000 } as const;

/**
 * Reads a document that may come from anybody: of limited size, depth and number of elements, in any encoding that it
 * declares, and without a document type, so that no entity can expand.
 * @throws {ExchangeError} tooLarge, hasDocumentType, notXml, tooDeep, tooManyElements, unknownEncoding
 */
export function readXml(bytes: Uint8Array): XmlElement {
  if (bytes.length > xmlLimits.bytes) throw new ExchangeError("tooLarge", `${bytes.length} bytes`);
  const text = decodeXml(bytes);
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new ExchangeError("hasDocumentType");
  assertWithinLimits(text);
  const roots = toElements(parse(text));
  if (roots.length !== 1) throw new ExchangeError("notXml", `${roots.length} root elements`);
  return roots[0]!;
}

/** Returns the first child of this name, whatever the case of its letters. */
export const childOf = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((one) => isNamed(one, name));
export const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((one) => isNamed(one, name));
/** Returns the text of a child; null where the child is missing or empty. */
export const textOf = (element: XmlElement | undefined, name: string): string | null =>
  (element && childOf(element, name)?.text) || null;

export const isNamed = (element: XmlElement, name: string): boolean =>
  element.name.toLowerCase() === name.toLowerCase();

/**
 * Decodes text by its byte order mark, then by the encoding that it declares, else as UTF-8.
 * @throws {ExchangeError} unknownEncoding
 */
function decodeXml(bytes: Uint8Array): string {
  const label = encodingOf(bytes);
  try {
    return new TextDecoder(label, { fatal: label === "utf-8" }).decode(bytes);
  } catch {
    // Programs on Windows declare UTF-8 and write the code page of the machine.
    if (label === "utf-8") return new TextDecoder("windows-1252").decode(bytes);
    throw new ExchangeError("unknownEncoding", label.slice(0, 40));
  }
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const declared = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.-]{1,40})["']/i.exec(head)?.[1];
  // A declaration that could be read byte by byte is not in UTF-16, whatever it says.
  return declared === undefined || /^utf-?16/i.test(declared) ? "utf-8" : declared.toLowerCase();
}

/** Counts before parsing, which would build every element. */
function assertWithinLimits(text: string): void {
  let [depth, elements] = [0, 0];
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    const next = text[at + 1];
    if (next === "/") depth--;
    else if (next !== "?" && next !== "!") {
      elements++;
      const end = text.indexOf(">", at);
      if (end < 0) throw new ExchangeError("notXml");
      if (text[end - 1] !== "/") depth++;
    }
    if (depth > xmlLimits.depth) throw new ExchangeError("tooDeep");
    if (elements > xmlLimits.elements) throw new ExchangeError("tooManyElements");
  }
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: xmlLimits.depth + 1,
  // The library's own decoder leaves numeric references as they are.
  entityDecoder: {
    decode: decodeReferences,
    setExternalEntities: () => {},
    addInputEntities: () => {},
    reset: () => {},
    setXmlVersion: () => {},
  },
});

const predefined: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Replaces numeric references and the five entities of XML; a document that defines its own was refused. */
function decodeReferences(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g,
    (all: string, decimal?: string, hexadecimal?: string, name?: string) => {
      if (name !== undefined) return predefined[name]!;
      const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal);
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : all;
    },
  );
}

type ParsedNode = Record<string, unknown>;

function parse(text: string): ParsedNode[] {
  try {
    return parser.parse(text, true) as ParsedNode[];
  } catch (error) {
    throw new ExchangeError("notXml", error instanceof Error ? error.message.slice(0, 200) : undefined);
  }
}

const attributesKey = ":@";
const textKey = "#text";

function toElements(nodes: readonly ParsedNode[]): XmlElement[] {
  return nodes.flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== attributesKey && key !== textKey);
    if (name === undefined) return [];
    const content = node[name] as ParsedNode[];
    const texts = content.flatMap((one) => (textKey in one ? [String(one[textKey])] : []));
    return {
      name,
      attributes: (node[attributesKey] as Record<string, string> | undefined) ?? {},
      children: toElements(content),
      text: texts.join("").trim(),
    };
  });
}
