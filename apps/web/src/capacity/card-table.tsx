import { Badge, Box, Button, Group, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import type { Card } from "@arcada/contract/capacity/capacity.calls";
import { cardStates } from "@arcada/contract/capacity/capacity.cycle";
import type { CardState } from "@arcada/contract/capacity/capacity.cycle";
import { pageRules } from "@arcada/contract/kernel/fields";
import { showTime } from "../kernel/format.ts";
import { useTexts } from "../kernel/texts.ts";
import type { Translate } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { useCall } from "../kernel/use-call.ts";
import { useCommand } from "../kernel/use-command.ts";
import { Answer } from "../ui/answer.tsx";
import { ConfirmDialog } from "../ui/confirm.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { PageTurner } from "../ui/page-turner.tsx";
import { Section } from "../ui/page.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { EmptyState } from "../ui/states.tsx";
import { inFours, stateColours, worthOf } from "./worth.ts";

/** Every card that was issued. */
export function CardTable() {
  const t = useTexts("capacity", "cards");
  const [state, setState] = useState<CardState | null>(null);
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(1);
  const [ending, setEnding] = useState<Card | null>(null);
  const query = useCall(
    capacityCalls.cards,
    { page, ...(state && { state }), ...(search && { search }) },
    { keep: true },
  );
  const pages = Math.ceil((query.data?.total ?? 0) / pageRules.usual);
  return (
    <>
      <Filters
        search={search}
        state={state}
        onChange={(chosen) => {
          setSearch(chosen.search);
          setState(chosen.state);
          setPage(1);
        }}
      />
      <Section flush>
        <Answer
          of={query}
          isEmpty={({ total }) => total === 0}
          empty={<EmptyState title={t("cards.empty.cards")} text={t("cards.empty.cardsText")} />}
        >
          {({ list }) => <Rows list={list} onVoid={setEnding} />}
        </Answer>
      </Section>
      <PageTurner pages={pages} page={page} onPage={setPage} />
      {ending && <VoidCard card={ending} onClose={() => setEnding(null)} />}
    </>
  );
}

interface Chosen {
  search: string;
  state: CardState | null;
}
function Filters({ search, state, onChange }: Chosen & { onChange: (chosen: Chosen) => void }) {
  const t = useTexts("capacity", "cards");
  return (
    <Group gap="sm" align="flex-end">
      <Box flex="1 1 260px" maw={420}>
        <SearchBox value={search} label={t("cards.search")} onSearch={(text) => onChange({ search: text, state })} />
      </Box>
      <Select
        aria-label={t("cards.column.state")}
        placeholder={t("cards.anyState")}
        clearable
        value={state}
        onChange={(chosen) => onChange({ search, state: cardStates.find((one) => one === chosen) ?? null })}
        data={cardStates.map((one) => ({ value: one, label: t(`capacity.state.${one}`) }))}
      />
    </Group>
  );
}

function Rows({ list, onVoid }: { list: readonly Card[]; onVoid: (card: Card) => void }) {
  const t = useTexts("capacity", "cards");
  return (
    <DataTable
      label={t("cards.tab.cards")}
      columns={columnsOf(t)}
      rows={list}
      rowKey={({ id }) => id}
      actionsTitle={t("common.actions")}
      actions={(card) =>
        card.actions.map((action) => (
          <Button
            key={action}
            size="sm"
            variant="default"
            onClick={() => onVoid(card)}
            aria-label={`${t("cards.void.open")}: ${inFours(card.number)}`}
          >
            {t("cards.void.open")}
          </Button>
        ))
      }
    />
  );
}

const figures = (text: string) => <span className="arcada-figures">{text}</span>;

const columnsOf = (t: Translate): Column<Card>[] => [
  {
    key: "number",
    title: t("cards.column.number"),
    narrow: "head",
    show: ({ number }) => (
      <Text span inherit className="arcada-figures" style={{ whiteSpace: "nowrap" }}>
        {inFours(number)}
      </Text>
    ),
  },
  { key: "worth", title: t("cards.column.worth"), show: (card) => figures(worthOf(t, card)) },
  { key: "duration", title: t("cards.column.duration"), show: ({ days }) => t("capacity.days", { days }) },
  {
    key: "state",
    title: t("cards.column.state"),
    show: ({ state, dead, voidReason }) => (
      <Stack gap={2} align="flex-start">
        <Badge variant="light" color={stateColours[state]}>
          {t(`capacity.state.${state}`)}
        </Badge>
        {(dead || voidReason) && (
          <Text size="xs" c="dimmed">
            {voidReason ?? t("cards.dead")}
          </Text>
        )}
      </Stack>
    ),
  },
  { key: "sellBy", title: t("cards.column.sellBy"), show: ({ sellBy }) => figures(showTime(sellBy)) },
  {
    key: "clinic",
    title: t("cards.column.clinic"),
    show: ({ institution }) => (institution ? `${institution.name} (${institution.number})` : "–"),
  },
  { key: "expires", title: t("cards.column.expires"), show: ({ expiresAt }) => figures(showTime(expiresAt)) },
];

function VoidCard({ card: { id, number }, onClose }: { card: Card; onClose: () => void }) {
  const t = useTexts("cards");
  const command = useCommand(capacityCalls.voidCard);
  const confirm = async (reason: string) => {
    if (!(await command.run({ id, reason }))) return;
    toast("success", t("cards.void.done"));
    onClose();
  };
  return (
    <ConfirmDialog
      opened
      danger
      onClose={onClose}
      onConfirm={(reason) => void confirm(reason)}
      busy={command.busy}
      title={t("cards.void.title", { number: inFours(number) })}
      text={t("cards.void.text")}
      confirm={t("cards.void.open")}
      reason={{ label: t("cards.void.reason"), needed: true, most: 200 }}
    />
  );
}
