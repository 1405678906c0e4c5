import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { mayRole } from "@arcada/contract/kernel/roles";
import type { Access } from "@arcada/contract/kernel/roles";
import type { Asker } from "./asker.ts";
import { writeAll } from "./files-durable.ts";
import { refuse } from "./refuse.ts";
import type { Authenticate } from "./serve.ts";
import { parts } from "./services.ts";

/** A place where files come in, in pieces: PUT with `upload-offset`, each answered when it is on the disk. */
export interface PieceRoute {
  /** Ends in "/:id": the row that waits for the bytes. */
  path: string;
  access: Access;
  /** The most that one request may bring. */
  pieceBytes: number;
  /** Said to whoever sends a piece while another one is being written. */
  busy: RefusalName;
  /** Null where this asker has nothing to send here. */
  awaited(asker: Asker, id: string): Promise<Awaited | null>;
  /** All bytes lie in the part: the last piece is answered after this. Asked again by an empty piece at the end. */
  complete(id: string): Promise<void>;
}

interface Awaited {
  /** How many there will be in all. */
  bytes: number;
  /** It is complete: who asks again has not heard the answer to the last piece. */
  isHere: boolean;
}

export async function servePieces(app: FastifyInstance, authenticate: Authenticate, route: PieceRoute): Promise<void> {
  await app.register(async (scope) => {
    // The bytes stay in the request: they are written as they come.
    scope.addContentTypeParser("application/offset+octet-stream", (_request, _body, done) => done(null));
    scope.put(route.path, { bodyLimit: route.pieceBytes, config: { bodyMayLast: true } }, (request, reply) =>
      receive(route, authenticate, request, reply),
    );
  });
}

const writing = new Set<string>();

async function receive(route: PieceRoute, authenticate: Authenticate, request: FastifyRequest, reply: FastifyReply) {
  const asker = (await authenticate(request, reply, "upload")) ?? refuse("unknownSession");
  if (!mayRole(route.access, asker.role)) refuse("notAllowed");
  const { id } = request.params as { id: string };
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) refuse("uploadUnknown");
  const { bytes, isHere } = (await route.awaited(asker, id)) ?? refuse("uploadUnknown");
  const reached = (offset: number) =>
    reply.header("upload-offset", offset).send({ code: 200, msg: "", data: { offset } });
  if (isHere) return reached(bytes);
  if (writing.has(id)) refuse(route.busy);
  writing.add(id);
  try {
    const at = (await parts().bytes(id)) ?? 0;
    if (Number(request.headers["upload-offset"]) !== at) refuse("uploadOffset", { offset: String(at) });
    const end = await append(request, id, { at, most: Math.min(bytes, at + route.pieceBytes) });
    if (end === bytes) await route.complete(id);
    return await reached(end);
  } finally {
    writing.delete(id);
  }
}

/** What it answers is on the disk. */
async function append(request: FastifyRequest, id: string, { at: from, most }: { at: number; most: number }) {
  const part = await parts().open(id);
  let at = from;
  try {
    for await (const chunk of request.raw) {
      const piece = chunk as Buffer;
      if (at + piece.length > most) refuse("tooLarge");
      await writeAll(part, piece, at);
      at += piece.length;
    }
  } finally {
    await part.sync().finally(() => part.close());
  }
  return at;
}
