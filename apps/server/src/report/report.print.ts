import { buffer } from "node:stream/consumers";
import { offeredLanguages } from "@arcada/contract/kernel/languages";
import type { Database } from "../platform/database/database.ts";
import type { OpenDocument } from "../platform/http/document-routes.ts";
import { refuse } from "../platform/http/refuse.ts";
import { files } from "../platform/runtime/services.ts";
import { aroundOf } from "./report.around.ts";
import { reportPaper } from "./report.paper.ts";
import { seePictures } from "./report.pictures.ts";
import { kinOf, papersOf, reportById } from "./report.store.ts";
import { saidNow } from "./report.view.ts";

/**
 * Opens a signed report as it was signed, byte for byte; any other is rendered from its current state and says on every
 * page what it is.
 */
export const openReport =
  (database: Database): OpenDocument =>
  async ({ iid, uid, id, language }) => {
    const read = await database.as({ system: false, iid, uid }, async (db) => {
      const row = (await reportById(db, iid, id)) ?? refuse("notFound");
      const kin = await kinOf(db, iid, id, row.previous_id);
      const { content } = await saidNow(db, row, kin.previous?.number ?? null);
      return { row, kin, content, papers: await papersOf(db, iid, id) };
    });
    const { row, kin, content, papers } = read;
    const spoken = offeredLanguages.find((one) => one === language) ?? "en";
    const name = `${row.number}.pdf`;
    const kept = papers.find((paper) => paper.language === spoken);
    if (row.state === "signed" && kept)
      return { name, pdf: new Uint8Array(await buffer(await files().read("converted", iid, kept.sha256))) };
    const pictures = await seePictures(database, { iid, uid, id }, content);
    const { state, sha256 } = row;
    const ended = row.ended_at ? { at: row.ended_at, reason: row.reason ?? "" } : null;
    const said = { state, sha256, ended, nextNumber: kin.next?.number ?? null };
    return { name, paper: reportPaper(content, await aroundOf(database, { iid, uid }, said, pictures), spoken) };
  };
