import { sharedOrderCalls, type SharedFile, type SharedOrder } from "@arcada/contract/order/shared-order.calls";
import { archiveUrl } from "../../platform/http/zip-archive-routes.ts";
import { requireGuestSession, type Context } from "../../platform/http/request-context.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { logGuestDownload, logGuestView } from "../../share/guest-access-log.writes.ts";
import { insertDownload, readSharedParts } from "../download/download.store.ts";
import { prescriptionForArchive } from "../download/archive-manifest.ts";
import { isMesh } from "../files/mesh-check.ts";
import { streamingCopyUrl, imageUrl, smallImageUrl } from "../files/file-view.ts";
import { refreshStreamingCopies } from "../files/make-streaming-copies.ts";
import { requestMissingDisplayImages } from "../files/make-display-images.ts";
import { readOrder, readParts, type NamedOrder, type OrderParts } from "../core/order.read.ts";
import { listSharedFiles, type AccessibleFile } from "../files/file-access.ts";
import { pickColumns } from "../../platform/database/camel-case-columns.ts";

export const sharedOrderRoutes = routes(sharedOrderCalls, {
  order: async ({ id }, context) => {
    const shared = await findSharedOrder(context, id);
    await refreshStreamingCopies(context.db, shared.order.id);
    await requestMissingDisplayImages(context.db, shared.order.id);
    await logGuestView(context);
    return toView(shared, context.now);
  },
  orderDownload: async ({ id: orderId, files: wanted }, context) => {
    const { db, now, language } = context;
    const guestSession = requireGuestSession(context);
    const { shown } = await findSharedOrder(context, orderId);
    if (!guestSession.mayDownload) return refuse("notAllowed");
    const chosen = shown.map(({ file }) => file).filter((file) => !wanted || wanted.includes(file.id));
    if (chosen.length === 0 || (wanted && chosen.length < new Set(wanted).size)) return refuse("notFound");
    const id = newId();
    await insertDownload(db, {
      institution_id: guestSession.iid,
      id,
      sender_id: guestSession.iid,
      order_id: orderId,
      share_id: guestSession.shareId,
      files: chosen.map((file) => file.id),
      language,
    });
    await logGuestDownload(context);
    const bytes = chosen.reduce((sum, file) => sum + file.bytes, 0);
    return { url: archiveUrl("order", guestSession.iid, id, now), files: chosen.length, bytes };
  },
});

interface SharedOrderContent {
  order: NamedOrder;
  patientName: string;
  shown: AccessibleFile[];
  revisions: OrderParts["revisions"];
  isDeidentified: boolean;
}

/** Returns the order of the link, as far as the link shows it; any other is treated like one that does not exist. */
async function findSharedOrder(context: Context, id: string): Promise<SharedOrderContent> {
  const { db } = context;
  const { kind, thingId, iid, sharedBy, shareId, isDeidentified } = requireGuestSession(context);
  if (kind !== "order" || thingId !== id) return refuse("notFound");
  const sharedParts = (await readSharedParts(db, shareId)) ?? refuse("notFound");
  const order = (await readOrder(db, iid, id)) ?? refuse("notFound");
  const parts = await readParts(db, order);
  const shown = listSharedFiles(parts.files, { ...sharedParts, shareId });
  const revisions = parts.revisions.filter((revision) => sharedParts.revisions.includes(revision.id));
  // A lab shows no more of a name than it was given.
  const known = sharedBy === iid ? order.shown_name : (order.patient_name ?? "");
  return { order, patientName: isDeidentified ? "" : known, shown, revisions, isDeidentified };
}

function toView({ order, patientName, shown, revisions, isDeidentified }: SharedOrderContent, now: Date): SharedOrder {
  return {
    id: order.id,
    number: order.number,
    patientName,
    caseType: order.case_type,
    prescription: { ...prescriptionForArchive(order.rx, isDeidentified), caseType: order.case_type, ...withheldFields },
    rxRevision: order.rx_revision,
    files: shown.map((one) => toSharedFile(one, now)),
    revisions: revisions.map(({ id, kind, number, state, text }) => ({
      id,
      kind,
      number,
      state,
      // Free text names people.
      text: isDeidentified ? null : text,
    })),
  };
}
// Fields that concern only the two institutions.
const withheldFields = {
  targetIid: null,
  dueDate: null,
  maskName: false,
  mayForward: null,
  namePasses: false,
  labShares: false,
} as const;

/** Originals are only available as an archive, which is recorded, if the link permits it. */
const toSharedFile = ({ file, name }: AccessibleFile, now: Date): SharedFile => ({
  ...pickColumns(file, "id", "role", "bytes", "revision_id"),
  name,
  studyId: isMesh(file.content) ? null : file.study_id,
  format: isMesh(file.content) ? file.content : null,
  glb: isMesh(file.content) ? streamingCopyUrl(file) : null,
  thumbnailUrl: file.thumbnail ? imageUrl(file.owner_id, file.thumbnail, now) : smallImageUrl(file, now),
  pictureUrl: file.picture ? imageUrl(file.owner_id, file.picture, now) : null,
});
