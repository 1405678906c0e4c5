import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import { successCode } from "@arcada/contract/kernel/refusals";
import { parseJson, responseEnvelope, toCloudRefused, type RequestBody, type SendRequest } from "./cloud-connection.ts";

/** Makes a call of Arcada's contract. The key makes a repeated command count once. Throws CloudRefused, or network errors. */
export async function callCloud<C extends Call>(
  ask: SendRequest,
  row: C,
  input: Input<C>,
  how: { key?: string; silentMs?: number } = {},
): Promise<Output<C>> {
  const given = Object.entries(input as object).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const path = row.method === "GET" ? `${row.path}?${new URLSearchParams(given)}` : row.path;
  const answer = await ask(row.method, path, {
    ...(row.method === "POST" && { body: jsonBody(input) }),
    ...(how.key !== undefined && { headers: { "idempotency-key": how.key } }),
    ...(how.silentMs !== undefined && { silentMs: how.silentMs }),
  });
  const parsedEnvelope = responseEnvelope.safeParse(parseJson(answer.text));
  if (answer.status !== 200 || !parsedEnvelope.success || parsedEnvelope.data.code !== successCode)
    throw toCloudRefused(answer);
  return row.output.parse(parsedEnvelope.data.data) as Output<C>;
}

function jsonBody(value: unknown): RequestBody {
  const bytes = Buffer.from(JSON.stringify(value));
  return { type: "application/json", bytes: bytes.length, pieces: () => [bytes] };
}
