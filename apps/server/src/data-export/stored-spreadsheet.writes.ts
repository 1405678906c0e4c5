import type { Readable } from "node:stream";
import { sql } from "kysely";
import type { TakingTable } from "../tables/schema.generated.ts";
import type { MemberContext } from "../platform/http/request-context.ts";
import { createFileUrl } from "../platform/storage/file-url.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { files, secret } from "../platform/runtime/services.ts";
import { spreadsheetType, writeSpreadsheet } from "../platform/spreadsheet/spreadsheet.ts";
import type { Sheet } from "../platform/spreadsheet/spreadsheet.ts";

type ExportContext = Pick<MemberContext, "db" | "principal" | "language">;
interface StoredTable {
  kind: TakingTable["kind"];
  /** The name of the file. */
  name: string;
  minutes: number;
}

/** Writes a spreadsheet while its rows are read, and keeps it for a while; returns its address. */
export const storeSpreadsheet = (
  context: ExportContext,
  sheet: Omit<Sheet, "rightToLeft">,
  stored: StoredTable,
): Promise<{ url: string }> =>
  storeTable(context, writeSpreadsheet({ ...sheet, rightToLeft: context.language === "ar" }), {
    ...stored,
    type: spreadsheetType,
  });

/** Does the same for a table in any format. */
export async function storeTable(
  { db, principal, language }: ExportContext,
  bytes: Readable,
  { kind, name, minutes, type }: StoredTable & { type: string },
): Promise<{ url: string }> {
  const stored = await files().put("converted", principal.iid, bytes);
  await db
    .insertInto("taking")
    .values({
      institution_id: principal.iid,
      id: newId(),
      kind,
      state: "done",
      language,
      ...stored,
      created_by: principal.uid,
      finished_at: sql<string>`now()`,
      expires_at: sql<string>`now() + make_interval(mins => ${minutes}::int)`,
    })
    .execute();
  const file = { area: "converted", iid: principal.iid, sha256: stored.sha256, name, type, download: true } as const;
  return { url: createFileUrl(secret(), file) };
}
