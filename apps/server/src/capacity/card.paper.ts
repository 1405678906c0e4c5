import { sql } from "kysely";
import type { Output, Parsed } from "@arcada/contract/kernel/call";
import type { IssuedCard, capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import { cardAddress } from "@arcada/contract/capacity/card-code";
import type { ManualTransactionContext, MemberContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { publicAddress } from "../platform/mail/email.ts";
import { makePdf } from "../platform/pdf/pdf.ts";
import type { PdfDocument } from "../platform/pdf/pdf.ts";
import { refuse } from "../platform/http/refuse.ts";
import { textOf } from "../platform/text/texts.ts";
import type { Language } from "../platform/text/texts.ts";
import { cardSecretHash, inFours } from "./card.ts";

/** Prints cards. The caller must still have their secrets; only true secrets of one issue are printed. */
export async function printCards(
  { batch, cards }: Parsed<typeof capacityCalls.print>,
  { inTransaction, language, config }: ManualTransactionContext<MemberContext>,
): Promise<Output<typeof capacityCalls.print>> {
  const worth = await inTransaction(({ db }) => bypassTenantScope(db, () => worthOf(db, batch, cards)));
  const paper = await makePdf(cardPaper(worth, cards, { language, origin: publicAddress(config) }));
  return { paper: Buffer.from(paper).toString("base64") };
}

interface Worth {
  gigabytes: number;
  analyses: number;
  days: number;
  /** The last day. */
  sellBy: string;
}
async function worthOf(db: Db, batch: string, cards: readonly IssuedCard[]): Promise<Worth> {
  const hashes = cards.map(({ number, secret }) => cardSecretHash(number, secret));
  const { rows } =
    await sql<Worth>`select gigabytes, analyses, days, to_char(sell_by - interval '1 day', 'YYYY-MM-DD') as "sellBy"
    from capacity_card where batch_id = ${batch} and secret_hash = any(${hashes}::text[])`.execute(db);
  return rows.length === cards.length ? rows[0]! : refuse("notFound");
}

/** The list that the operator prints and sells from, one row for each card. */
function cardPaper(
  { gigabytes, analyses, days, sellBy }: Worth,
  cards: readonly IssuedCard[],
  { language, origin }: { language: Language; origin: string },
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
        head: ["", "", say("number"), say("secret"), say("worth"), say("sellBy")],
        widths: [5, 13, 19, 29, 20, 14],
        rows: cards.map((card, at) => ({
          cells: [
            String(at + 1),
            { code: cardAddress(origin, card) },
            inFours(card.number),
            inFours(card.secret),
            worth.join(", "),
            sellBy,
          ],
        })),
        small: true,
      },
    ],
  };
}
