import { sql } from "kysely";
import type { Output, Parsed } from "@arcada/contract/kernel/call";
import type { IssuedCard, capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import { cardActivationUrl } from "@arcada/contract/capacity/card-activation-url";
import type { ManualTransactionContext, MemberContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { publicAddress } from "../platform/mail/email-queue.ts";
import { renderPdf } from "../platform/pdf/pdf-blocks.ts";
import type { PdfDocument } from "../platform/pdf/pdf-blocks.ts";
import { refuse } from "../platform/http/refuse.ts";
import { translatorOf } from "../platform/text/texts.ts";
import type { Language } from "../platform/text/texts.ts";
import { hashCardSecret, groupByFour } from "./card-number-and-secret.ts";

/** Prints cards. The caller must still have their secrets; only true secrets of one issue are printed. */
export async function printCards(
  { batch, cards }: Parsed<typeof capacityCalls.print>,
  { inTransaction, language, config }: ManualTransactionContext<MemberContext>,
): Promise<Output<typeof capacityCalls.print>> {
  const value = await inTransaction(({ db }) => bypassTenantScope(db, () => findCardValue(db, batch, cards)));
  const paper = await renderPdf(buildCardDocument(value, cards, { language, origin: publicAddress(config) }));
  return { paper: Buffer.from(paper).toString("base64") };
}

interface CardValue {
  gigabytes: number;
  analyses: number;
  days: number;
  /** The last day. */
  sellBy: string;
}
async function findCardValue(db: Db, batch: string, cards: readonly IssuedCard[]): Promise<CardValue> {
  const hashes = cards.map(({ number, secret }) => hashCardSecret(number, secret));
  const rows = await db
    .selectFrom("capacity_card")
    .select(["gigabytes", "analyses", "days"])
    .select(sql<string>`to_char(sell_by - interval '1 day', 'YYYY-MM-DD')`.as("sellBy"))
    .where("batch_id", "=", batch)
    .where(sql<boolean>`secret_hash = any(${hashes}::text[])`)
    .execute();
  return rows.length === cards.length ? rows[0]! : refuse("notFound");
}

/** The list that the operator prints and sells from, one row for each card. */
function buildCardDocument(
  { gigabytes, analyses, days, sellBy }: CardValue,
  cards: readonly IssuedCard[],
  { language, origin }: { language: Language; origin: string },
): PdfDocument {
  const t = translatorOf(language, "capacity");
  const value = [t("paper.gigabytes", { gigabytes }), t("paper.analyses", { analyses }), t("paper.days", { days })];
  return {
    language,
    title: t("paper.title"),
    author: "Arcada",
    footer: t("paper.foot"),
    pageOf: t("paper.pageOf", { page: "{page}", pages: "{pages}" }),
    blocks: [
      { kind: "title", text: t("paper.title"), aside: t("paper.count", { count: cards.length }) },
      {
        kind: "facts",
        rows: [
          [t("paper.worth"), value.join(", ")],
          [t("paper.sellBy"), sellBy],
        ],
      },
      { kind: "text", text: t("paper.once"), muted: true },
      {
        kind: "table",
        head: ["", "", t("paper.number"), t("paper.secret"), t("paper.worth"), t("paper.sellBy")],
        widths: [5, 13, 19, 29, 20, 14],
        rows: cards.map((card, at) => ({
          cells: [
            String(at + 1),
            { code: cardActivationUrl(origin, card) },
            groupByFour(card.number),
            groupByFour(card.secret),
            value.join(", "),
            sellBy,
          ],
        })),
        small: true,
      },
    ],
  };
}
