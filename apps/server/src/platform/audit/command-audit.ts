import { userInfo } from "node:os";
import type { Db } from "../database/database.ts";
import { audit } from "./audit.ts";

/** Records an operator's command. Nobody is signed in: the row names the user of the machine's operating system. */
export const recordCommand = (
  db: Db,
  command: string,
  subject: string | null,
  detail: Record<string, unknown> = {},
): Promise<void> =>
  audit(db, {
    institution_id: null,
    user_id: null,
    action: `admin.${command}`,
    subject,
    detail: { ...detail, systemUser: userInfo().username },
  });
