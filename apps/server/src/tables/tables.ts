import type { ContactTable, KnownDeviceTable, LoginFailureTable, SessionTable, TicketTable, UsersTable, VerificationTable } from "./account.ts";
import type { InstitutionTable, MembershipTable, RelationTable } from "./institution.ts";
import type { AuditTable, IdempotencyTable } from "./kernel.ts";
import type { NoticeTable } from "./notice.ts";

/** Every table of the database, by the name that SQL uses. */
export interface Tables {
  audit: AuditTable;
  idempotency: IdempotencyTable;
  users: UsersTable;
  contact: ContactTable;
  session: SessionTable;
  verification: VerificationTable;
  ticket: TicketTable;
  login_failure: LoginFailureTable;
  known_device: KnownDeviceTable;
  institution: InstitutionTable;
  membership: MembershipTable;
  relation: RelationTable;
  notice: NoticeTable;
}
