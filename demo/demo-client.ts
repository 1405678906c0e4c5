import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import type { Envelope } from "@arcada/contract/kernel/refusals";
import { successCode } from "@arcada/contract/kernel/refusals";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import type { IngestJob } from "@arcada/contract/study/upload-job.calls";
import { waitForIngest } from "./wait-for-ingest.ts";
import { sendDicom } from "./send-dicom.ts";
import { sendFile } from "./upload-file.ts";

/** A member of the cast, who uses the running product as any client would. */
export interface DemoClient {
  ask<C extends Call>(call: C, input: Input<C>, key?: string): Promise<Output<C>>;
  upload(name: string, bytes: Uint8Array): Promise<string>;
  /** Sends as a device does, without naming the patient's record. */
  sendDicom(bytes: Uint8Array): Promise<void>;
  /** Imports files into a patient's record and waits until they are ready. */
  importFiles(patientId: string, files: { name: string; bytes: Uint8Array }[], key: string): Promise<IngestJob>;
}

export async function signIn(address: string, account: string, password: string): Promise<DemoClient> {
  const { token } = await ask(address, "", signInCalls.login, { account, password });
  const actor: DemoClient = {
    ask: (call, input, key) => ask(address, token, call, input, key),
    upload: (name, bytes) => sendFile(address, token, name, bytes),
    sendDicom: (bytes) => sendDicom(address, token, bytes),
    importFiles: async (patientId, files, key) => {
      const uploads: string[] = [];
      for (const { name, bytes } of files) uploads.push(await sendFile(address, token, name, bytes));
      return waitUntilImported(actor, await actor.ask(uploadJobCalls.open, { patientId, uploads }, key));
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

async function waitUntilImported(actor: DemoClient, { id }: IngestJob): Promise<IngestJob> {
  const job = await waitForIngest(() => actor.ask(uploadJobCalls.job, { id }));
  if (job.state !== "done") throw new Error(`ingest ${job.state}: ${job.refusal} ${JSON.stringify(job.refused)}`);
  return job;
}
