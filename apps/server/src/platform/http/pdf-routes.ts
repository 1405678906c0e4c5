import type { FastifyInstance, FastifyRequest } from "fastify";
import { verifyTicket, createTicket } from "./zip-archive-routes.ts";
import { contentDispositionName } from "./file-routes.ts";
import { runAsHolder } from "../live/address-holders.ts";
import type { HolderGuard } from "../live/address-holders.ts";
import { renderPdf } from "../pdf/pdf-blocks.ts";
import type { PdfDocument } from "../pdf/pdf-blocks.ts";
import { spreadsheetType, writeSpreadsheet } from "../spreadsheet/spreadsheet.ts";
import type { Sheet } from "../spreadsheet/spreadsheet.ts";
import { refuse } from "./refuse.ts";

/** The requested document, its reader, and the language and scheme in which it is written. */
export interface DocumentRequest {
  iid: string;
  uid: string;
  id: string;
  language: string;
  scheme: string;
  /** The filter of the list that becomes a spreadsheet, as JSON. */
  filter?: string;
}
export type DocumentKind = "order" | "report" | "reportAnnex" | "ceph" | "workorder" | "workorders" | "growth";
/**
 * Opens a document with what its reader may know now, or the stored PDF that was made once; refuses if there is nothing
 * to show. A table becomes a spreadsheet: for readers without an institution, in whose store it could be kept.
 */
export type OpenDocument = (
  document: DocumentRequest,
  now: Date,
) => Promise<{ name: string } & ({ document: PdfDocument } | { pdf: Uint8Array } | { sheet: Sheet })>;

/**
 * Returns the address of a document, which is made when it is downloaded. The address works for five minutes and only
 * for the session that requested it.
 */
export const documentUrl = (kind: DocumentKind, document: DocumentRequest, now: Date): string => {
  const filter = document.filter === undefined ? "" : `&${new URLSearchParams({ filter: document.filter }).toString()}`;
  return `/${kind}/papers/${pathParts(document).join("/")}?${createTicket(signedParts(kind, document), now)}${filter}`;
};

const signedParts = (kind: DocumentKind, document: DocumentRequest): string[] => [
  "paper",
  kind,
  ...pathParts(document),
  ...(document.filter === undefined ? [] : [document.filter]),
];
const pathParts = ({ iid, uid, id, language, scheme }: DocumentRequest): string[] => [iid, uid, id, language, scheme];

type HttpDocumentRequest = FastifyRequest<{
  Params: Record<Exclude<keyof DocumentRequest, "filter">, string>;
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
        const { filter } = request.query;
        const document = { ...request.params, ...(typeof filter === "string" && { filter }) };
        const claim = verifyTicket(signedParts(kind, document), request.query, now) ?? refuse("linkExpired");
        const { tokenHash } = await readers.demand(request, claim);
        const { name, ...opened } = await runAsHolder({ id: claim.holder, tokenHash }, () => open(document, now));
        if ("sheet" in opened)
          return reply
            .headers({
              "content-type": spreadsheetType,
              "content-disposition": `attachment; ${contentDispositionName(name)}`,
              "content-security-policy": "default-src 'none'; sandbox",
            })
            .send(writeSpreadsheet(opened.sheet));
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
