import { Button, Group, Modal, Select, Stack, Switch } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import type { WorkorderRow } from "@arcada/contract/workorder/workorder.schema";
import { useOpenScreen, useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import { useRole } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { PageBody, Section } from "../ui/page.tsx";
import { WorkorderList } from "./workorder-list.tsx";

/** The user's work orders. Managers see all orders and assign them. */
export function Page() {
  const t = useTexts("workorder");
  const go = useOpenScreen();
  const { mine } = useSearchParams();
  const setSearch = useSetSearchParams();
  const [chosen, setChosen] = useState<ReadonlyMap<string, WorkorderRow>>(new Map());
  const isAdmin = useRole() === "afterSalesAdmin";
  const toggle = (row: WorkorderRow, on: boolean) =>
    setChosen((before) => {
      const next = new Map(before);
      if (on) next.set(row.id, row);
      else next.delete(row.id);
      return next;
    });
  return (
    <PageBody
      title={t("workorder.list.mine")}
      actions={
        isAdmin && (
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => go("reportWorkorder")}>
            {t("workorder.list.report")}
          </Button>
        )
      }
    >
      <Section flush>
        {isAdmin && (
          <Group justify="space-between" px="md" pt="md">
            <Switch
              label={t("workorder.list.onlyMine")}
              checked={mine !== undefined}
              onChange={(event) => setSearch({ mine: event.currentTarget.checked ? "1" : undefined })}
            />
            {chosen.size > 0 && <AssignSelected chosen={chosen} onDone={() => setChosen(new Map())} />}
          </Group>
        )}
        <WorkorderList
          filter={mine ? { mine: "true" } : {}}
          screen="workorderDetail"
          empty={t("workorder.list.empty")}
          selection={isAdmin ? { chosen, onChoose: toggle } : undefined}
        />
      </Section>
    </PageBody>
  );
}

function AssignSelected({ chosen, onDone }: { chosen: ReadonlyMap<string, WorkorderRow>; onDone: () => void }) {
  const t = useTexts("workorder");
  const [opened, setOpened] = useState(false);
  const [person, setPerson] = useState<string | null>(null);
  const { data } = useCall(workorderCalls.choices, {}, { enabled: opened });
  const command = useCommand(workorderCalls.assign);
  const assign = async () => {
    const orders = [...chosen.values()].map(({ id, version }) => ({ id, version }));
    if (!(await command.run({ orders, personId: person! }))) return;
    toast("success", t("workorder.list.assigned"));
    setOpened(false);
    onDone();
  };
  return (
    <>
      <Button size="compact-sm" onClick={() => setOpened(true)}>
        {t("workorder.list.assign", { count: chosen.size })}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={t("workorder.list.assign", { count: chosen.size })}
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        <Stack>
          <Select
            label={t("workorder.field.assignee")}
            searchable
            openOnFocus={false}
            data-autofocus
            data={(data?.people ?? []).map(({ id, name, open }) => ({
              value: id,
              label: `${name} · ${t("workorder.form.open", { count: open })}`,
            }))}
            value={person}
            onChange={setPerson}
          />
          <Group justify="flex-end">
            <Button disabled={!person} loading={command.busy} onClick={() => void assign()}>
              {t("workorder.action.assign")}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
