/** Sends a file by the resumable protocol in a single request, as any client would. Returns the upload's id. */
export async function sendFile(address: string, token: string, name: string, bytes: Uint8Array): Promise<string> {
  const common = { token, "tus-resumable": "1.0.0" };
  const metadata = `filename ${Buffer.from(name).toString("base64")}`;
  const made = await fetch(`${address}/uploads`, {
    method: "POST",
    headers: { ...common, "upload-length": String(bytes.length), "upload-metadata": metadata },
  });
  if (made.status !== 201) throw new Error(`the upload of ${name} was refused: ${made.status} ${await made.text()}`);
  const place = new URL(made.headers.get("location") ?? "", address);
  if (bytes.length > 0) {
    const headers = { ...common, "upload-offset": "0", "content-type": "application/offset+octet-stream" };
    const sent = await fetch(place, { method: "PATCH", headers, body: bytes as Uint8Array<ArrayBuffer> });
    if (sent.status !== 204) throw new Error(`the upload of ${name} broke: ${sent.status} ${await sent.text()}`);
  }
  return place.pathname.split("/").at(-1)!;
}
