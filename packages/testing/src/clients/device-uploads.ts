import type { AnyTestUser, TestServer } from "../setup/test-server.ts";

export const requestUpload = (testServer: TestServer, key: string, bytes: number): Promise<Response> =>
  fetch(`${testServer.address}/uploads`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "tus-resumable": "1.0.0",
      "upload-length": String(bytes),
      "upload-metadata": `filename ${btoa("pano.dcm")}`,
    },
  });
/** Begins an upload with a device's key; answers its address. */
export async function startUpload(testServer: TestServer, key: string, bytes: number): Promise<string> {
  const made = await requestUpload(testServer, key, bytes);
  return `${testServer.address}${made.headers.get("location")}`;
}

const chunkHeaders = (offset: number) => ({
  "upload-offset": String(offset),
  "content-type": "application/offset+octet-stream",
});
export async function sendChunk(key: string, url: string, offset: number, body: Uint8Array) {
  const answer = await fetch(url, {
    method: "PATCH",
    headers: { authorization: `Bearer ${key}`, "tus-resumable": "1.0.0", ...chunkHeaders(offset) },
    body: body as BodyInit,
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? null : (JSON.parse(text) as object) };
}

export const uploadConsent = (by: AnyTestUser, id: string, body: Buffer): Promise<Response> =>
  fetch(`${by.server.address}/device-consents/${id}`, {
    method: "PUT",
    headers: { token: by.token, ...chunkHeaders(0) },
    body: body as BodyInit,
  });
