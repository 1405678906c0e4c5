import { Badge, Group, Stack, Text } from "@mantine/core";
import { integrationCalls } from "@arcada/contract/integrations/integrations.calls";
import type { ApiKey } from "@arcada/contract/integrations/integrations.calls";
import type { LabAgent } from "@arcada/contract/integrations/lab-agent-report.calls";
import { labAgentRules } from "@arcada/contract/order/lab-agent.rules";
import { formatList, formatTimeAgo } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";

/** The programs that carry orders into exocad's folder and designs back: whether they run, and what hinders them. */
export function LabAgentsSection() {
  const t = useTexts("interface");
  const query = useCall(integrationCalls.keys, {});
  return (
    <Section
      flush
      title={t("interface.agents.title")}
      description={t("interface.agents.says", { scope: t("interface.scope.lab.agent") })}
    >
      <QueryResult of={query}>
        {(keys) => {
          const agents = keys.filter(({ state, scopes }) => state === "active" && scopes.includes("lab.agent"));
          return agents.length === 0 ? (
            <EmptyState title={t("interface.agents.none")} text={t("interface.agents.noneText")} />
          ) : (
            <DataTable
              label={t("interface.agents.title")}
              columns={buildColumns(t)}
              rows={agents}
              rowKey={({ id }) => id}
            />
          );
        }}
      </QueryResult>
    </Section>
  );
}

type AgentState = "online" | "away" | "unused";
const stateColours: Record<AgentState, string> = { online: "teal", away: "orange", unused: "gray" };

function agentState(agent: LabAgent | null): AgentState {
  if (!agent) return "unused";
  const isOnline = Date.now() - Date.parse(agent.seenAt) < labAgentRules.awayAfterMinutes * 60_000;
  return isOnline ? "online" : "away";
}

const buildColumns = (t: Translate): Column<ApiKey>[] => [
  {
    key: "name",
    title: t("interface.agents.name"),
    narrow: "head",
    show: ({ name, agent }) => (
      <Stack gap={2}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Badge variant="light" color={stateColours[agentState(agent)]}>
            {t(`interface.agents.state.${agentState(agent)}`)}
          </Badge>
        </Group>
      </Stack>
    ),
  },
  {
    key: "problem",
    title: t("interface.agents.problem"),
    show: ({ agent }) => <Text size="sm">{describeProblem(agent, t)}</Text>,
  },
  {
    key: "done",
    title: t("interface.agents.done"),
    show: ({ agent }) => (
      <Text size="sm" className="arcada-figures">
        {agent &&
          t("interface.agents.doneText", {
            delivered: agent.delivered,
            designs: agent.designs,
            waiting: agent.waiting,
          })}
      </Text>
    ),
  },
  {
    key: "seen",
    title: t("interface.agents.seen"),
    show: ({ agent }) => (agent ? formatTimeAgo(agent.seenAt) : t("interface.agents.never")),
  },
  {
    key: "version",
    title: t("interface.agents.version"),
    show: ({ agent }) => (
      <Text size="sm" className="arcada-figures">
        <bdi dir="ltr">{agent?.version}</bdi>
      </Text>
    ),
  },
];

function describeProblem(agent: LabAgent | null, t: Translate): string {
  if (!agent?.problem) return t("interface.agents.noProblem");
  const problem = t(`interface.agents.problems.${agent.problem}`);
  if (agent.numbers.length === 0) return problem;
  return t("interface.agents.withOrders", { problem, numbers: formatList(agent.numbers) });
}
