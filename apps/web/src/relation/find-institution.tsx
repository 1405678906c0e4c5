import { Badge, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { ReactNode } from "react";
import type { UserInfo } from "@arcada/contract/account/user-info.schema";
import { institutionCalls, institutionRules } from "@arcada/contract/institution/institution.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import type { Relation } from "@arcada/contract/relation/relation.calls";
import { relationLifecycle } from "@arcada/contract/relation/relation.lifecycle";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { SearchBox } from "../ui/form/search-box.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import classes from "./relation.module.css";

type FoundInstitution = Output<typeof institutionCalls.search>[number];
interface Props {
  opened: boolean;
  onClose: () => void;
  own: Pick<UserInfo, "iid" | "institution">;
  relations: readonly Relation[];
  /** The initial search text. */
  initialText?: string;
}

/** Finds an organisation by number or name and asks it for a relationship. */
export function FindInstitution({ opened, onClose, own, relations, initialText = "" }: Props) {
  const t = useTexts("relation");
  const [text, setText] = useState(initialText);
  const query = useCall(institutionCalls.search, { text }, { enabled: opened && text !== "", keepPrevious: true });
  const step = useCommand(relationCalls.step);
  const open = new Map(
    relations
      .filter(({ state }) => !relationLifecycle.terminal.includes(state))
      .map((relation) => [relation.other.id, relation]),
  );
  const request = async (iid: string) => {
    if (!(await step.run({ iid, action: "request" }))) return;
    toast("success", t("relation.sent"));
    onClose();
  };
  // Orders go from clinics to laboratories and between laboratories: two clinics have no relationship.
  const getStatusOrButton = ({ id: iid, type }: FoundInstitution): ReactNode => {
    if (type === "clinic" && own.institution?.type === "clinic" && iid !== own.iid) return null;
    if (iid === own.iid) return <Badge variant="default">{t("relation.own")}</Badge>;
    const relation = open.get(iid);
    if (relation) return <Badge variant="light">{t(`relation.${findBadge(relation)}`)}</Badge>;
    return (
      <Button size="sm" disabled={step.busy} onClick={() => void request(iid)}>
        {t("relation.send")}
      </Button>
    );
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t("relation.askTitle")}
      size="lg"
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t("relation.askText", { most: institutionRules.maxSearchResults })}
        </Text>
        <SearchBox value={text} onSearch={setText} label={t("relation.searchLabel")} focusOnOpen />
        {text !== "" && (
          <QueryResult of={query} empty={<EmptyState title={t("relation.noSuch")} />}>
            {(found) => (
              <ul className={classes.found} aria-label={t("relation.askTitle")}>
                {found.map((one) => (
                  <li key={one.id}>
                    <ResultRow one={one}>{getStatusOrButton(one)}</ResultRow>
                  </li>
                ))}
              </ul>
            )}
          </QueryResult>
        )}
      </Stack>
    </Modal>
  );
}

/** A request that nobody has answered is not a relationship yet. */
const findBadge = ({ state, mine }: Relation) => {
  if (state !== "requested") return "known" as const;
  return mine ? ("requestSent" as const) : ("requestReceived" as const);
};

function ResultRow({ one, children }: { one: FoundInstitution; children: ReactNode }) {
  const t = useTexts("relation");
  return (
    <Group justify="space-between" wrap="nowrap">
      <div className={classes.words}>
        <Text size="sm" fw={600}>
          {one.name}
        </Text>
        <Text size="xs" c="dimmed">
          {[one.number, t(`common.institutionType.${one.type}`), one.address].filter(Boolean).join(" · ")}
        </Text>
      </div>
      {children}
    </Group>
  );
}
