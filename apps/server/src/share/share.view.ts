import { managerRoles, type Role } from "@arcada/contract/kernel/roles";
import { actionsFrom } from "@arcada/contract/kernel/lifecycle";
import type { Share } from "@arcada/contract/share/share.calls";
import { shareLifecycle, type ShareAction } from "@arcada/contract/share/share.lifecycle";
import type { ListedShare, ShareRow } from "./share.store.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

interface ShareActor {
  iid: string;
  uid: string;
  role: Role;
}
/**
 * The creator and the managers may change a link; nobody may after it has expired. The sender's managers may cancel
 * links that its lab made.
 */
export function openActions(
  row: Pick<ShareRow, "state" | "house_id" | "created_by" | "expires_at">,
  person: ShareActor,
  now: Date,
): ShareAction[] {
  if (isOver(row, now)) return [];
  const actions = actionsFrom(shareLifecycle, row.state);
  if (row.house_id !== person.iid) return isManager(person.role) ? actions.filter((action) => action === "cancel") : [];
  return actions.filter((action) => partiesOf(row, person).some((party) => isAllowed(action, party)));
}

const isOver = ({ expires_at }: Pick<ShareRow, "expires_at">, now: Date): boolean =>
  Date.parse(expires_at) <= now.getTime();
export const isManager = (role: Role): boolean => (managerRoles as readonly Role[]).includes(role);
const partiesOf = (row: Pick<ShareRow, "created_by">, { uid, role }: ShareActor): ("creator" | "admin")[] => [
  ...(row.created_by === uid ? (["creator"] as const) : []),
  ...(isManager(role) ? (["admin"] as const) : []),
];
const isAllowed = (action: ShareAction, party: "creator" | "admin"): boolean =>
  shareLifecycle.steps[action].by.includes(party);

export const toShare = (row: ListedShare, person: ShareActor, now: Date): Share => ({
  ...pickColumns(row, "id", "kind", "thing_id", "label"),
  patientId: row.patient_name === null || person.iid !== row.institution_id ? null : row.patient_id,
  patientName: row.patient_name ?? "",
  study: row.study_kind === null ? null : { kind: row.study_kind, takenAt: row.taken_at },
  order:
    row.order_number === null || row.order_state === null ? null : { number: row.order_number, state: row.order_state },
  pictures: row.pictures,
  revisions: row.revisions.length,
  ...pickColumns(row, "factor", "email", "nameless", "may_download"),
  // An expired link is reported as expired even before the sweeper has run.
  state: isOver(row, now) && (row.state === "active" || row.state === "locked") ? "expired" : row.state,
  createdBy: row.creator,
  madeAt: row.house_id === person.iid ? null : row.house,
  ...pickColumns(row, "created_at", "expires_at", "ended_at", "opens", "last_open_at"),
  actions: openActions(row, person, now),
});
