import type { TestUser } from "../setup/test-server.ts";

export interface DicomPart {
  headers: Record<string, string>;
  body: Buffer;
}
export type DicomJson = Record<string, { vr: string; Value?: unknown[]; BulkDataURI?: string }>;

/** Asks DICOMweb as a viewer or an archive elsewhere would. */
export class DicomwebClient {
  readonly #person: Pick<TestUser, "server" | "token">;
  readonly base: string;
  constructor(person: Pick<TestUser, "server" | "token">) {
    this.#person = person;
    this.base = `${person.server.address}/dicomweb`;
  }

  request(
    path: string,
    accept = "*/*",
    more: RequestInit & { headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const url = path.startsWith("http") ? path : `${this.base}${path}`;
    const headers = { accept, authorization: `Bearer ${this.#person.token}`, ...more.headers };
    return fetch(url, { ...more, headers });
  }
  async search(path: string): Promise<DicomJson[]> {
    const answer = await this.request(path, "application/dicom+json");
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as DicomJson[];
  }
  /** Polls until so many results are found, because received objects are processed a moment later. */
  async waitForResults(path: string, count: number): Promise<DicomJson[]> {
    for (let round = 0; ; round++) {
      const found = await this.search(path);
      if (found.length === count) return found;
      if (round > 200) throw new Error(`${path}: ${found.length} found, ${count} awaited`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  async fetchParts(path: string, accept: string): Promise<DicomPart[]> {
    const answer = await this.request(path, accept);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    const boundary = /boundary=([^;]+)/.exec(answer.headers.get("content-type") ?? "")?.[1] ?? "";
    return parseParts(Buffer.from(await answer.arrayBuffer()), boundary);
  }
  async store(files: readonly Uint8Array[], study = ""): Promise<{ status: number; answer: DicomJson }> {
    const answer = await this.send(multipartBody(files, "here"), "here", study);
    return { status: answer.status, answer: (await answer.json()) as DicomJson };
  }
  send(body: Uint8Array, boundary: string, study = ""): Promise<Response> {
    const type = `multipart/related; type="application/dicom"; boundary=${boundary}`;
    return this.request(`/studies${study && `/${study}`}`, "application/dicom+json", {
      method: "POST",
      headers: { "content-type": type },
      body: body as BodyInit,
    });
  }
}

export const multipartBody = (files: readonly Uint8Array[], boundary: string): Buffer =>
  Buffer.concat([
    ...files.flatMap((bytes) => [
      Buffer.from(`\r\n--${boundary}\r\nContent-Type: application/dicom\r\n\r\n`),
      Buffer.from(bytes),
    ]),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);

function parseParts(body: Buffer, boundary: string): DicomPart[] {
  const parts: DicomPart[] = [];
  const line = Buffer.from(`--${boundary}`);
  for (let at = body.indexOf(line); at >= 0;) {
    const next = body.indexOf(line, at + line.length);
    if (next < 0) break;
    const part = body.subarray(at + line.length + 2, next - 2);
    const end = part.indexOf("\r\n\r\n");
    const rows = part.subarray(0, end).toString().split("\r\n");
    parts.push({
      headers: Object.fromEntries(rows.map((row) => row.split(/: (.*)/).slice(0, 2) as [string, string])),
      body: part.subarray(end + 4),
    });
    at = next;
  }
  return parts;
}
