import { dentistRoles, managerRoles, type Role } from "@arcada/contract/kernel/roles";
import { cleanableKinds, sharingEnd } from "@arcada/contract/order/receiver-rights";
import { isMesh } from "./mesh-check.ts";
import type { NamedFile, NamedOrder } from "../core/order.read.ts";
import type { Order } from "../core/order.store.ts";
import type { OrderPrincipal } from "../transition/guards.ts";
import { hidesNames, isPartOfOrder, isVisible, isVolume, mayDownload, neutralName } from "./file-view.ts";
import { pickColumns } from "../../platform/database/camel-case-columns.ts";

/** A file in the form in which a reader gets it. */
export interface AccessibleFile {
  file: NamedFile;
  name: string;
  /** The order or the link for which the file is de-identified; null: unchanged. */
  deidentifyFor: string | null;
}

/** Returns the files that one side of an order may take now, under the names that this side sees. */
export function listDownloadableFiles(
  order: NamedOrder,
  files: readonly NamedFile[],
  ownSide: "sender" | "receiver",
  now: Date,
): AccessibleFile[] {
  return numberWithinRole(files.filter((file) => isVisible(order, file, ownSide))).flatMap(({ file, place }) => {
    if (!mayDownload(order, file, ownSide, now)) return [];
    const isHidden = hidesNames(order, file, ownSide);
    const name = isHidden ? neutralName(file, place) : file.name;
    return [{ file, name, deidentifyFor: isHidden && cleanableKinds.has(file.content) ? order.id : null }];
  });
}

/**
 * Returns true if the person may create links to the order, which must still be open to sharing: those who answer for
 * it; in the lab only with the sender's permission.
 */
export function mayShare(order: NamedOrder, principal: OrderPrincipal, now: Date): boolean {
  const until = sharingEnd(pickColumns(order, "state", "holder", "completed_at"));
  if (until === null || until <= now) return false;
  if (order.institution_id === principal.iid) return canDecideOnSharing(order, principal);
  const isActing = order.assignee_id === principal.uid || isManager(principal.role);
  return isActing && isLabSharingAllowed(order) && order.state !== "pending";
}

/** The creator and the managers of the clinic decide; a lab may not share an order that another lab makes for it. */
export const canDecideOnSharing = (order: Order, principal: OrderPrincipal): boolean =>
  order.institution_id === principal.iid &&
  isDentist(principal.role) &&
  (order.creator_id === principal.uid || isManager(principal.role));

/** A choice that was made after sending overrides the one in the prescription. */
export const isLabSharingAllowed = (order: Pick<Order, "receiver_shares" | "rx" | "parent_id">): boolean =>
  order.parent_id === null && (order.receiver_shares ?? order.rx.labShares ?? false);
const isManager = (role: Role): boolean => (managerRoles as readonly Role[]).includes(role);
const isDentist = (role: Role): boolean => (dentistRoles as readonly Role[]).includes(role);

/** The parts of an order that a link shows. */
export interface SharedParts {
  shareId: string;
  nameless: boolean;
  pictures: boolean;
  revisions: readonly string[];
}

/**
 * Returns the files that a link shows: scans and models, images if they are shared, and those of the chosen revisions.
 */
export function listSharedFiles(
  files: readonly NamedFile[],
  { shareId, nameless, pictures, revisions }: SharedParts,
): AccessibleFile[] {
  const visible = files.filter(
    (file) =>
      isPartOfOrder(file) &&
      (file.revision_id === null
        ? file.side === "sender" && file.message_id === null
        : revisions.includes(file.revision_id)) &&
      (isMesh(file.content) || (pictures && isSharedImage(file))),
  );
  return numberWithinRole(visible).map(({ file, place }) => ({
    file,
    name: nameless ? neutralName(file, place) : file.name,
    deidentifyFor: nameless ? shareId : null,
  }));
}

/** Documents and archives are left out: nobody has checked their content for names. */
const isSharedImage = (file: NamedFile): boolean =>
  isVolume(file) || file.content === "dicom" || file.content === "jpeg" || file.content === "png";

/** Numbers the files within each role. */
function numberWithinRole(files: readonly NamedFile[]): { file: NamedFile; place: number }[] {
  const places = new Map<string, number>();
  return files.map((file) => {
    const place = (places.get(file.role) ?? 0) + 1;
    places.set(file.role, place);
    return { file, place };
  });
}
