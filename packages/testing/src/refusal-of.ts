import { refusals, successCode } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";

const nameByCode = new Map<number, RefusalName>(
  Object.entries(refusals).map(([name, { code }]) => [code, name as RefusalName]),
);

/**
 * Returns the name of the refusal in an answer's envelope, or "accepted". Tests compare this name, so a failing line
 * says which refusal came instead of the expected one. Throws on a code that the contract does not know.
 */
export function refusalOf({ code, msg }: { code: number; msg?: string }): RefusalName | "accepted" {
  if (code === successCode) return "accepted";
  const name = nameByCode.get(code);
  if (!name) throw new Error(`The contract has no refusal with the code ${code} (${msg ?? "without a message"}).`);
  return name;
}
