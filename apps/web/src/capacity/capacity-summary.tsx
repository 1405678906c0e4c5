import { SimpleGrid, Stack, Table, Text } from "@mantine/core";
import { IconDatabase, IconSparkles } from "@tabler/icons-react";
import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import type { Period } from "@arcada/contract/capacity/capacity.calls";
import { capacityRules, usageColour } from "@arcada/contract/capacity/capacity.rules";
import { formatDay, formatNumber } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { Section } from "../ui/page.tsx";
import { UsageBar } from "../ui/usage-bar.tsx";
import { formatCardNumber, formatCapacity, formatPlan } from "./format-capacity.ts";

/** The used and the allowed capacity, with the parts of the sum. */
export function CapacitySummary() {
  const t = useTexts("capacity", "myCapacity");
  const storage = useCall(capacityCalls.storage, {});
  return (
    <Section title={t("myCapacity.sum.title")}>
      <Stack gap="md">
        <QueryResult of={storage}>
          {({ percent, totalSize, maxSize }) => (
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
              <div>
                <UsageBar
                  narrow={false}
                  Icon={IconDatabase}
                  title={t("capacity.storage")}
                  text={t("capacity.of", { used: formatGigabytes(totalSize), max: formatGigabytes(maxSize) })}
                  percent={percent}
                  colour={usageColour(percent)}
                />
                {percent >= 100 && (
                  <Text size="sm" c="var(--mantine-color-error)" mt={4} role="status">
                    {t("capacity.full")}
                  </Text>
                )}
              </div>
              <AnalysisUsage />
            </SimpleGrid>
          )}
        </QueryResult>
        <CapacitySources />
        <Text size="xs" c="dimmed">
          {t("myCapacity.sum.kept", { days: capacityRules.retentionDays, notices: capacityRules.minNotices })}
        </Text>
      </Stack>
    </Section>
  );
}

function AnalysisUsage() {
  const t = useTexts("capacity");
  const { data } = useCall(capacityCalls.analyses, {});
  if (!data) return null;
  return (
    <div>
      <UsageBar
        narrow={false}
        Icon={IconSparkles}
        title={t("capacity.analyses")}
        text={t("capacity.analysesOf", { noi: data.noi, total: data.total })}
        percent={data.percent}
        colour={usageColour(data.percent)}
      />
    </div>
  );
}

function CapacitySources() {
  const t = useTexts("capacity", "myCapacity");
  const subscriptions = useCall(capacityCalls.subscriptions, {});
  const activations = useCall(capacityCalls.activations, {});
  const activePeriods = [...(subscriptions.data?.periods ?? []), ...(activations.data ?? [])].filter(
    ({ counts }) => counts,
  );
  const free = subscriptions.data?.base;
  const getName = ({ cardNumber, plan }: Period): string =>
    cardNumber ? t("myCapacity.sum.card", { number: formatCardNumber(cardNumber) }) : formatPlan(t, plan);
  return (
    <Table verticalSpacing="xs" horizontalSpacing={0}>
      <Table.Tbody>
        <CapacitySource
          name={t("myCapacity.sum.free")}
          worth={free ? formatCapacity(t, free) : "–"}
          until={t("myCapacity.sum.always")}
        />
        {activePeriods.map((period) => (
          <CapacitySource
            key={period.id}
            name={getName(period)}
            worth={formatCapacity(t, period)}
            until={t("myCapacity.sum.until", { date: formatDay(period.expiresAt) })}
          />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function CapacitySource({ name, worth, until }: { name: string; worth: string; until: string }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500}>
        {name}
      </Table.Th>
      <Table.Td ta="end">
        <Text size="sm" className="arcada-figures">
          {worth}
        </Text>
        <Text size="xs" c="dimmed" className="arcada-figures">
          {until}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

const formatGigabytes = (value: number): string => formatNumber(value, value < 10 ? 2 : 1);
