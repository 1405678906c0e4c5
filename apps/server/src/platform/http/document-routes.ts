import type { FastifyInstance, FastifyRequest } from "fastify";
import { claimOf, ticketOf } from "./archive-routes.ts";
import { nameParts } from "./file-routes.ts";
import { answerFor } from "../live/session-queue.ts";
import type { Readers } from "../live/session-queue.ts";
import { makePdf } from "../pdf/pdf.ts";
import type { PdfDocument } from "../pdf/pdf.ts";
import { refuse } from "./refuse.ts";

/** The requested document, its reader, and the language and scheme in which it is written. */
export interface DocumentRequest {
  iid: string;
  uid: string;
  id: string;
  language: string;
  scheme: string;
}
export type DocumentKind = "order" | "report" | "ceph" | "workorder";
/**
 * Opens a document with what its reader may know now, or the stored PDF that was made once; refuses if there is nothing
 * to show.
 */
export type OpenDocument = (
  asked: DocumentRequest,
  now: Date,
) => Promise<{ name: string } & ({ paper: PdfDocument } | { pdf: Uint8Array })>;

/**
 * Returns the address of a document, which is made when it is downloaded. The address works for five minutes and only
 * for the session that requested it.
 */
export const documentUrl = (kind: DocumentKind, asked: DocumentRequest, now: Date): string =>
  `/${kind}/papers/${partsOf(asked).join("/")}?${ticketOf(["paper", kind, ...partsOf(asked)], now)}`;

const partsOf = ({ iid, uid, id, language, scheme }: DocumentRequest): string[] => [iid, uid, id, language, scheme];

type PaperRequest = FastifyRequest<{
  Params: Record<keyof DocumentRequest, string>;
  Querystring: Record<string, unknown>;
}>;

export function serveDocuments(
  app: FastifyInstance,
  readers: Readers,
  kinds: Record<DocumentKind, OpenDocument>,
): void {
  for (const [kind, open] of Object.entries(kinds) as [DocumentKind, OpenDocument][])
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
            // The browser's own PDF viewer counts as a plug-in.
            "content-security-policy": "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'",
          })
          .send(Buffer.from("pdf" in opened ? opened.pdf : await makePdf(opened.paper)));
      },
    );
}
