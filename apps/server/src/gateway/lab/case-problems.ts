import type { AgentOrder } from "@arcada/contract/order/lab-agent.calls";
import { labAgentProblems } from "@arcada/contract/order/lab-agent.rules";
import type { LabAgentProblem } from "@arcada/contract/order/lab-agent.rules";
import type { CaseRecord } from "./case-record.ts";

/** Days for which a cancelled order is shown: somebody may still work on its case. */
const cancelledDays = 14;

/**
 * Notes in a record how its order went on after the case was delivered. An order that the laboratory does not see any more was
 * cancelled, refused or taken back.
 */
export function reviewOrder(record: CaseRecord, order: AgentOrder | undefined): CaseRecord {
  if (!order || order.state === "cancelled" || order.state === "refused")
    return { ...record, problem: "orderCancelled", closedAt: Date.now() };
  if (order.state === "completed") return { ...record, problem: null, pending: null, closedAt: Date.now() };
  return { ...record, problem: order.content === record.content ? null : "orderChanged" };
}

/** The problems of cases, the gravest first, each with the numbers of its orders. */
export function listProblems(
  records: readonly CaseRecord[],
  now = Date.now(),
): { problem: LabAgentProblem; numbers: string[] }[] {
  const shown = records.filter(({ closedAt }) => closedAt === null || now - closedAt < cancelledDays * 86_400_000);
  return labAgentProblems.flatMap((problem) => {
    const numbers = shown.filter((record) => record.problem === problem).map(({ number }) => number);
    return numbers.length === 0 ? [] : [{ problem, numbers: numbers.toSorted((a, b) => a.localeCompare(b)) }];
  });
}

const lines: Record<LabAgentProblem, string> = {
  folderUnusable: "the folder cannot be used",
  diskFull: "the disk is full",
  downloadBroken: "the case arrived damaged",
  designRefused: "Arcada does not take the design",
  designLate: "the design was changed after the order had left the design stage",
  caseMissing: "the folder of the case was moved or removed",
  orderCancelled: "the order was cancelled or withdrawn; the folder of its case stays",
  orderChanged: "the clinic changed the order after its case was delivered",
};

/** Writes a line for the operator when a case gets another problem. */
export function nameProblem(log: (line: string) => void, before: CaseRecord, after: CaseRecord): void {
  if (after.problem && after.problem !== before.problem) log(`order ${after.number}: ${lines[after.problem]}`);
}
