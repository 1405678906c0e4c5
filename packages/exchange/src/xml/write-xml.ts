import type { XmlElement } from "./read-xml.ts";

/** Writes a document as programs on Windows do: UTF-8 with byte order mark, and CR LF. */
export function writeXml(root: XmlElement): Uint8Array {
  const lines = ['<?xml version="1.0" encoding="utf-8"?>', ...writeElement(root, "")];
  return new TextEncoder().encode(`\uFEFF${lines.join("\r\n")}\r\n`);
}

export const element = (
  name: string,
  content: string | readonly XmlElement[],
  attributes: Readonly<Record<string, string>> = {},
): XmlElement => ({
  name,
  attributes,
  children: typeof content === "string" ? [] : content,
  text: typeof content === "string" ? content : "",
});

function writeElement({ name, attributes, children, text }: XmlElement, indent: string): string[] {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`);
  const head = `${indent}<${name}${pairs.join("")}`;
  if (children.length === 0) return [text === "" ? `${head} />` : `${head}>${escape(text)}</${name}>`];
  return [`${head}>`, ...children.flatMap((child) => writeElement(child, `${indent}  `)), `${indent}</${name}>`];
}

const references: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Characters that XML 1.0 has no place for are left out. */
const escape = (text: string): string =>
  text
    // eslint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, "")
    .replaceAll(/[&<>"]/g, (one) => references[one]!);
