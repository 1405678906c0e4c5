import path from "node:path";
import { labAgentProblems } from "@arcada/contract/order/lab-agent.rules";
import { agentProgramCalls } from "@arcada/contract/upgrade/upgrade.calls";
import { StartError } from "../../platform/runtime/config.ts";
import { version } from "../../platform/runtime/version.ts";
import { translatorOf, type Language } from "../../platform/text/texts.ts";
import { logEvent } from "../../platform/telemetry/log.ts";
import { callCloud } from "../cloud-calls.ts";
import { openConnection } from "../cloud-connection.ts";
import { openHealthPort, single, type HealthSources } from "../health-port.ts";
import type { GatewayConfig } from "../gateway.config.ts";
import { formatLocalTime, openStatusPage, renderRows, type StatusRow, type StatusView } from "../status-page.ts";
import { sayHealthy, startUpdateChecks } from "../program/update-check.ts";
import { LabAgent, type LabAgentState } from "./lab-agent.ts";

/** Looking at the folder and asking Arcada costs little; a laboratory waits for its orders. */
const mostPollMs = 10_000;
const reportMs = 60_000;

/** Runs this program as the agent of a laboratory: orders into the folder of its CAD program, designs back. */
export async function runLabAgent(config: GatewayConfig, labFolder: string): Promise<void> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const { ask, download, close } = openConnection(config);
  const settleMs = config.GATEWAY_SETTLE_SECONDS * 1000;
  const softwareVersion = `agent ${version}`;
  const agent = await LabAgent.opened({
    ask,
    download,
    closeConnection: close,
    labFolder,
    folder: path.join(config.folder, "lab"),
    softwareVersion,
    pollMs: Math.min(settleMs / 3, mostPollMs),
    settleMs,
    mostPauseMs: config.GATEWAY_PAUSE_SECONDS * 1000,
    reportMs,
    log: (line) => logEvent("info", "agent", line),
  }).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`The folder ${config.folder} cannot be used: ${error.code}. Set GATEWAY_DIR.`);
  });
  const about = { softwareVersion, cloud: new URL(config.GATEWAY_CLOUD).origin };
  const status = await openStatusPage(labStatusView(agent.state, about), config.GATEWAY_STATUS_PORT);
  const health = await openHealthPort(labHealth(agent.state), config);
  print(`Orders to design go to ${labFolder}`);
  print(`How it is: http://127.0.0.1:${status.port}/`);
  let stopping: Promise<void> | undefined;
  const stop = (exitCode: number): void =>
    void (stopping ??= (async () => {
      endChecks();
      status.close();
      health?.close();
      await agent.stop();
      process.exit(exitCode);
    })());
  const endChecks = startUpdateChecks({
    hours: config.GATEWAY_UPDATE_HOURS,
    download,
    findLatest: async (present) => (await callCloud(ask, agentProgramCalls.program, present)).package,
    log: (line) => logEvent("info", "agent", line),
    stop,
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop(0));
  sayHealthy(stop);
}

/** The figures from which the health port of a laboratory's agent answers. */
const labHealth = (state: LabAgentState): HealthSources => ({
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

interface About {
  softwareVersion: string;
  cloud: string;
}
export const buildLabStatus = ({ lastSuccessAt, nextTryAt, trouble, ...state }: LabAgentState, about: About) => ({
  ...about,
  ...state,
  trouble: trouble && { ...trouble, since: toIsoTime(trouble.since) },
  lastSuccess: toIsoTime(lastSuccessAt),
  nextTry: toIsoTime(nextTryAt),
});
const toIsoTime = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

const labStatusView = (state: LabAgentState, about: About): StatusView => ({
  toJson: () => buildLabStatus(state, about),
  toPage: (language) => renderPage(language, buildLabStatus(state, about)),
});

function renderPage(language: Language, status: ReturnType<typeof buildLabStatus>): string {
  const t = translatorOf(language, "gateway");
  const name = translatorOf(language, "interface");
  const time = (at: string | null): string => (at ? formatLocalTime(language, at) : t("never"));
  const { trouble, problems, delivered, designs, waiting } = status;
  const troubleText = trouble && t(trouble.kind === "away" ? "away" : "labRefused", { reason: trouble.message });
  const rows: StatusRow[] = [
    ["cloud", status.cloud],
    ["laboratory", status.laboratory ?? t("notYet")],
    ["state", troubleText ?? t("labFine")],
    ...(trouble
      ? ([
          ["since", time(trouble.since)],
          ["nextTry", time(status.nextTry)],
        ] satisfies StatusRow[])
      : []),
    ["labFolder", status.folder],
    ["labCases", t("labDone", { delivered, designs, waiting })],
    ...problems.map(({ problem, numbers }): StatusRow => {
      const text = name(`agents.problems.${problem}`);
      const list = new Intl.ListFormat(language, { type: "unit" }).format(numbers);
      return ["labProblem", numbers.length === 0 ? text : name("agents.withOrders", { problem: text, numbers: list })];
    }),
    ["lastSuccess", time(status.lastSuccess)],
    ["version", status.softwareVersion],
  ];
  return renderRows(language, "labTitle", rows);
}
