import type { FastifyInstance, FastifyRequest } from "fastify";
import { verifyTicket, createTicket } from "./zip-archive-routes.ts";
import { contentDispositionName } from "./file-routes.ts";
import { runAsHolder } from "../live/address-holders.ts";
import type { HolderGuard } from "../live/address-holders.ts";
import { renderPdf } from "../pdf/pdf-blocks.ts";
import type { PdfDocument } from "../pdf/pdf-blocks.ts";
import { refuse } from "./refuse.ts";

/** The requested document, its reader, and the language and scheme in which it is written. */
export interface DocumentRequest {
  iid: string;
  uid: string;
  id: string;
  language: string;
  scheme: string;
}
export type DocumentKind = "order" | "report" | "reportAnnex" | "ceph" | "workorder";
/**
 * Opens a document with what its reader may know now, or the stored PDF that was made once; refuses if there is nothing
 * to show.
 */
export type OpenDocument = (
  document: DocumentRequest,
  now: Date,
) => Promise<{ name: string } & ({ document: PdfDocument } | { pdf: Uint8Array })>;

/**
 * Returns the address of a document, which is made when it is downloaded. The address works for five minutes and only
 * for the session that requested it.
 */
export const documentUrl = (kind: DocumentKind, document: DocumentRequest, now: Date): string =>
  `/${kind}/papers/${pathParts(document).join("/")}?${createTicket(["paper", kind, ...pathParts(document)], now)}`;

const pathParts = ({ iid, uid, id, language, scheme }: DocumentRequest): string[] => [iid, uid, id, language, scheme];

type HttpDocumentRequest = FastifyRequest<{
  Params: Record<keyof DocumentRequest, string>;
  Querystring: Record<string, unknown>;
}>;

export function serveDocuments(
  app: FastifyInstance,
  readers: HolderGuard,
  kinds: Record<DocumentKind, OpenDocument>,
): void {
  for (const [kind, open] of Object.entries(kinds) as [DocumentKind, OpenDocument][])
    app.get(
      `/${kind}/papers/:iid/:uid/:id/:language/:scheme`,
      { exposeHeadRoute: false },
      async (request: HttpDocumentRequest, reply) => {
        const now = new Date();
        const signedParts = ["paper", kind, ...pathParts(request.params)];
        const claim = verifyTicket(signedParts, request.query, now) ?? refuse("linkExpired");
        const { tokenHash } = await readers.demand(request, claim);
        const { name, ...opened } = await runAsHolder({ id: claim.holder, tokenHash }, () => open(request.params, now));
        return reply
          .headers({
            "content-type": "application/pdf",
            "content-disposition": `inline; ${contentDispositionName(name)}`,
            // The browser's own PDF viewer counts as a plug-in.
            "content-security-policy": "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'",
          })
          .send(Buffer.from("pdf" in opened ? opened.pdf : await renderPdf(opened.document)));
      },
    );
}
