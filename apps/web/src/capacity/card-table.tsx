import { Badge, Box, Button, Group, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import type { Card } from "@arcada/contract/capacity/capacity.calls";
import { cardStates } from "@arcada/contract/capacity/capacity.lifecycle";
import type { CardState } from "@arcada/contract/capacity/capacity.lifecycle";
import { pageSizes } from "@arcada/contract/kernel/fields";
import { formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Pager } from "../ui/pager.tsx";
import { Section } from "../ui/page.tsx";
import { SearchBox } from "../ui/form/search-box.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { formatCardNumber, stateColours, formatCapacity } from "./format-capacity.ts";

/** Every card that was issued. */
export function CardTable() {
  const t = useTexts("capacity", "cards");
  const [state, setState] = useState<CardState | null>(null);
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(1);
  const [voiding, setVoiding] = useState<Card | null>(null);
  const query = useCall(
    capacityCalls.cards,
    { page, ...(state && { state }), ...(search && { search }) },
    { keepPrevious: true },
  );
  const pages = Math.ceil((query.data?.total ?? 0) / pageSizes.default);
  return (
    <>
      <CardFilters
        search={search}
        state={state}
        onChange={(chosen) => {
          setSearch(chosen.search);
          setState(chosen.state);
          setPage(1);
        }}
      />
      <Section flush>
        <QueryResult
          of={query}
          isEmpty={({ total }) => total === 0}
          empty={<EmptyState title={t("cards.empty.cards")} text={t("cards.empty.cardsText")} />}
        >
          {({ list }) => <CardRows list={list} onVoid={setVoiding} />}
        </QueryResult>
      </Section>
      <Pager pages={pages} page={page} onPage={setPage} />
      {voiding && <VoidCardDialog card={voiding} onClose={() => setVoiding(null)} />}
    </>
  );
}

interface CardFilter {
  search: string;
  state: CardState | null;
}
function CardFilters({ search, state, onChange }: CardFilter & { onChange: (chosen: CardFilter) => void }) {
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

function CardRows({ list, onVoid }: { list: readonly Card[]; onVoid: (card: Card) => void }) {
  const t = useTexts("capacity", "cards");
  return (
    <DataTable
      label={t("cards.tab.cards")}
      columns={buildColumns(t)}
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
            aria-label={`${t("cards.void.open")}: ${formatCardNumber(card.number)}`}
          >
            {t("cards.void.open")}
          </Button>
        ))
      }
    />
  );
}

const renderDigits = (text: string) => <span className="arcada-figures">{text}</span>;

const buildColumns = (t: Translate): Column<Card>[] => [
  {
    key: "number",
    title: t("cards.column.number"),
    narrow: "head",
    show: ({ number }) => (
      <Text span inherit className="arcada-figures" style={{ whiteSpace: "nowrap" }}>
        {formatCardNumber(number)}
      </Text>
    ),
  },
  { key: "worth", title: t("cards.column.worth"), show: (card) => renderDigits(formatCapacity(t, card)) },
  {
    key: "duration",
    title: t("cards.column.duration"),
    show: ({ days }) => renderDigits(t("capacity.days", { days })),
  },
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
  { key: "sellBy", title: t("cards.column.sellBy"), show: ({ sellBy }) => renderDigits(formatTimestamp(sellBy)) },
  {
    key: "clinic",
    title: t("cards.column.clinic"),
    show: ({ institution }) => (institution ? `${institution.name} (${institution.number})` : "–"),
  },
  {
    key: "expires",
    title: t("cards.column.expires"),
    show: ({ expiresAt }) => renderDigits(formatTimestamp(expiresAt)),
  },
];

function VoidCardDialog({ card: { id, number }, onClose }: { card: Card; onClose: () => void }) {
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
      title={t("cards.void.title", { number: formatCardNumber(number) })}
      text={t("cards.void.text")}
      confirm={t("cards.void.open")}
      reason={{ label: t("cards.void.reason"), required: true, maxLength: 200 }}
    />
  );
}
