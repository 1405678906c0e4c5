import type { FastifyInstance, FastifyRequest } from "fastify";
import { claimOf, ticketOf } from "./archives.ts";
import { nameParts } from "./file-routes.ts";
import { answerFor } from "./holders.ts";
import type { Readers } from "./holders.ts";
import { makePdf } from "./pdf.ts";
import type { PdfDocument } from "./pdf.ts";
import { refuse } from "./refuse.ts";

/** Which paper, for whom, and how it is to be written. */
export interface PaperAsked {
  iid: string;
  uid: string;
  id: string;
  language: string;
  scheme: string;
}
export type PaperKind = "order" | "report" | "ceph" | "workorder";
/** Reads afresh what its reader may know now, or the paper that was set once and stays; refuses where that is nothing. */
export type OpenPaper = (
  asked: PaperAsked,
  now: Date,
) => Promise<{ name: string } & ({ paper: PdfDocument } | { pdf: Uint8Array })>;

/** The address of a paper that is set when it is taken, good for five minutes and for the session that asked for it. */
export const paperUrl = (kind: PaperKind, asked: PaperAsked, now: Date): string =>
  `/${kind}/papers/${partsOf(asked).join("/")}?${ticketOf(["paper", kind, ...partsOf(asked)], now)}`;

const partsOf = ({ iid, uid, id, language, scheme }: PaperAsked): string[] => [iid, uid, id, language, scheme];

type PaperRequest = FastifyRequest<{ Params: Record<keyof PaperAsked, string>; Querystring: Record<string, unknown> }>;

export function servePapers(app: FastifyInstance, readers: Readers, kinds: Record<PaperKind, OpenPaper>): void {
  for (const [kind, open] of Object.entries(kinds) as [PaperKind, OpenPaper][])
    app.get(
      `/${kind}/papers/:iid/:uid/:id/:language/:scheme`,
      { exposeHeadRoute: false },
      async (request: PaperRequest, reply) => {
        const now = new Date();
        const said = ["paper", kind, ...partsOf(request.params)];
        const claim = claimOf(said, request.query, now) ?? refuse("linkExpired");
        const { seal } = await readers.demand(request, claim);
        const { name, ...opened } = await answerFor({ id: claim.holder, seal }, () => open(request.params, now));
        return reply
          .headers({
            "content-type": "application/pdf",
            "content-disposition": `inline; ${nameParts(name)}`,
            // The browser's own reader of PDFs is a plug-in to it.
            "content-security-policy": "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'",
          })
          .send(Buffer.from("pdf" in opened ? opened.pdf : await makePdf(opened.paper)));
      },
    );
}
