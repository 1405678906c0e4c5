import { clinicRoles, managerRoles, type Role } from "@arcada/contract/kernel/roles";
import { cleanedKinds, sharedUntil } from "@arcada/contract/order/order.rights";
import { isMesh } from "./mesh-check.ts";
import type { NamedFile, NamedOrder } from "./order.read.ts";
import type { Order } from "./order.store.ts";
import type { OrderAsker } from "./order.ts";
import { hidesNames, isPart, isSeen, isVolume, mayPack, plainName } from "./order.file-view.ts";

/** A file in the form in which a reader gets it. */
export interface Taken {
  file: NamedFile;
  name: string;
  /** The order or the link for which the file is de-identified; null: unchanged. */
  clean: string | null;
}

/** Returns the files that one side of an order may take now, under the names that this side sees. */
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

/**
 * Returns true if the person may create links to the order, which must still be open to sharing: those who answer for
 * it; in the lab only with the sender's permission.
 */
export function mayShare(order: NamedOrder, asker: OrderAsker, now: Date): boolean {
  const until = sharedUntil({ state: order.state, holder: order.holder, completedAt: order.completed_at });
  if (until === null || until <= now) return false;
  if (order.institution_id === asker.iid) return decidesOnSharing(order, asker);
  const isActing = order.assignee_id === asker.uid || isManager(asker.role);
  return isActing && labShares(order) && order.state !== "pending";
}

/** The creator and the managers of the clinic decide; a lab may not share an order that another lab makes for it. */
export const decidesOnSharing = (order: Order, asker: OrderAsker): boolean =>
  order.institution_id === asker.iid &&
  isClinic(asker.role) &&
  (order.creator_id === asker.uid || isManager(asker.role));

/** A choice that was made after sending overrides the one in the prescription. */
export const labShares = (order: Pick<Order, "receiver_shares" | "rx" | "parent_id">): boolean =>
  order.parent_id === null && (order.receiver_shares ?? order.rx.labShares ?? false);
const isManager = (role: Role): boolean => (managerRoles as readonly Role[]).includes(role);
const isClinic = (role: Role): boolean => (clinicRoles as readonly Role[]).includes(role);

/** The parts of an order that a link shows. */
export interface Showing {
  shareId: string;
  nameless: boolean;
  pictures: boolean;
  revisions: readonly string[];
}

/**
 * Returns the files that a link shows: scans and models, images if they are shared, and those of the chosen revisions.
 */
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

/** Documents and archives are left out: nobody has checked their content for names. */
const isPicture = (file: NamedFile): boolean =>
  isVolume(file) || file.content === "dicom" || file.content === "jpeg" || file.content === "png";

/** Numbers the files within each role. */
function placed(files: readonly NamedFile[]): { file: NamedFile; place: number }[] {
  const places = new Map<string, number>();
  return files.map((file) => {
    const place = (places.get(file.role) ?? 0) + 1;
    places.set(file.role, place);
    return { file, place };
  });
}
