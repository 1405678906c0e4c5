import type { Readable } from "node:stream";
import { sql } from "kysely";
import type { TakingTable } from "../../tables/leaving.ts";
import type { MemberContext } from "../http/request-context.ts";
import { fileUrl } from "../storage/file-url.ts";
import { newId } from "../runtime/ids.ts";
import { files, secret } from "../runtime/services.ts";
import { spreadsheet } from "./spreadsheet.ts";
import type { Sheet } from "./spreadsheet.ts";

type Asking = Pick<MemberContext, "db" | "asker" | "language">;
interface Kept {
  kind: TakingTable["kind"];
  /** The name of the file. */
  name: string;
  minutes: number;
}

/** Writes a spreadsheet while its rows are read, and keeps it for a while; returns its address. */
export const keepSheet = (asking: Asking, sheet: Omit<Sheet, "rightToLeft">, kept: Kept): Promise<{ url: string }> =>
  keepTable(asking, spreadsheet({ ...sheet, rightToLeft: asking.language === "ar" }), {
    ...kept,
    type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  });

/** Does the same for a table in any format. */
export async function keepTable(
  { db, asker, language }: Asking,
  bytes: Readable,
  { kind, name, minutes, type }: Kept & { type: string },
): Promise<{ url: string }> {
  const stored = await files().put("converted", asker.iid, bytes);
  await db
    .insertInto("taking")
    .values({
      institution_id: asker.iid,
      id: newId(),
      kind,
      state: "done",
      language,
      ...stored,
      created_by: asker.uid,
      finished_at: sql<string>`now()`,
      expires_at: sql<string>`now() + make_interval(mins => ${minutes}::int)`,
    })
    .execute();
  const file = { area: "converted", iid: asker.iid, sha256: stored.sha256, name, type, download: true } as const;
  return { url: fileUrl(secret(), file) };
}
