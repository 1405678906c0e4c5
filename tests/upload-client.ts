import { createHash } from "node:crypto";
import { newId } from "../apps/server/src/platform/runtime/ids.ts";
import { finishUpload } from "../apps/server/src/platform/upload/uploads.ts";
import { clinician, freshDatabase } from "./database.ts";
import { uploadServer } from "./upload-server.ts";

export interface Who {
  uid: string;
  iid: string;
  token: string;
}
interface Asked {
  token?: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
}
export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
export const idIn = (url: string): string => url.split("/").at(-1)!;
export const pieceHeaders = (offset: number) => ({
  "upload-offset": String(offset),
  "content-type": "application/offset+octet-stream",
});

/** A server of uploads on a database of its own, and a client that sends it single requests. */
export async function uploadClient() {
  const world = await freshDatabase();
  const { app, address } = await uploadServer(world);
  const ask = async (method: string, url: string, { token, headers = {}, body }: Asked) => {
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
  const create = (who: Who, bytes: number, name = "scan.dcm") =>
    ask("POST", "/uploads", {
      token: who.token,
      headers: {
        "upload-length": String(bytes),
        "upload-metadata": `filename ${Buffer.from(name).toString("base64")}`,
      },
    });
  const send = (who: Who, url: string, offset: number, body: Uint8Array) =>
    ask("PATCH", url, { token: who.token, headers: pieceHeaders(offset), body });
  return {
    world,
    address,
    close: () => app.close(),
    ask,
    create,
    send,
    dentist: async (iid?: string, role = "clinicMember"): Promise<Who> => {
      const one = await clinician(world.database, iid);
      return { ...one, token: `${one.uid}:${one.iid}:${role}:${newId()}` };
    },
    /** Sent whole, not finished; answers the upload's id. */
    uploaded: async (who: Who, bytes: Uint8Array, name?: string): Promise<string> => {
      const url = (await create(who, bytes.length, name)).headers.get("location")!;
      const { status } = await send(who, url, 0, bytes);
      if (status !== 204) throw new Error(`the upload was answered with ${status}`);
      return idIn(url);
    },
    finish: (who: Who, id: string) =>
      world.database.as({ system: false, ...who }, (db) => finishUpload({ db, asker: who }, who.iid, id)),
  };
}
