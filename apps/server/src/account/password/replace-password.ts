import { audit } from "../../platform/audit/audit.ts";
import type { Db } from "../../platform/database/database.ts";
import { setPassword } from "../account.store.ts";
import { deleteKnownDevices } from "../sign-in/known-browsers.ts";
import { endSessions } from "../session/session.ts";
import { emailPasswordChanged } from "./password-changed-email.ts";

/** Sets a new password, ends every session and notifies the owner. `address`: null on the machine itself. */
export async function replacePassword(
  db: Db,
  uid: string,
  hash: string,
  address: string | null,
  action = "account.resetPassword",
): Promise<void> {
  await setPassword(db, uid, hash);
  await deleteKnownDevices(db, uid);
  await endSessions(db, { uid }, "password");
  await audit(db, { institution_id: null, user_id: uid, action, address });
  await emailPasswordChanged(db, uid);
}
