import { clinicRoles, managerRoles, type Role } from "@arcada/contract/kernel/roles";
import { cleanedKinds, sharedUntil } from "@arcada/contract/order/order.rights";
import { isMesh } from "./mesh-check.ts";
import type { NamedFile, NamedOrder } from "./order.read.ts";
import type { Order } from "./order.store.ts";
import type { OrderAsker } from "./order.ts";
import { hidesNames, isPart, isSeen, isVolume, mayPack, plainName } from "./order.file-view.ts";

/** A file as somebody gets it. */
export interface Taken {
  file: NamedFile;
  name: string;
  /** The order or the link for which names are taken out; null: as it came. */
  clean: string | null;
}

/** What a side of an order may take of its files now, under the names that it sees them by. */
export function takenBy(
  order: NamedOrder,
  files: readonly NamedFile[],
  mine: "sender" | "receiver",
  now: Date,
): Taken[] {
  return placed(files.filter((file) => isSeen(order, file, mine))).flatMap(({ file, place }) => {
    if (!mayPack(order, file, mine, now)) return [];
    const isHidden = hidesNames(order, file, mine);
    const name = isHidden ? plainName(file, place) : file.name;
    return [{ file, name, clean: isHidden && cleanedKinds.has(file.content) ? order.id : null }];
  });
}

/** Who answers for an order makes links to it, while it may be shown; of the lab where the sender lets it. */
export function mayShare(order: NamedOrder, asker: OrderAsker, now: Date): boolean {
  const until = sharedUntil({ state: order.state, holder: order.holder, completedAt: order.completed_at });
  if (until === null || until <= now) return false;
  if (order.institution_id === asker.iid) return decidesOnSharing(order, asker);
  const isActing = order.assignee_id === asker.uid || isManager(asker.role);
  return isActing && labShares(order) && order.state !== "pending";
}

/** The creator and the managers of the clinic decide; what a lab has another one make is not its own to show. */
export const decidesOnSharing = (order: Order, asker: OrderAsker): boolean =>
  order.institution_id === asker.iid &&
  isClinic(asker.role) &&
  (order.creator_id === asker.uid || isManager(asker.role));

/** What was said at any time after sending stands above the prescription. */
export const labShares = (order: Pick<Order, "receiver_shares" | "rx" | "parent_id">): boolean =>
  order.parent_id === null && (order.receiver_shares ?? order.rx.labShares ?? false);
const isManager = (role: Role): boolean => (managerRoles as readonly Role[]).includes(role);
const isClinic = (role: Role): boolean => (clinicRoles as readonly Role[]).includes(role);

/** What a link shows of an order. */
export interface Showing {
  shareId: string;
  nameless: boolean;
  pictures: boolean;
  revisions: readonly string[];
}

/** The files that a link shows: scans and models, pictures where they go along, and those of the chosen revisions. */
export function shownBy(files: readonly NamedFile[], { shareId, nameless, pictures, revisions }: Showing): Taken[] {
  const seen = files.filter(
    (file) =>
      isPart(file) &&
      (file.revision_id === null
        ? file.side === "sender" && file.message_id === null
        : revisions.includes(file.revision_id)) &&
      (isMesh(file.content) || (pictures && isPicture(file))),
  );
  return placed(seen).map(({ file, place }) => ({
    file,
    name: nameless ? plainName(file, place) : file.name,
    clean: nameless ? shareId : null,
  }));
}

/** Documents and archives stay behind: what stands in them nobody has looked at. */
const isPicture = (file: NamedFile): boolean =>
  isVolume(file) || file.content === "dicom" || file.content === "jpeg" || file.content === "png";

/** The how many-eth of its role each file is. */
function placed(files: readonly NamedFile[]): { file: NamedFile; place: number }[] {
  const places = new Map<string, number>();
  return files.map((file) => {
    const place = (places.get(file.role) ?? 0) + 1;
    places.set(file.role, place);
    return { file, place };
  });
}
