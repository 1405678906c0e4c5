import { successCode } from "@arcada/contract/kernel/refusals";
import type { Envelope } from "@arcada/contract/kernel/refusals";

/** Returns the data of a response; throws if the call was rejected. */
export async function readAnswer<T>(response: Response): Promise<T> {
  const { code, data, msg } = (await response.json()) as Envelope<T>;
  if (code !== successCode) throw new Error(`${response.url}: ${code} ${msg}`);
  return data;
}
