import type { GuidePageName } from "@arcada/contract/help/user-guide";

/** A page of the user guide, as the build reads it from its Markdown. */
export interface GuideContent {
  title: string;
  /** The first paragraph, as plain text. */
  summary: string;
  blocks: GuideBlock[];
  /** The summary and the words of the interface that the page explains, in lower case. */
  keywords: string;
  /** All text in lower case. */
  searchText: string;
}

export type GuideBlock =
  | { kind: "heading"; id: string; text: string }
  | { kind: "paragraph"; content: GuideInline[] }
  /** Says who can do what the page describes. */
  | { kind: "note"; content: GuideInline[] }
  /** Without a URL if the picture was not made yet. */
  | { kind: "picture"; url: string; caption: string }
  | { kind: "list"; ordered: boolean; items: GuideBlock[][] };

export type GuideInline =
  | { kind: "text"; text: string }
  /** A word of the interface. */
  | { kind: "label"; text: string }
  | { kind: "code"; text: string }
  | { kind: "pageLink"; page: GuidePageName; text: string };

/** The part of a page that the search of the product needs. */
export interface GuideIndexEntry extends Pick<GuideContent, "title" | "summary" | "keywords"> {
  name: GuidePageName;
}

/** The size of every picture of the guide, in pixels. */
export const guidePictureSize = { width: 1120, height: 700 } as const;
