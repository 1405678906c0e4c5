import { Agent, request } from "node:http";
import { forEachConcurrent } from "../../apps/server/src/platform/runtime/concurrency.ts";
import { DimseClient, readDicomObject } from "@arcada/testing/clients/dimse-client";
import { multipartBody } from "@arcada/testing/clients/dicomweb-client";
import type { Slice } from "../data/imaging-files.ts";

export interface Target {
  base: string;
  /** Its processes; their descendants count as well. */
  pids: number[];
  token?: string;
  dicomPort: number;
  calledTitle: string;
}
const batch = 20;
const ctImage = "1.2.840.10008.5.1.4.1.1.2";

/** Returns the acknowledged instances per second by STOW-RS, in requests of 20 over so many connections. */
export async function measureStow(
  { base, token }: Target,
  slices: readonly Slice[],
  connections: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const bodies = Array.from({ length: Math.ceil(slices.length / batch) }, (_, place) =>
    multipartBody(
      slices.slice(place * batch, (place + 1) * batch).map(({ bytes }) => bytes),
      "bench",
    ),
  );
  try {
    return await perSecond(slices.length, () =>
      forEachConcurrent(bodies, connections, (body) => sendBody(`${base}/studies`, agent, body, token)),
    );
  } finally {
    agent.destroy();
  }
}

function sendBody(url: string, agent: Agent, body: Buffer, token: string | undefined): Promise<void> {
  const headers = {
    "content-type": 'multipart/related; type="application/dicom"; boundary=bench',
    "content-length": body.length,
    accept: "application/dicom+json",
    ...(token && { authorization: `Bearer ${token}` }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", agent, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (piece: Buffer) => chunks.push(piece));
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`STOW-RS answered ${answer.statusCode} ${text.slice(0, 300)}`));
      });
    });
    sent.on("error", reject).end(body);
  });
}

/** Returns the acknowledged instances per second by C-STORE, over so many associations. */
export async function measureStore(
  { dicomPort, calledTitle }: Target,
  slices: readonly Slice[],
  associations: number,
): Promise<number> {
  const objects = slices.map(({ bytes, uid }) => readDicomObject(bytes, ctImage, uid));
  const clients = await Promise.all(
    Array.from({ length: associations }, async () => {
      const { client, unit } = await DimseClient.associate({ port: dicomPort, calledTitle, callingTitle: "BENCH" });
      if (unit?.type !== 2) throw new Error(`the association was refused: ${unit?.type}`);
      return client;
    }),
  );
  const free = [...clients];
  const reached = await perSecond(objects.length, () =>
    forEachConcurrent(objects, associations, async (object) => {
      const client = free.pop()!;
      const status = await client.store(object);
      free.push(client);
      if (status !== 0) throw new Error(`C-STORE answered ${status.toString(16)}`);
    }),
  );
  await Promise.all(clients.map((client) => client.release()));
  return reached;
}

async function perSecond(count: number, work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return (count * 1000) / (performance.now() - from);
}
