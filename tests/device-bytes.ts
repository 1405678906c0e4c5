import type { Person, TestServer } from "./world.ts";

export const asksForUpload = (here: TestServer, key: string, bytes: number): Promise<Response> =>
  fetch(`${here.running.address}/uploads`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "tus-resumable": "1.0.0",
      "upload-length": String(bytes),
      "upload-metadata": `filename ${btoa("pano.dcm")}`,
    },
  });
/** Begins an upload with a device's key; answers its address. */
export async function beginsUpload(here: TestServer, key: string, bytes: number): Promise<string> {
  const made = await asksForUpload(here, key, bytes);
  return `${here.running.address}${made.headers.get("location")}`;
}

const piece = (offset: number) => ({
  "upload-offset": String(offset),
  "content-type": "application/offset+octet-stream",
});
export async function sendsBytes(key: string, url: string, offset: number, body: Uint8Array) {
  const answer = await fetch(url, {
    method: "PATCH",
    headers: { authorization: `Bearer ${key}`, "tus-resumable": "1.0.0", ...piece(offset) },
    body: body as BodyInit,
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? null : (JSON.parse(text) as object) };
}

export const putsConsent = (by: Person, id: string, body: Buffer): Promise<Response> =>
  fetch(`${by.server.running.address}/device-consents/${id}`, {
    method: "PUT",
    headers: { token: by.token, ...piece(0) },
    body: body as BodyInit,
  });
