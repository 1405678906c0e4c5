import type { Parsed } from "@arcada/contract/kernel/call";
import type { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import type { PdfDocument } from "../kernel/pdf.ts";
import { textOf } from "../kernel/texts.ts";
import type { Language } from "../kernel/texts.ts";
import { inFours } from "./card.ts";
import type { NewCard } from "./card.ts";

/** The list that the operator prints and sells from, one row for each card. */
export function cardPaper(
  { gigabytes, analyses, days, sellBy }: Parsed<typeof capacityCalls.issue>,
  cards: readonly NewCard[],
  language: Language,
): PdfDocument {
  const say = (key: string, values?: Record<string, string | number>) =>
    textOf(language, "capacity", `paper.${key}`, values);
  const worth = [say("gigabytes", { gigabytes }), say("analyses", { analyses }), say("days", { days })];
  return {
    language,
    title: say("title"),
    author: "Arcada",
    foot: say("foot"),
    pageOf: say("pageOf", { page: "{page}", pages: "{pages}" }),
    blocks: [
      { kind: "title", text: say("title"), aside: say("count", { count: cards.length }) },
      {
        kind: "facts",
        rows: [
          [say("worth"), worth.join(", ")],
          [say("sellBy"), sellBy],
        ],
      },
      { kind: "text", text: say("once"), muted: true },
      {
        kind: "table",
        head: ["", say("number"), say("secret"), say("worth"), say("sellBy")],
        widths: [6, 24, 32, 24, 14],
        rows: cards.map(({ number, secret }, at) => ({
          cells: [String(at + 1), inFours(number), inFours(secret), worth.join(", "), sellBy],
        })),
        small: true,
      },
    ],
  };
}
