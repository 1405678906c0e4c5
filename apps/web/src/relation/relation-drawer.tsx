import { Drawer, Group, Stack, Switch, Text, Timeline, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import type { RelationEvent } from "@arcada/contract/relation/relation.calls";
import { activeStates } from "@arcada/contract/relation/relation.lifecycle";
import { formatTimestamp } from "../i18n/format.ts";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import type { Partner } from "./partners.ts";
import { StateBadge } from "./relation-table.tsx";
import { useStateDescription } from "./use-state-description.ts";
import classes from "./relation.module.css";

interface Props {
  partner: Partner | undefined;
  own: string;
  onClose: () => void;
  buttons: (partner: Partner) => ReactNode;
}

/** One partner: state, actions, permissions and history. */
export function RelationDrawer({ partner, own, onClose, buttons }: Props) {
  const t = useTexts("relation");
  return (
    <Drawer
      opened={partner !== undefined}
      onClose={onClose}
      position="right"
      size={440}
      title={<Text fw={600}>{partner?.other.name}</Text>}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {partner && (
        <Stack gap="lg">
          <PartnerFacts partner={partner} />
          {partner.actions.length > 0 && <Group gap="sm">{buttons(partner)}</Group>}
          <PartnerTerms partner={partner} />
          <PartnerHistory partner={partner} own={own} />
        </Stack>
      )}
    </Drawer>
  );
}

function PartnerFacts({ partner }: { partner: Partner }) {
  const t = useTexts("relation");
  const describeState = useStateDescription();
  const { other, orders, reason } = partner;
  return (
    <Stack gap={6}>
      <Text size="sm" c="dimmed">
        {[t(`common.institutionType.${other.type}`), other.number, other.address].filter(Boolean).join(" · ")}
      </Text>
      <PartnerContact other={other} />
      <Group gap="xs">
        <StateBadge state={partner.state} />
        <Text size="sm" c="dimmed">
          {describeState(partner).split(" · ").slice(1).join(" · ")}
        </Text>
      </Group>
      {reason && (
        <Text size="sm" className={classes.said}>
          {reason}
        </Text>
      )}
      {orders.open > 0 && (
        <Text size="sm">
          {t("relation.openOrders", { count: orders.open })}
          {orders.ours > 0 && ` · ${t("relation.toAct", { count: orders.ours })}`}
          {orders.theirs > 0 && ` · ${t("relation.theyAct", { count: orders.theirs })}`}
        </Text>
      )}
    </Stack>
  );
}

/** Contact data that an institution discloses once it has agreed to a relationship. */
function PartnerContact({ other: { contactPerson, contactWay, longitude, latitude } }: Pick<Partner, "other">) {
  const t = useTexts("relation", "institution");
  const coordinates = latitude === null || longitude === null ? null : `${latitude}, ${longitude}`;
  const rows = [
    [t("institution.contactPerson"), contactPerson],
    [t("institution.contactWay"), contactWay],
    [t("relation.place"), coordinates],
  ] as const;
  return rows.map(
    ([label, value]) =>
      value && (
        <Text key={label} size="sm">
          <Text span size="sm" c="dimmed">
            {label}{" "}
          </Text>
          <bdi>{value}</bdi>
        </Text>
      ),
  );
}

function PartnerTerms({ partner }: { partner: Partner }) {
  const t = useTexts("relation");
  const mayChange = useCanAccess(relationCalls.setTerms);
  const command = useCommand(relationCalls.setTerms);
  const { ours, theirs } = partner.terms;
  if (!(activeStates as readonly string[]).includes(partner.state)) return null;
  const change = async (mayForward: boolean) => {
    if (await command.run({ id: partner.id, version: partner.version, mayForward }))
      toast("success", t("common.saved"));
  };
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t("relation.terms")}
      </Title>
      {ours && (
        <Switch
          label={t("relation.oursForward")}
          description={t("relation.forwardText")}
          checked={ours.mayForward}
          disabled={!mayChange || command.busy}
          onChange={(event) => void change(event.currentTarget.checked)}
        />
      )}
      {theirs && <Text size="sm">{t(theirs.mayForward ? "relation.theirsForward" : "relation.theirsNoForward")}</Text>}
    </Stack>
  );
}

function PartnerHistory({ partner, own }: { partner: Partner; own: string }) {
  const t = useTexts("relation");
  const query = useCall(relationCalls.history, { iid: partner.other.id });
  const actor = ({ side, who }: RelationEvent) =>
    side === "system"
      ? t("relation.bySystem")
      : side === "theirs"
        ? partner.other.name
        : [own, who].filter(Boolean).join(" · ");
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t("relation.history")}
      </Title>
      <QueryResult of={query} empty={<Text c="dimmed">{t("relation.noHistory")}</Text>}>
        {(events) => (
          <Timeline bulletSize={12} lineWidth={2} active={events.length}>
            {events.map((event) => (
              <Timeline.Item key={event.id} title={<Text size="sm">{t(`relation.event.${event.action}`)}</Text>}>
                {event.reason && (
                  <Text size="sm" className={classes.said}>
                    {event.reason}
                  </Text>
                )}
                <Text size="xs" c="dimmed">
                  {actor(event)} · <time dateTime={event.time}>{formatTimestamp(event.time)}</time>
                </Text>
              </Timeline.Item>
            ))}
          </Timeline>
        )}
      </QueryResult>
    </Stack>
  );
}
