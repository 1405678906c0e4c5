import { createHash } from "node:crypto";
import { newId } from "../../../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { finishUpload } from "../../../../apps/server/src/platform/upload/finish-uploads.ts";
import { createClinician, createTestDatabase } from "../setup/test-database.ts";
import { startUploadServer } from "../workers/upload-server.ts";
import { present } from "../require-present.ts";

export interface Uploader {
  uid: string;
  iid: string;
  token: string;
}
interface RequestParts {
  token?: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
}
export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
export const uploadIdIn = (url: string): string => present(url.split("/").at(-1));
export const chunkHeaders = (offset: number) => ({
  "upload-offset": String(offset),
  "content-type": "application/offset+octet-stream",
});

/** Creates an upload server with its own database, and a client that sends it single requests. */
export async function createUploadClient() {
  const world = await createTestDatabase();
  const { app, address } = await startUploadServer(world);
  const ask = async (method: string, url: string, { token, headers = {}, body }: RequestParts) => {
    const answer = await fetch(new URL(url, address), {
      method,
      headers: { "tus-resumable": "1.0.0", "accept-language": "en", ...(token && { token }), ...headers },
      ...(body && { body: body as BodyInit }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === "" ? null : (JSON.parse(text) as { code: number; msg: string }),
    };
  };
  const create = (who: Uploader, bytes: number, name = "scan.dcm") =>
    ask("POST", "/uploads", {
      token: who.token,
      headers: {
        "upload-length": String(bytes),
        "upload-metadata": `filename ${Buffer.from(name).toString("base64")}`,
      },
    });
  const send = (who: Uploader, url: string, offset: number, body: Uint8Array) =>
    ask("PATCH", url, { token: who.token, headers: chunkHeaders(offset), body });
  return {
    world,
    address,
    close: () => app.close(),
    ask,
    create,
    send,
    dentist: async (iid?: string, role = "clinicMember"): Promise<Uploader> => {
      const one = await createClinician(world.database, iid);
      return { ...one, token: `${one.uid}:${one.iid}:${role}:${newId()}` };
    },
    /** Sent whole, not finished; answers the upload's id. */
    uploaded: async (who: Uploader, bytes: Uint8Array, name?: string): Promise<string> => {
      const url = present((await create(who, bytes.length, name)).headers.get("location"), "location");
      const { status } = await send(who, url, 0, bytes);
      if (status !== 204) throw new Error(`the upload was answered with ${status}`);
      return uploadIdIn(url);
    },
    finish: (who: Uploader, id: string) =>
      world.database.as({ system: false, ...who }, (db) => finishUpload({ db, principal: who }, who.iid, id)),
  };
}
