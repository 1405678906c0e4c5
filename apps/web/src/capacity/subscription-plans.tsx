import { Button, Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { parseWallTime } from "../i18n/time-zone.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Section } from "../ui/page.tsx";
import { DayField } from "../ui/form/day-field.tsx";

type Plan = Output<typeof capacityCalls.plans>[number];

/** The available subscription plans. */
export function PlanCards() {
  const t = useTexts("capacity", "myCapacity");
  const query = useCall(capacityCalls.plans, {});
  const [chosen, setChosen] = useState<Plan | null>(null);
  return (
    <Section title={t("myCapacity.plans.title")} description={t("myCapacity.plans.says")}>
      <QueryResult of={query}>
        {(plans) => (
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
            {plans.map((plan) => (
              <Paper key={plan.id} withBorder p="md" radius="md">
                <Stack gap={6} h="100%">
                  <Text fw={600}>{t(`capacity.plan.${plan.id}`)}</Text>
                  <Text size="sm">{t("myCapacity.plans.storage", plan)}</Text>
                  <Text size="sm">{t("myCapacity.plans.analyses", plan)}</Text>
                  <Text size="sm" c="dimmed">
                    {t("myCapacity.plans.term", plan)}
                  </Text>
                  <Button
                    variant="light"
                    mt="auto"
                    onClick={() => setChosen(plan)}
                    aria-label={`${t("myCapacity.subscribe.open")}: ${t(`capacity.plan.${plan.id}`)}`}
                  >
                    {t("myCapacity.subscribe.open")}
                  </Button>
                </Stack>
              </Paper>
            ))}
          </SimpleGrid>
        )}
      </QueryResult>
      {chosen && <SubscribeDialog plan={chosen} onClose={() => setChosen(null)} />}
    </Section>
  );
}

function SubscribeDialog({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const t = useTexts("capacity", "myCapacity");
  const command = useCommand(capacityCalls.subscribe);
  const [day, setDay] = useState("");
  const confirm = async () => {
    // A day begins in the institution's time zone.
    const startsAt = day ? { startsAt: parseWallTime(day) } : {};
    if (!(await command.run({ plan: plan.id, ...startsAt }))) return;
    toast("success", t("myCapacity.subscribe.done"));
    onClose();
  };
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => void confirm()}
      busy={command.busy}
      title={t("myCapacity.subscribe.title", { plan: t(`capacity.plan.${plan.id}`) })}
      text={`${t("myCapacity.plans.storage", plan)} · ${t("myCapacity.plans.analyses", plan)} · ${t("myCapacity.plans.term", plan)}`}
      confirm={t("myCapacity.subscribe.open")}
    >
      <Text size="sm">{t("myCapacity.subscribe.text")}</Text>
      <DayField label={t("myCapacity.subscribe.start")} value={day} onChange={setDay} />
    </ConfirmDialog>
  );
}
