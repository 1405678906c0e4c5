import { sharedOrderCalls, type SharedFile, type SharedOrder } from "@arcada/contract/order/shared.calls";
import { archiveUrl } from "../platform/http/archive-routes.ts";
import { guestSessionOf, type Context } from "../platform/http/request-context.ts";
import { newId } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { logGuestDownload, logGuestView } from "../domain/guest-access-log.ts";
import { insertDownload, showingOf } from "./download.store.ts";
import { wordsOf } from "./download.manifest.ts";
import { isMesh } from "./mesh-check.ts";
import { glbOf, pictureUrl, smallPicture } from "./order.file-view.ts";
import { keepGlbs } from "./order.glb.ts";
import { keepPictures } from "./order.pictures.ts";
import { readOrder, readParts, type NamedOrder, type OrderParts } from "./order.read.ts";
import { shownBy, type Taken } from "./order.takes.ts";

export const sharedOrderRoutes = routes(sharedOrderCalls, {
  order: async ({ id }, context) => {
    const shared = await sharedOrder(context, id);
    await keepGlbs(context.db, shared.order.id);
    await keepPictures(context.db, shared.order.id);
    await logGuestView(context);
    return viewOf(shared, context.now);
  },
  orderDownload: async ({ id: orderId, files: wanted }, context) => {
    const { db, now, language } = context;
    const visit = guestSessionOf(context);
    const { shown } = await sharedOrder(context, orderId);
    if (!visit.mayDownload) return refuse("notAllowed");
    const chosen = shown.map(({ file }) => file).filter((file) => !wanted || wanted.includes(file.id));
    if (chosen.length === 0 || (wanted && chosen.length < new Set(wanted).size)) return refuse("notFound");
    const id = newId();
    await insertDownload(db, {
      institution_id: visit.iid,
      id,
      sender_id: visit.iid,
      order_id: orderId,
      share_id: visit.shareId,
      files: chosen.map((file) => file.id),
      language,
    });
    await logGuestDownload(context);
    const bytes = chosen.reduce((sum, file) => sum + file.bytes, 0);
    return { url: archiveUrl("order", visit.iid, id, now), files: chosen.length, bytes };
  },
});

interface Shared {
  order: NamedOrder;
  patientName: string;
  shown: Taken[];
  revisions: OrderParts["revisions"];
  nameless: boolean;
}

/** Returns the order of the link, as far as the link shows it; any other is treated like one that does not exist. */
async function sharedOrder(context: Context, id: string): Promise<Shared> {
  const { db } = context;
  const { kind, thingId, iid, house, shareId, nameless } = guestSessionOf(context);
  if (kind !== "order" || thingId !== id) return refuse("notFound");
  const showing = (await showingOf(db, shareId)) ?? refuse("notFound");
  const order = (await readOrder(db, iid, id)) ?? refuse("notFound");
  const parts = await readParts(db, order);
  const shown = shownBy(parts.files, { ...showing, shareId });
  const revisions = parts.revisions.filter((revision) => showing.revisions.includes(revision.id));
  // A lab shows no more of a name than it was given.
  const known = house === iid ? order.shown_name : (order.patient_name ?? "");
  return { order, patientName: nameless ? "" : known, shown, revisions, nameless };
}

function viewOf({ order, patientName, shown, revisions, nameless }: Shared, now: Date): SharedOrder {
  return {
    id: order.id,
    number: order.number,
    patientName,
    caseType: order.case_type,
    prescription: { ...wordsOf(order.rx, nameless), caseType: order.case_type, ...unsaid },
    rxRevision: order.rx_revision,
    files: shown.map((one) => fileOf(one, now)),
    revisions: revisions.map(({ id, kind, number, state, text }) => ({
      id,
      kind,
      number,
      state,
      // Free text names people.
      text: nameless ? null : text,
    })),
  };
}
// Fields that concern only the two institutions.
const unsaid = {
  targetIid: null,
  dueDate: null,
  maskName: false,
  mayForward: null,
  namePasses: false,
  labShares: false,
} as const;

/** Originals are only available as an archive, which is recorded, if the link permits it. */
const fileOf = ({ file, name }: Taken, now: Date): SharedFile => ({
  id: file.id,
  role: file.role,
  name,
  bytes: file.bytes,
  studyId: isMesh(file.content) ? null : file.study_id,
  revisionId: file.revision_id,
  format: isMesh(file.content) ? file.content : null,
  glb: isMesh(file.content) ? glbOf(file) : null,
  thumbnailUrl: file.thumbnail ? pictureUrl(file.owner_id, file.thumbnail, now) : smallPicture(file, now),
  pictureUrl: file.picture ? pictureUrl(file.owner_id, file.picture, now) : null,
});
