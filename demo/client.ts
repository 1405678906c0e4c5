import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import type { Envelope } from "@arcada/contract/kernel/refusals";
import { successCode } from "@arcada/contract/kernel/refusals";
import { accountCalls } from "@arcada/contract/account/account.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { IngestJob } from "@arcada/contract/study/study.calls";

/** One member of the cast, asking the running product as any client would. */
export interface Actor {
  ask<C extends Call>(call: C, input: Input<C>, key?: string): Promise<Output<C>>;
  upload(name: string, bytes: Uint8Array): Promise<string>;
  /** Takes files into a patient's record and waits until they are there. */
  takeIn(patientId: string, files: { name: string; bytes: Uint8Array }[], key: string): Promise<IngestJob>;
}

export async function signIn(address: string, account: string, password: string): Promise<Actor> {
  const { token } = await ask(address, "", accountCalls.login, { account, password });
  const actor: Actor = {
    ask: (call, input, key) => ask(address, token, call, input, key),
    upload: (name, bytes) => upload(address, token, name, bytes),
    takeIn: async (patientId, files, key) => {
      const uploads: string[] = [];
      for (const { name, bytes } of files) uploads.push(await upload(address, token, name, bytes));
      return ended(actor, await actor.ask(studyCalls.open, { patientId, uploads }, key));
    },
  };
  return actor;
}

async function ask<C extends Call>(
  address: string,
  token: string,
  call: C,
  input: Input<C>,
  key?: string,
): Promise<Output<C>> {
  const query = call.method === "GET" ? `?${new URLSearchParams(input as Record<string, string>)}` : "";
  const response = await fetch(`${address}${call.path}${query}`, {
    method: call.method,
    headers: {
      token,
      "content-type": "application/json",
      "accept-language": "zh",
      ...(key && { "idempotency-key": key }),
    },
    ...(call.method === "POST" && { body: JSON.stringify(input) }),
  });
  const answer = (await response.json()) as Envelope<Output<C>>;
  if (answer.code !== successCode)
    throw new Error(`${call.path}: ${answer.code} ${answer.msg} ${JSON.stringify(answer.data)}`);
  return answer.data;
}

async function upload(address: string, token: string, name: string, bytes: Uint8Array): Promise<string> {
  const common = { token, "tus-resumable": "1.0.0" };
  const metadata = `filename ${Buffer.from(name).toString("base64")}`;
  const made = await fetch(`${address}/uploads`, {
    method: "POST",
    headers: { ...common, "upload-length": String(bytes.length), "upload-metadata": metadata },
  });
  const place = new URL(made.headers.get("location") ?? "", address);
  const headers = { ...common, "upload-offset": "0", "content-type": "application/offset+octet-stream" };
  const sent = await fetch(place, { method: "PATCH", headers, body: bytes as Uint8Array<ArrayBuffer> });
  if (!sent.ok) throw new Error(`upload of ${name}: ${sent.status}`);
  return place.pathname.split("/").at(-1)!;
}

const waitMs = 250;
const patience = 600;
async function ended(actor: Actor, job: IngestJob): Promise<IngestJob> {
  for (let wait = 0; wait < patience; wait++) {
    const now = await actor.ask(studyCalls.job, { id: job.id });
    if (now.state === "done") return now;
    if (now.state === "failed" || now.state === "cancelled")
      throw new Error(`ingest ${now.state}: ${now.refusal} ${JSON.stringify(now.refused)}`);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  throw new Error("an ingest did not end");
}
