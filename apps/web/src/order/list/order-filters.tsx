import { CloseButton, TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedCallback, useDisclosure } from "@mantine/hooks";
import { IconFilter, IconHandClick, IconSearch, IconUser } from "@tabler/icons-react";
import { Suspense, lazy, useEffect, useRef, useState } from "react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { parseStates } from "@arcada/contract/order/order-list.filter";
import { orderStates } from "@arcada/contract/order/order.lifecycle";
import type { OrderState } from "@arcada/contract/order/order.lifecycle";
import { useSearchParams, useSetSearchParams } from "../../browser/navigation.tsx";
import { useSignedInUser } from "../../session/current-user.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import classes from "./order-filters.module.css";
import { foldedFields } from "./use-filtered-orders.ts";
import type { OrderFilter } from "./use-filtered-orders.ts";

// The list is shown before anybody opens its filters.
const MoreFilters = lazy(async () => ({ default: (await import("./more-filters.tsx")).MoreFilters }));

/** Drafts have no tab of their own and appear under "all" alone. */
const tabs = orderStates.filter((state) => state !== "draft");

/** A greater `resetCount` drops what is typed but not applied. */
export function OrderFilters({ filter, resetCount }: { filter: OrderFilter; resetCount: number }) {
  const t = useTexts("order");
  const { data: counts } = useCall(orderCalls.counts, {}, { keepPrevious: true });
  const setSearch = useSetSearchParams();
  const foldedCount = foldedFields.filter((field) => filter[field] !== undefined).length;
  const [isOpen, open] = useDisclosure(foldedCount > 0);
  const { state, turn } = filter;
  const me = useSignedInUser().uuid;
  const choose = (chosen: OrderState | undefined) => setSearch({ state: chosen, states: undefined });
  return (
    <div className={classes.filters}>
      <div className={classes.line}>
        <SearchField />
        <div className={classes.buttons}>
          <UnstyledButton
            className={classes.turn}
            aria-pressed={turn === "mine"}
            onClick={() => setSearch({ turn: turn ? undefined : "mine" })}
          >
            <IconHandClick size={17} stroke={1.7} aria-hidden />
            {counts ? t("order.mineOnlyCount", { count: counts.myTurn }) : t("order.mineOnly")}
          </UnstyledButton>
          <UnstyledButton
            className={classes.turn}
            aria-pressed={filter.personId === me}
            onClick={() => setSearch({ personId: filter.personId === me ? undefined : me })}
          >
            <IconUser size={17} stroke={1.7} aria-hidden />
            {t("order.list.onlyMine")}
          </UnstyledButton>
          <UnstyledButton className={classes.turn} aria-expanded={isOpen} onClick={open.toggle}>
            <IconFilter size={17} stroke={1.7} aria-hidden />
            {foldedCount > 0 ? t("order.list.filtersOn", { count: foldedCount }) : t("order.list.filters")}
          </UnstyledButton>
        </div>
      </div>
      {isOpen && (
        <Suspense>
          <MoreFilters key={resetCount} filter={filter} />
        </Suspense>
      )}
      <div className={classes.tabs} role="group" aria-label={t("order.tabs")}>
        <Tab
          label={t("common.all")}
          count={counts?.all}
          isChosen={!state && !filter.states}
          onChoose={() => choose(undefined)}
        />
        {tabs.map((one) => (
          <Tab
            key={one}
            label={t(`order.tab.${one}`)}
            count={counts && (counts.states[one] ?? 0)}
            isChosen={state === one || parseStates(filter.states ?? "").includes(one)}
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
    // On a narrow page the row scrolls, so bring the selected state into view.
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
  const { search = "" } = useSearchParams();
  const setSearch = useSetSearchParams();
  const [typed, setTyped] = useState(search);
  const [appliedSearch, setAppliedSearch] = useState(search);
  const applySearch = useDebouncedCallback((text: string) => setSearch({ search: text.trim() }), 300);
  // The address may change without the field: a link to all orders clears it.
  if (appliedSearch !== search) {
    setAppliedSearch(search);
    if (typed.trim() !== search) setTyped(search);
  }
  const handleType = (text: string) => {
    setTyped(text);
    applySearch(text);
  };
  return (
    <TextInput
      className={classes.search!}
      type="search"
      aria-label={t("order.searchLabel")}
      placeholder={t("order.searchHint")}
      maxLength={60}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={typed && <CloseButton size="sm" aria-label={t("common.clear")} onClick={() => handleType("")} />}
      value={typed}
      onChange={(event) => handleType(event.currentTarget.value)}
    />
  );
}
