import { CloseButton, TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconHandClick, IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { orderStates } from "@arcada/contract/order/order.cycle";
import type { OrderState } from "@arcada/contract/order/order.cycle";
import { useSearch, useSetSearch } from "../../kernel/link.tsx";
import { useTexts } from "../../kernel/texts.ts";
import { useCall } from "../../kernel/use-call.ts";
import classes from "./order-filters.module.css";

/** Drafts belong to nobody else and stand under "all" alone. */
const tabs = orderStates.filter((state) => state !== "draft");

export function OrderFilters({ state, turn }: { state: OrderState | undefined; turn: "mine" | undefined }) {
  const t = useTexts("order");
  const { data: counts } = useCall(orderCalls.counts, {}, { keep: true });
  const setSearch = useSetSearch();
  const choose = (chosen: OrderState | undefined) => setSearch({ state: chosen, page: undefined });
  return (
    <div className={classes.filters}>
      <div className={classes.line}>
        <SearchField />
        <UnstyledButton
          className={classes.turn}
          aria-pressed={turn === "mine"}
          onClick={() => setSearch({ turn: turn ? undefined : "mine", page: undefined })}
        >
          <IconHandClick size={17} stroke={1.7} aria-hidden />
          {counts ? t("order.mineOnlyCount", { count: counts.myTurn }) : t("order.mineOnly")}
        </UnstyledButton>
      </div>
      <div className={classes.tabs} role="group" aria-label={t("order.tabs")}>
        <Tab label={t("common.all")} count={counts?.all} isChosen={!state} onChoose={() => choose(undefined)} />
        {tabs.map((one) => (
          <Tab
            key={one}
            label={t(`order.tab.${one}`)}
            count={counts && (counts.states[one] ?? 0)}
            isChosen={state === one}
            onChoose={() => choose(one)}
          />
        ))}
      </div>
    </div>
  );
}

interface TabProps {
  label: string;
  count: number | undefined;
  isChosen: boolean;
  onChoose: () => void;
}
function Tab({ label, count, isChosen, onChoose }: TabProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // On a narrow page the row scrolls: the chosen state must be in sight.
    if (isChosen) button.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [isChosen]);
  return (
    <UnstyledButton
      ref={button}
      className={classes.tab}
      aria-pressed={isChosen}
      data-empty={count === 0 || undefined}
      onClick={onChoose}
    >
      {label}
      <span className={classes.count}>{count ?? ""}</span>
    </UnstyledButton>
  );
}

function SearchField() {
  const t = useTexts("order");
  const { search = "" } = useSearch();
  const setSearch = useSetSearch();
  const [typed, setTyped] = useState(search);
  const [known, setKnown] = useState(search);
  const pass = useDebouncedCallback((text: string) => setSearch({ search: text.trim(), page: undefined }), 300);
  // The address may change without the field: a link to all orders empties it.
  if (known !== search) {
    setKnown(search);
    if (typed.trim() !== search) setTyped(search);
  }
  const type = (text: string) => {
    setTyped(text);
    pass(text);
  };
  return (
    <TextInput
      className={classes.search!}
      type="search"
      aria-label={t("order.searchLabel")}
      placeholder={t("order.searchHint")}
      maxLength={60}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={typed && <CloseButton size="sm" aria-label={t("common.clear")} onClick={() => type("")} />}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
