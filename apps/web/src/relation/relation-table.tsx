import { Badge, Button, Text } from "@mantine/core";
import { useState } from "react";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import type { Relation } from "@arcada/contract/relation/relation.calls";
import { relationCycle, relationRules } from "@arcada/contract/relation/relation.cycle";
import type { RelationAction, RelationState } from "@arcada/contract/relation/relation.cycle";
import { showDay } from "../kernel/format.ts";
import { useTexts } from "../kernel/texts.ts";
import type { Translate } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { useCommand } from "../kernel/use-command.ts";
import { ConfirmDialog } from "../ui/confirm.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";

/** Actions that are not easily undone are asked about first. */
const asked: readonly RelationAction[] = ["reject", "cancel", "exit", "hide"];
const grave: readonly RelationAction[] = ["reject", "exit", "hide"];

/** Each relationship with one button for every action that the server opens to the asker. */
export function RelationTable({ relations }: { relations: readonly Relation[] }) {
  const t = useTexts("relation");
  const step = useCommand(relationCalls.step);
  const [asking, setAsking] = useState<{ relation: Relation; action: RelationAction } | null>(null);

  const move = async ({ id, version }: Relation, action: RelationAction, reason: string) => {
    const outcome = await step.run({ id, version, action, ...(reason && { reason }) });
    setAsking(null);
    if (outcome) toast("success", t(`relation.done.${action}`));
  };
  const press = (relation: Relation, action: RelationAction) =>
    asked.includes(action) ? setAsking({ relation, action }) : void move(relation, action, "");
  const name = asking?.relation.other.name ?? "";
  return (
    <>
      <DataTable
        label={t("relation.title")}
        columns={columnsOf(t)}
        rows={relations}
        rowKey={({ id }) => id}
        actionsTitle={t("common.actions")}
        actions={(relation) =>
          relation.actions.map((action) => (
            <Button
              key={action}
              size="sm"
              variant={action === "accept" ? "filled" : "default"}
              disabled={step.busy}
              onClick={() => press(relation, action)}
            >
              {t(`relation.action.${action}`)}
            </Button>
          ))
        }
      />
      {asking && (
        <ConfirmDialog
          opened
          onClose={() => setAsking(null)}
          onConfirm={(reason) => void move(asking.relation, asking.action, reason)}
          busy={step.busy}
          danger={grave.includes(asking.action)}
          title={t(`relation.confirm.${asking.action}`, { name })}
          text={asking.action === "exit" ? t("relation.exitText", { days: relationRules.resumeDays }) : name}
          confirm={t(`relation.action.${asking.action}`)}
          {...(relationCycle.steps[asking.action].asks?.includes("reason") && {
            reason: { label: t("relation.reason") },
          })}
        />
      )}
    </>
  );
}

const colours: Record<RelationState, string> = {
  requested: "yellow",
  established: "teal",
  rejected: "gray",
  cancelled: "gray",
  closing: "orange",
  ended: "gray",
};

const columnsOf = (t: Translate): Column<Relation>[] => [
  {
    key: "name",
    title: t("relation.organisation"),
    narrow: "head",
    show: ({ other }) => (
      <div>
        <Text size="sm" fw={600}>
          {other.name}
        </Text>
        <Text size="xs" c="dimmed" fw={400}>
          {t(`common.institutionType.${other.type}`)}
        </Text>
      </div>
    ),
  },
  {
    key: "number",
    title: t("relation.number"),
    show: ({ other }) => <span className="arcada-figures">{other.number}</span>,
  },
  {
    key: "state",
    title: t("relation.stateLabel"),
    show: ({ state, mine }) => (
      <div>
        <Badge variant="light" color={colours[state]}>
          {t(`relation.state.${state}`)}
        </Badge>
        {state === "requested" && (
          <Text size="xs" c="dimmed" mt={2}>
            {t(mine ? "relation.byUs" : "relation.byThem")}
          </Text>
        )}
      </div>
    ),
  },
  {
    key: "asked",
    title: t("relation.asked"),
    show: ({ requestedAt }) => <span className="arcada-figures">{showDay(requestedAt)}</span>,
  },
  {
    key: "since",
    title: t("relation.since"),
    show: ({ establishedAt }) => <span className="arcada-figures">{showDay(establishedAt)}</span>,
  },
];
