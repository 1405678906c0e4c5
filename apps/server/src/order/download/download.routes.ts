import type { Parsed } from "@arcada/contract/kernel/call";
import { downloadCalls } from "@arcada/contract/order/download.calls";
import { archiveUrl } from "../../platform/http/zip-archive-routes.ts";
import type { MemberContext } from "../../platform/http/request-context.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { insertDownload } from "./download.store.ts";
import { readOrder, readParts } from "../core/order.read.ts";
import { listDownloadableFiles } from "../files/file-access.ts";
import { sideOf } from "../transition/guards.ts";

export const downloadRoutes = routes(downloadCalls, { download: (input, context) => prepareArchive(context, input) });

/** Prepares an archive of what its reader may take of an order; it is packed while it is fetched. */
export async function prepareArchive(
  context: MemberContext,
  { id: orderId, files: wanted, layout }: Parsed<typeof downloadCalls.download>,
) {
  const { db, principal, now, language } = context;
  const order = (await readOrder(db, principal.iid, orderId)) ?? refuse("notFound");
  const { files } = await readParts(db, order);
  const accessible = listDownloadableFiles(order, files, sideOf(order, principal), now).map(({ file }) => file);
  const chosen = wanted ? accessible.filter(({ id }) => wanted.includes(id)) : accessible;
  // A file that may not be taken is treated like one that does not exist.
  if (chosen.length === 0 || (wanted && chosen.length < new Set(wanted).size)) return refuse("notFound");
  const id = newId();
  await insertDownload(db, {
    institution_id: principal.iid,
    id,
    sender_id: order.institution_id,
    order_id: order.id,
    share_id: null,
    user_id: principal.uid,
    files: chosen.map((file) => file.id),
    language,
    layout,
  });
  context.detail = { files: chosen.length };
  const bytes = chosen.reduce((sum, file) => sum + file.bytes, 0);
  return { url: archiveUrl("order", principal.iid, id, now), files: chosen.length, bytes };
}
