import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Database } from "../../kernel/db.ts";
import { nameParts } from "../../kernel/file-routes.ts";
import { openHolders } from "../../kernel/holders.ts";
import type { Living } from "../../kernel/holders.ts";
import { refuse } from "../../kernel/refuse.ts";
import { openArchive } from "./archive.ts";
import { downloadOf } from "./download.store.ts";
import { archivePath, holderOf } from "./ticket.ts";

type ArchiveRequest = FastifyRequest<{ Params: { iid: string; id: string }; Querystring: Record<string, unknown> }>;

/** Archives of studies by their ticket: it is good for the session that it was given to, as long as that lives. */
export function serveArchives(app: FastifyInstance, database: Database, living: Living): void {
  const holders = openHolders(living);
  app.get(archivePath, { exposeHeadRoute: false }, async (request: ArchiveRequest, reply) => {
    const now = new Date();
    const holder = holderOf(request.params, request.query, now) ?? refuse("linkExpired");
    await holders.demand(holder);
    const { iid, id } = request.params;
    const row = (await database.asSystem((db) => downloadOf(db, iid, id))) ?? refuse("linkExpired");
    const { name, stream } = await openArchive(database, row, now);
    holders.watch(holder, stream);
    return reply
      .headers({
        "content-type": "application/zip",
        "content-disposition": `attachment; ${nameParts(name)}`,
        "content-security-policy": "default-src 'none'; sandbox",
      })
      .send(stream);
  });
}
