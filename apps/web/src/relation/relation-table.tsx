import { Badge, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { RelationState } from "@arcada/contract/relation/relation.lifecycle";
import { formatDay } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import type { Partner } from "./partners.ts";

interface Props {
  partners: readonly Partner[];
  buttons: (partner: Partner) => ReactNode;
  onOpen: (partner: Partner) => void;
}

/** The partners with their state, their open orders and the possible actions. */
export function RelationTable({ partners, buttons, onOpen }: Props) {
  const t = useTexts("relation");
  return (
    <DataTable
      label={t("relation.title")}
      columns={buildColumns(t)}
      rows={partners}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      {...(partners.some(({ actions }) => actions.length > 0) && {
        actionsTitle: t("common.actions"),
        actions: buttons,
      })}
    />
  );
}

const stateColours: Record<RelationState, string> = {
  requested: "yellow",
  established: "teal",
  rejected: "gray",
  cancelled: "gray",
  closing: "orange",
  ended: "gray",
};
export function StateBadge({ state }: { state: RelationState }) {
  const t = useTexts("relation");
  return (
    <Badge variant="light" color={stateColours[state]}>
      {t(`relation.state.${state}`)}
    </Badge>
  );
}

const buildColumns = (t: Translate): Column<Partner>[] => [
  {
    key: "name",
    title: t("relation.organisation"),
    narrow: "head",
    opens: "button",
    show: ({ other }) => (
      <div>
        <Text size="sm" fw={600}>
          {other.name}
        </Text>
        <Text size="xs" c="dimmed" fw={400}>
          {t(`common.institutionType.${other.type}`)} · <span className="arcada-figures">{other.number}</span>
        </Text>
      </div>
    ),
  },
  {
    key: "state",
    title: t("relation.stateLabel"),
    show: ({ state, mine, leftByUs, resumeUntil }) => (
      <div>
        <StateBadge state={state} />
        {state === "requested" && <SmallText>{t(mine ? "relation.byUs" : "relation.byThem")}</SmallText>}
        {leftByUs !== null && <SmallText>{t(leftByUs ? "relation.leftByUs" : "relation.leftByThem")}</SmallText>}
        {resumeUntil && <SmallText>{t("relation.resumeUntil", { day: formatDay(resumeUntil) })}</SmallText>}
      </div>
    ),
  },
  {
    key: "orders",
    title: t("relation.orders"),
    show: ({ orders }) =>
      orders.open === 0 ? (
        "–"
      ) : (
        <div>
          <span className="arcada-figures">{orders.open}</span>
          {orders.ours > 0 && <SmallText>{t("relation.toAct", { count: orders.ours })}</SmallText>}
        </div>
      ),
  },
  {
    key: "asked",
    title: t("relation.asked"),
    show: ({ requestedAt }) => <span className="arcada-figures">{formatDay(requestedAt)}</span>,
  },
  {
    key: "since",
    title: t("relation.since"),
    show: ({ establishedAt }) => <span className="arcada-figures">{formatDay(establishedAt)}</span>,
  },
];

function SmallText({ children }: { children: ReactNode }) {
  return (
    <Text size="xs" c="dimmed" mt={2}>
      {children}
    </Text>
  );
}
