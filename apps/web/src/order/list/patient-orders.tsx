import { Button, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { ScreenLink } from "../../browser/navigation.tsx";
import { PermissionGate } from "../../session/permission-gate.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { Section } from "../../ui/page.tsx";
import { OrderCards } from "./order-cards.tsx";

const maxOrders = 10;

/** A patient's newest orders, and the way to a new one. */
export function PatientOrders({ patientId }: { patientId: string }) {
  const t = useTexts("order");
  const orders = useCall(orderCalls.list, { patientId, pageSize: maxOrders });
  return (
    <Section
      title={t("order.patient.title")}
      flush
      actions={
        <PermissionGate to={orderCalls.save}>
          <Button
            size="xs"
            component={ScreenLink}
            screen="sendPage"
            search={{ patientId }}
            leftSection={<IconPlus size={16} aria-hidden />}
          >
            {t("order.new")}
          </Button>
        </PermissionGate>
      }
    >
      <QueryResult
        of={orders}
        isEmpty={({ list }) => list.length === 0}
        empty={
          <Text size="sm" c="dimmed" p="md">
            {t("order.patient.none")}
          </Text>
        }
      >
        {({ list, total }) => (
          <Stack gap={0}>
            <OrderCards orders={list} ofOnePatient />
            {total > list.length && (
              <Text size="xs" c="dimmed" px="md" pb="md">
                {t("order.patient.all", { count: total })}
              </Text>
            )}
          </Stack>
        )}
      </QueryResult>
    </Section>
  );
}
