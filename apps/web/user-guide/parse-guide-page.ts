import { RuleType, parser } from "markdown-to-jsx";
import type { MarkdownToJSX } from "markdown-to-jsx";
import { isGuidePage } from "../../../packages/contract/src/help/user-guide.ts";
import type { GuideBlock, GuideContent, GuideInline } from "../src/help/guide-content.ts";

type Node = MarkdownToJSX.ASTNode;

/**
 * Reads a page of the user guide. It may use headings, paragraphs, lists, pictures, one quotation that says who can do
 * it, bold for words of the interface, code, and links to other pages of the guide. Everything else, HTML above all, is
 * an error of the build. The URL of a picture stays its path relative to the Markdown file.
 */
export function parseGuidePage(markdown: string): GuideContent {
  const [title, ...rest] = parser(markdown);
  if (title?.type !== RuleType.heading || title.level !== 1) throw new Error("The page does not begin with its title.");
  const blocks = rest.flatMap(readBlock);
  const [first] = blocks;
  if (first?.kind !== "paragraph") throw new Error("The title is not followed by a paragraph.");
  const name = readText(title.children);
  const summary = toPlainText(first.content);
  const labels = blocks.flatMap(listInlines).flatMap(({ kind, text }) => (kind === "label" ? [text] : []));
  return {
    title: name,
    summary,
    blocks,
    keywords: [summary, ...new Set(labels)].join(" ").toLowerCase(),
    searchText: [name, ...blocks.map(listBlockText)].join(" ").toLowerCase(),
  };
}

function readBlock(node: Node): GuideBlock[] {
  if (node.type === RuleType.heading) return [{ kind: "heading", id: node.id, text: readText(node.children) }];
  if (node.type === RuleType.paragraph) return [readParagraph(node.children)];
  if (node.type === RuleType.blockQuote) {
    const inner = node.children.flatMap((one) => (one.type === RuleType.paragraph ? one.children : [one]));
    return [{ kind: "note", content: readInlines(inner) }];
  }
  if (node.type === RuleType.orderedList || node.type === RuleType.unorderedList)
    return [{ kind: "list", ordered: node.type === RuleType.orderedList, items: node.items.map(readListItem) }];
  throw new Error(`The user guide has no place for this part of Markdown: ${JSON.stringify(node)}`);
}

/** A picture stands in a paragraph of its own. */
function readParagraph([only, ...others]: readonly Node[]): GuideBlock {
  if (only?.type === RuleType.image && others.length === 0)
    return { kind: "picture", url: only.target ?? "", caption: only.alt ?? "" };
  return { kind: "paragraph", content: readInlines(only ? [only, ...others] : []) };
}

/** A tight list has bare text in its items, a loose one paragraphs. */
function readListItem(nodes: Node[]): GuideBlock[] {
  const isBlock = ({ type }: Node): boolean =>
    type === RuleType.paragraph || type === RuleType.orderedList || type === RuleType.unorderedList;
  const start = nodes.findIndex(isBlock);
  const bare = start === -1 ? nodes : nodes.slice(0, start);
  const blocks = start === -1 ? [] : nodes.slice(start);
  const content = readInlines(bare);
  return [
    ...(toPlainText(content).trim() === "" ? [] : [{ kind: "paragraph" as const, content }]),
    ...blocks.flatMap(readBlock),
  ];
}

const readInlines = (nodes: readonly Node[]): GuideInline[] => nodes.map(readInline);

function readInline(node: Node): GuideInline {
  if (node.type === RuleType.text && !node.text.includes("**")) return { kind: "text", text: node.text };
  if (node.type === RuleType.codeInline) return { kind: "code", text: node.text };
  if (node.type === RuleType.textFormatted && node.tag === "strong")
    return { kind: "label", text: readText(node.children) };
  if (node.type === RuleType.link) {
    const page = /^([a-z-]+)\.md$/.exec(node.target ?? "")?.[1];
    if (isGuidePage(page)) return { kind: "pageLink", page, text: readText(node.children) };
  }
  throw new Error(`The user guide has no place for this part of a text: ${JSON.stringify(node)}`);
}

const readText = (nodes: readonly Node[]): string => toPlainText(readInlines(nodes));
const toPlainText = (content: readonly GuideInline[]): string => content.map(({ text }) => text).join("");

function listInlines(block: GuideBlock): GuideInline[] {
  if (block.kind === "list") return block.items.flat().flatMap(listInlines);
  return block.kind === "paragraph" || block.kind === "note" ? block.content : [];
}

function listBlockText(block: GuideBlock): string {
  switch (block.kind) {
    case "heading":
      return block.text;
    case "picture":
      return block.caption;
    case "list":
      return block.items.flatMap((item) => item.map(listBlockText)).join(" ");
    case "paragraph":
    case "note":
      return toPlainText(block.content);
  }
}
