import { labAgentProblems } from "@arcada/contract/order/lab-agent.rules";
import { single, type HealthSources } from "../health-port.ts";
import type { LabAgentState } from "./lab-agent.ts";

/** What the health port of a laboratory's agent answers from: figures alone. */
export const labHealth = (state: LabAgentState): HealthSources => ({
  gauge: {
    metrics: {
      arcada_agent_cases: { help: "Cases that the agent has put into the folder" },
      arcada_agent_designs: { help: "Designs that the agent has sent" },
      arcada_agent_waiting_orders: { help: "Orders that wait for the folder" },
      arcada_agent_problem_orders: { help: "Orders with a problem, by its name", labels: ["problem"] },
      arcada_agent_trouble: { help: "1 while Arcada is away or refuses, otherwise 0", labels: ["kind"] },
      arcada_agent_last_success_seconds: { help: "Unix time at which Arcada last answered; 0: never" },
    },
    keepMs: 0,
    read: async () => ({
      arcada_agent_cases: single(state.delivered),
      arcada_agent_designs: single(state.designs),
      arcada_agent_waiting_orders: single(state.waiting),
      arcada_agent_problem_orders: labAgentProblems.map((problem) => {
        const found = state.problems.find((one) => one.problem === problem);
        return { labels: { problem }, value: found ? Math.max(1, found.numbers.length) : 0 };
      }),
      arcada_agent_trouble: ["away", "refused"].map((kind) => ({
        labels: { kind },
        value: state.trouble?.kind === kind ? 1 : 0,
      })),
      arcada_agent_last_success_seconds: single((state.lastSuccessAt ?? 0) / 1000),
    }),
  },
  findFault: () =>
    state.problems.some(({ problem }) => problem === "folderUnusable" || problem === "diskFull")
      ? "the folder cannot be used"
      : null,
});
