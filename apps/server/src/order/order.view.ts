import type { z } from "zod";
import type { Order as OrderAnswer, OrderRow, orderFile } from "@arcada/contract/order/order.calls";
import {
  cleanedKinds,
  mayTakeOriginal,
  plainKinds,
  receiverRights,
  rightsRules,
} from "@arcada/contract/order/order.rights";
import type { OrderState } from "@arcada/contract/order/order.cycle";
import { missingFor } from "@arcada/contract/order/order.rules";
import type { Db } from "../kernel/db.ts";
import { fileUrl } from "../kernel/file-url.ts";
import { refuse } from "../kernel/refuse.ts";
import { secret } from "../kernel/services.ts";
import { openActions, sideOf } from "./order.ts";
import type { OrderAsker } from "./order.ts";
import { readOrder, readParts } from "./order.read.ts";
import type { NamedFile, NamedOrder, OrderParts } from "./order.read.ts";
import type { Order } from "./order.store.ts";

export interface Reader {
  db: Db;
  asker: OrderAsker;
  now: Date;
}
type FileAnswer = z.output<typeof orderFile>;

/** The order as this reader may see it, read afresh. */
export async function viewOrder({ db, asker, now }: Reader, id: string): Promise<OrderAnswer> {
  const order = (await readOrder(db, asker.iid, id)) ?? refuse("notFound");
  return orderView(order, await readParts(db, order), asker, now);
}

export function rowView(order: NamedOrder, asker: Pick<OrderAsker, "iid">): OrderRow {
  const mine = sideOf(order, asker);
  return {
    id: order.id,
    number: order.number,
    state: order.state,
    turn: order.turn,
    step: order.step,
    schemeRevision: order.scheme_revision,
    designRevision: order.design_revision,
    caseType: order.case_type,
    patientName: order.shown_name,
    patientNumber: order.shown_number,
    teeth: [...new Set(order.rx.items.flatMap((item) => item.teeth))],
    sender: { iid: order.institution_id, name: order.sender_name, number: order.sender_number },
    receiver: order.receiver_id
      ? { iid: order.receiver_id, name: order.receiver_name ?? "", number: order.receiver_number ?? "" }
      : null,
    creatorName: order.creator,
    assigneeName: order.assignee,
    dueDate: order.due_date,
    promisedDate: order.promised_date,
    createdAt: order.created_at,
    updatedAt: order.updated_at,
    mine,
    myTurn: order.turn === mine,
    version: order.version,
  };
}

function orderView(order: NamedOrder, parts: OrderParts, asker: OrderAsker, now: Date): OrderAnswer {
  const mine = sideOf(order, asker);
  const whole = mine === "sender" || receiverRights[order.state].reads === "all";
  const { studies: _, ...rx } = whole ? order.rx : { ...order.rx, ...blank };
  return {
    ...rowView(order, asker),
    patientId: mine === "sender" ? order.patient_id : null,
    prescription: { ...rx, caseType: order.case_type, targetIid: order.receiver_id, dueDate: order.due_date },
    rxRevision: order.rx_revision,
    files: filesView(order, parts.files, mine, now),
    revisions: parts.revisions.map((row) => ({
      id: row.id,
      kind: row.kind,
      number: row.number,
      hash: row.hash,
      text: row.text,
      state: row.state,
      time: row.created_at,
      who: row.who ?? "",
    })),
    events: parts.events
      .filter((row) => mine === "sender" || !row.inner_only)
      .map((row) => ({
        id: row.id,
        time: row.at,
        action: row.action,
        from: row.from_state,
        to: row.to_state,
        who: row.who ?? "",
        side: row.side,
        text: row.text,
        revision: row.revision,
        ...(row.changed && { changed: row.changed }),
      })),
    messages: parts.messages.map((row) => ({
      id: row.id,
      time: row.at,
      who: row.who ?? "",
      mine: row.side === mine,
      text: row.text,
    })),
    shipment: order.dispatched_at
      ? {
          carrier: order.carrier,
          trackingNumber: order.tracking_number,
          handDelivery: order.hand_delivery,
          at: order.dispatched_at,
        }
      : null,
    infoRequest: order.info_request,
    cancelRequest: order.cancel_request,
    missing: order.state === "draft" ? missingIn(order, parts.files) : [],
    actions: openActions(order, asker, now),
    mayChat: mayChat(order, now),
  };
}
// What stays of a prescription for a receiver who keeps only the line in its list.
const blank = { items: [], implantSystem: null, fixType: null, jaws: [], instructions: null };

