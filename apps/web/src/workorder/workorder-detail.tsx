import { Anchor, Badge, Button, Group, Stack, Text } from "@mantine/core";
import { IconFileTypePdf, IconPhone } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import type { Workorder } from "@arcada/contract/workorder/workorder.schema";
import { ask } from "../data/ask.ts";
import { formatDateTime, formatDay, formatTimestamp } from "../i18n/format.ts";
import { useSignedInUser } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import type { NameUnder } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DescriptionList } from "../ui/description-list.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { WorkorderActions } from "./workorder-actions.tsx";
import { WorkorderFiles } from "./workorder-files.tsx";
import { FinishFacts, FinishForm } from "./finish-workorder-form.tsx";
import { PlanButton, PlannedAppointment } from "./plan-appointment.tsx";
import { WorkorderLog } from "./workorder-log.tsx";
import { stateColours, getStateText, getTurnText } from "./workorder-text.ts";
import classes from "./workorder.module.css";

/** One work order: state, actions and log. */
export function WorkorderDetail({ id, children }: { id: string; children?: ReactNode }) {
  const query = useCall(workorderCalls.detail, { id });
  return <QueryResult of={query}>{(order) => <LoadedWorkorder order={order}>{children}</LoadedWorkorder>}</QueryResult>;
}

function LoadedWorkorder({ order, children }: { order: Workorder; children: ReactNode }) {
  const t = useTexts("workorder");
  const me = useSignedInUser().uuid;
  const isFinished = order.state === "finished" || order.outcome === "done";
  // Once the work is handed in, the appointment is a fact among others.
  const isAhead = order.state === "new" || order.state === "in_progress";
  const hasReport = order.may.report || order.files.some(({ role }) => role === "report");
  return (
    <PageBody
      title={`${t(`workorder.type.${order.type}`)} · ${order.device.product} ${order.device.model}`}
      description={`${order.number} · ${order.clinic.name}`}
      actions={
        <Badge size="lg" variant="light" color={stateColours[order.state]}>
          {getStateText(t, order)}
        </Badge>
      }
    >
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {getTurnText(t, order, me) ??
            (order.closesAt ? t("workorder.turn.closes", { date: formatDay(order.closesAt) }) : null)}
        </Text>
        {isAhead && <PlannedAppointment order={order} />}
        <Group gap="sm">
          <WorkorderActions order={order} />
          {order.may.plan && <PlanButton order={order} />}
        </Group>
        {isFinished && <PrintButton id={order.id} />}
      </Stack>
      <Section title={t("workorder.field.description")}>
        <Stack gap="md">
          <Text size="sm" className={classes.said} dir="auto">
            {order.description}
          </Text>
          {hasReport && <WorkorderFiles order={order} kind="report" mayAdd={order.may.report} />}
          <OrderFacts order={order} />
        </Stack>
      </Section>
      {order.finish && (order.may.finish || order.submittedAt || isFinished) && <FinishSection order={order} />}
      <Section title={t("workorder.log.title")}>
        <WorkorderLog order={order} />
      </Section>
      {children}
    </PageBody>
  );
}

function FinishSection({ order }: { order: Workorder }) {
  const t = useTexts("workorder");
  const { finish: mayAdd } = order.may;
  return (
    <Section title={t("workorder.finish.title")}>
      <Stack gap="lg">
        <WorkorderFiles order={order} kind="picture" mayAdd={mayAdd} />
        <WorkorderFiles order={order} kind="receipt" mayAdd={mayAdd} />
        {(mayAdd || order.files.some(({ role }) => role === "attachment")) && (
          <WorkorderFiles order={order} kind="attachment" mayAdd={mayAdd} />
        )}
        {mayAdd ? <FinishForm order={order} /> : <FinishFacts finish={order.finish!} />}
      </Stack>
    </Section>
  );
}

function OrderFacts({ order }: { order: Workorder }) {
  const t = useTexts("workorder");
  const { device } = order;
  const phone = (number: string | null) =>
    number && (
      <Anchor
        href={`tel:${number.replaceAll(/[^+\d]/g, "")}`}
        aria-label={t("workorder.detail.call", { phone: number })}
      >
        <Group gap={4} component="span" display="inline-flex">
          <IconPhone size={14} aria-hidden />
          <bdi>{number}</bdi>
        </Group>
      </Anchor>
    );
  const facts: [NameUnder<"workorder.field">, ReactNode][] = [
    ["device", `${device.product} ${device.model}`],
    ["serialNumber", device.serialNumber],
    ["address", order.address],
    ["contact", order.contact],
    ["contactPhone", phone(order.contactPhone)],
    ["alternateContact", order.alternateContact],
    ["alternatePhone", phone(order.alternatePhone)],
    ["trackingNumber", order.trackingNumber],
    ["toClinic", order.toClinic?.name],
    ["toAddress", order.toAddress],
    ["plannedAt", order.plannedAt && formatDateTime(order.plannedAt)],
    ["assignee", order.assignee?.name],
    ["alternate", order.alternate?.name],
    ["reporter", order.reporter],
    ["reviewer", order.reviewer],
    ["createdAt", formatTimestamp(order.createdAt)],
    ["startedAt", order.startedAt && formatTimestamp(order.startedAt)],
    ["finishedAt", order.finishedAt && formatTimestamp(order.finishedAt)],
    ["rework", order.reworkCount || null],
  ];
  return (
    <DescriptionList
      entries={facts
        .filter(([, value]) => Boolean(value))
        .map(([name, value]) => [t(`workorder.field.${name}`), value])}
    />
  );
}

/** Opens the printable work order in a new tab once it is finished. */
function PrintButton({ id }: { id: string }) {
  const t = useTexts("workorder");
  const open = async () => {
    try {
      const { url } = await ask(workorderCalls.paper, { id });
      Object.assign(document.createElement("a"), { href: url, target: "_blank", rel: "noopener" }).click();
    } catch {
      // The error is already reported.
    }
  };
  return (
    <Group>
      <Button variant="default" leftSection={<IconFileTypePdf size={16} aria-hidden />} onClick={() => void open()}>
        {t("workorder.detail.paper")}
      </Button>
    </Group>
  );
}
