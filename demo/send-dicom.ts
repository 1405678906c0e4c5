/** Sends a DICOM file by STOW-RS, as a device or an archive would. */
export async function sendDicom(address: string, token: string, bytes: Uint8Array): Promise<void> {
  const boundary = "one-file";
  const body = Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Type: application/dicom\r\n\r\n`),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const answer = await fetch(`${address}/dicomweb/studies`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/dicom+json",
      "content-type": `multipart/related; type="application/dicom"; boundary=${boundary}`,
    },
    body,
  });
  if (answer.status !== 200) throw new Error(`the file was refused: ${answer.status} ${await answer.text()}`);
}