export const missingIn = (order: Order, files: { role: string }[]): string[] =>
  missingFor({ ...order.rx, caseType: order.case_type, dueDate: order.due_date, targetIid: order.receiver_id }, files);

export function mayChat(order: Pick<Order, "state" | "completed_at">, now: Date): boolean {
  const { chat } = receiverRights[order.state];
  return (
    chat === "open" ||
    (chat === "forTime" && now.getTime() < Date.parse(order.completed_at ?? "") + rightsRules.chatDays * 86_400_000)
  );
}

function filesView(
  order: NamedOrder,
  files: readonly NamedFile[],
  mine: "sender" | "receiver",
  now: Date,
): FileAnswer[] {
  const places = new Map<string, number>();
  return files
    .filter((file) => mine === "sender" || file.side === "receiver" || receiverRights[order.state].reads === "all")
    .map((file) => {
      const place = (places.get(file.role) ?? 0) + 1;
      places.set(file.role, place);
      const name = hidesNames(order, file, mine) ? plainName(file, place) : file.name;
      const mayHave = mayTake(order, file, mine, now);
      return {
        id: file.id,
        role: file.role,
        name,
        bytes: file.bytes,
        sha256: file.sha256,
        studyId: file.study_id,
        studyKind: file.study_kind,
        revisionId: file.revision_id,
        url: mayHave ? addressOf(file, name, hidesNames(order, file, mine) ? order.id : null) : null,
        glb: mayHave ? glbOf(file) : null,
        thumbnailUrl: file.thumbnail
          ? fileUrl(
              secret(),
              {
                area: "converted",
                iid: file.institution_id,
                sha256: file.thumbnail,
                name: "thumbnail",
                type: "image/webp",
              },
              now.getTime(),
            )
          : null,
      };
    });
}

const hidesNames = (order: Order, file: NamedFile, mine: "sender" | "receiver"): boolean =>
  mine === "receiver" && file.side === "sender" && order.name_masked;
/** File names often hold the patient's: the ending, too, is told by the content. */
const plainName = (file: NamedFile, place: number): string =>
  `${file.role}-${place}${file.content === "unknown" || isVolume(file) ? "" : `.${endings[file.content] ?? file.content}`}`;
const endings: Partial<Record<string, string>> = { dicom: "dcm", jpeg: "jpg" };

/** Whether the reader may have the original bytes. A volume has no address of its own: it is one study of many files. */
function mayTake(order: Order, file: NamedFile, mine: "sender" | "receiver", now: Date): boolean {
  if (isVolume(file)) return false;
  if (mine === "sender" || file.side === "receiver") return true;
  // Names cannot be taken out of an archive or of what nobody knows.
  if (order.name_masked && !cleanedKinds.has(file.content) && !plainKinds.has(file.content)) return false;
  const { completed_at: completedAt } = order;
  return mayTakeOriginal({ state: order.state as OrderState, completedAt }, { dicom: file.content === "dicom" }, now);
}
const isVolume = (file: NamedFile): boolean => file.study_id === file.id;
const mediaTypes: Partial<Record<string, string>> = {
  jpeg: "image/jpeg",
  png: "image/png",
  pdf: "application/pdf",
  dicom: "application/dicom",
  stl: "model/stl",
  zip: "application/zip",
};
/** `clean`: the order for whose receiver names are taken out. */
const addressOf = (file: NamedFile, name: string, clean: string | null): string =>
  fileUrl(secret(), {
    area: "originals",
    iid: file.owner_id,
    sha256: file.sha256,
    name,
    type: mediaTypes[file.content] ?? "application/octet-stream",
    download: true,
    ...(clean && cleanedKinds.has(file.content) && { clean }),
  });

const glbOf = ({ owner_id: iid, glb: sha256, glb_error: error }: NamedFile): FileAnswer["glb"] =>
  sha256 !== null && error !== null
    ? {
        url: fileUrl(secret(), { area: "converted", iid, sha256, name: "model.glb", type: "application/octet-stream" }),
        error,
      }
    : null;
