import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { leavingRules } from "@arcada/contract/leaving/leaving.rules";
import type { Database } from "../kernel/db.ts";
import { writeAll } from "../kernel/files-durable.ts";
import { refuse } from "../kernel/refuse.ts";
import type { Authenticate } from "../kernel/serve.ts";
import { files, jobs, parts } from "../kernel/services.ts";
import { sendArrival } from "./leaving.jobs.ts";
import { arrivalOf, moveArrival } from "./leaving.store.ts";

interface Served {
  database: Database;
  authenticate: Authenticate;
}

/** The bytes of an archive that the operator brings in, in pieces: PUT /imports/<id> with `upload-offset`. */
export async function serveArrivals(app: FastifyInstance, served: Served): Promise<void> {
  await app.register(async (scope) => {
    // The bytes stay in the request: they are written as they come.
    scope.addContentTypeParser("application/offset+octet-stream", (_request, _body, done) => done(null));
    scope.put("/imports/:id", { bodyLimit: leavingRules.pieceBytes * 2 }, (request, reply) =>
      receive(served, request, reply),
    );
  });
}

const writing = new Set<string>();

async function receive({ database, authenticate }: Served, request: FastifyRequest, reply: FastifyReply) {
  const asker = (await authenticate(request, reply)) ?? refuse("unknownSession");
  if (asker.role !== "operator") refuse("notAllowed");
  const { id } = request.params as { id: string };
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) refuse("uploadUnknown");
  const row = await database.asSystem((db) => arrivalOf(db, id));
  if (row?.state !== "sending") return refuse("uploadUnknown");
  if (writing.has(id)) refuse("importBusy");
  writing.add(id);
  try {
    const at = (await parts().bytes(id)) ?? 0;
    if (Number(request.headers["upload-offset"]) !== at) refuse("uploadOffset", { offset: String(at) });
    const end = await append(request, id, at, row.bytes);
    if (end === row.bytes) void settleArrival(database, id);
    return await reply.header("upload-offset", end).send({ code: 200, msg: "", data: { offset: end } });
  } finally {
    writing.delete(id);
  }
}

/** What it answers is on the disk. */
async function append(request: FastifyRequest, id: string, from: number, most: number): Promise<number> {
  const part = await parts().open(id);
  let at = from;
  try {
    for await (const chunk of request.raw) {
      const piece = chunk as Buffer;
      if (at + piece.length > most || at + piece.length - from > leavingRules.pieceBytes * 2) refuse("tooLarge");
      await writeAll(part, piece, at);
      at += piece.length;
    }
  } finally {
    await part.sync().finally(() => part.close());
  }
  return at;
}

const settling = new Set<string>();

/** All bytes are here: into the store, where every process finds them, and on to the check. Asked twice it works once. */
export async function settleArrival(database: Database, id: string): Promise<void> {
  if (settling.has(id)) return;
  settling.add(id);
  try {
    const { sha256 } = await files().adopt("converted", id, parts().pathOf(id));
    await database.asSystem(async (db) => {
      if (!(await moveArrival(db, id, ["sending"], { state: "checking", progress: 0, sha256 }))) return;
      await sendArrival(jobs(), db, { id, step: "check" });
    });
  } catch (error) {
    console.error(JSON.stringify({ level: "error", about: "an archive that came", message: (error as Error).message }));
  } finally {
    settling.delete(id);
  }
}
