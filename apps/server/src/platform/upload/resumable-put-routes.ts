import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { hasAccess } from "@arcada/contract/kernel/roles";
import type { Access } from "@arcada/contract/kernel/roles";
import type { Principal } from "../http/request-context.ts";
import { refuse } from "../http/refuse.ts";
import type { Authenticate } from "../http/serve-calls.ts";
import { uploadParts } from "../runtime/services.ts";

/** A route that receives files in parts: PUT with `upload-offset`, each answered when the part is on the disk. */
export interface MultipartRoute {
  /** A path that ends in "/:id": the row that waits for the bytes. */
  path: string;
  access: Access;
  /** The maximum size of one request's body. */
  chunkBytes: number;
  /** The refusal of a part that arrives while another one is being written. */
  busy: RefusalName;
  /** Returns the upload that is expected from this caller; null if there is none. */
  findExpected(principal: Principal, id: string): Promise<ExpectedUpload | null>;
  /**
   * Called when all bytes are in the part; the last request is answered after it. An empty last request calls it again.
   */
  complete(id: string): Promise<void>;
}

interface ExpectedUpload {
  /** The total size of the file, in bytes. */
  bytes: number;
  /** True if the file is complete: a client that asks again has missed the response to the last part. */
  isComplete: boolean;
}

export async function serveMultipart(
  app: FastifyInstance,
  authenticate: Authenticate,
  route: MultipartRoute,
): Promise<void> {
  await app.register(async (scope) => {
    // The bytes stay in the request, and are written as they arrive.
    scope.addContentTypeParser("application/offset+octet-stream", (_request, _body, done) => done(null));
    scope.put(route.path, { bodyLimit: route.chunkBytes, config: { bodyMayLast: true } }, (request, reply) =>
      receive(route, authenticate, request, reply),
    );
  });
}

const writing = new Set<string>();

async function receive(
  route: MultipartRoute,
  authenticate: Authenticate,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const principal = (await authenticate(request, reply, "upload")) ?? refuse("unknownSession");
  if (!hasAccess(route.access, principal.role)) refuse("notAllowed");
  const { id } = request.params as { id: string };
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) refuse("uploadUnknown");
  const { bytes, isComplete } = (await route.findExpected(principal, id)) ?? refuse("uploadUnknown");
  const sendOffset = (offset: number) =>
    reply.header("upload-offset", offset).send({ code: 200, msg: "", data: { offset } });
  if (isComplete) return sendOffset(bytes);
  if (writing.has(id)) refuse(route.busy);
  writing.add(id);
  try {
    const at = (await uploadParts().bytes(id)) ?? 0;
    if (Number(request.headers["upload-offset"]) !== at) refuse("uploadOffset", { offset: String(at) });
    const end = await append(request, id, { at, most: Math.min(bytes, at + route.chunkBytes) });
    if (end === bytes) await route.complete(id);
    return await sendOffset(end);
  } finally {
    writing.delete(id);
  }
}

/** Writes the body of the request; the returned offset is on the disk. */
async function append(request: FastifyRequest, id: string, { at: from, most }: { at: number; most: number }) {
  const part = await uploadParts().open(id, from);
  let at = from;
  try {
    for await (const chunk of request.raw) {
      const block = chunk as Buffer;
      if (at + block.length > most) refuse("tooLarge");
      await part.write(block);
      at += block.length;
    }
  } finally {
    await part.sync().finally(() => part.close());
  }
  return at;
}
