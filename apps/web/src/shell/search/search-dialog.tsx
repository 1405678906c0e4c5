import { CloseButton, Loader, Modal, TextInput, VisuallyHidden } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useId, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { screens } from "@arcada/contract/screens";
import { searchRules } from "@arcada/contract/search/search.calls";
import { stringifySearch, useOpenScreen } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { activeOverlay } from "../overlays/overlay-state.ts";
import type { SearchEntry } from "./search-entry.ts";
import { SearchHints, SearchResults } from "./search-results.tsx";
import { useSearchGroups } from "./use-search-groups.ts";
import classes from "./search.module.css";

/** Finds patients, orders, devices, people, pages and actions. It is worked by keyboard alone, as a combobox. */
export function Search({ onClose }: { onClose: () => void }) {
  const t = useTexts("shell");
  const [typed, setTyped] = useState("");
  const { groups, isPending, hasFailed } = useSearchGroups(typed);
  const entries = groups.flatMap((group) => group.entries);
  const choice = useChoice(entries, typed);
  const open = useOpenEntry(onClose);
  const openLater = useOpenWhenFound({ isPending, hasFailed, typed, first: entries[0], open });
  const listId = useId();
  const handleKey = (event: KeyboardEvent) => {
    // Enter ends the input of a Chinese character.
    if (event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229) return;
    const step = steps[event.key];
    if (step) choice.move(step);
    else if (event.key !== "Enter") return;
    else if (isPending && !choice.isMoved) openLater(isForNewTab(event));
    else if (choice.entry) open(choice.entry, isForNewTab(event));
    event.preventDefault();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      yOffset="10vh"
      size={680}
      padding={0}
      attributes={{ content: { "aria-label": t("shell.search.title") } }}
      classNames={{ content: classes.dialog, body: classes.body, inner: classes.inner }}
    >
      <div className={classes.head}>
        <SearchField
          typed={typed}
          onType={setTyped}
          onKeyDown={handleKey}
          listId={listId}
          chosen={choice.entry?.id}
          isPending={isPending}
        />
        <CloseButton hiddenFrom="sm" size="lg" aria-label={t("common.close")} onClick={onClose} />
      </div>
      <SearchResults
        listId={listId}
        groups={groups}
        chosen={choice.entry?.id}
        isPending={isPending}
        hasFailed={hasFailed}
        typed={typed.trim()}
        onOpen={open}
      />
      <SearchHints />
      <VisuallyHidden role="status">
        {typed.trim() !== "" && !isPending && t("shell.search.count", { count: entries.length })}
      </VisuallyHidden>
    </Modal>
  );
}

interface FieldProps {
  typed: string;
  onType: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  listId: string;
  /** The id of the chosen row, which has the keyboard's focus for screen readers. */
  chosen: string | undefined;
  isPending: boolean;
}

function SearchField({ typed, onType, onKeyDown, listId, chosen, isPending }: FieldProps) {
  const t = useTexts("shell");
  return (
    <TextInput
      variant="unstyled"
      size="lg"
      data-autofocus
      role="combobox"
      aria-label={t("shell.search.title")}
      aria-expanded
      aria-autocomplete="list"
      aria-controls={listId}
      aria-activedescendant={chosen && `${listId}-${chosen}`}
      placeholder={t("shell.search.placeholder")}
      leftSection={<IconSearch size={20} stroke={1.6} aria-hidden />}
      rightSection={isPending && typed !== "" ? <Loader size={16} /> : null}
      value={typed}
      maxLength={searchRules.maxText}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      className={classes.field}
    />
  );
}

const steps: Partial<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };
const isForNewTab = (event: { ctrlKey: boolean; metaKey: boolean }): boolean => event.ctrlKey || event.metaKey;

/** The chosen row: the first one until the user moves. It stays chosen when rows appear above it. */
function useChoice(entries: readonly SearchEntry[], typed: string) {
  const [moved, setMoved] = useState<{ typed: string; id: string } | null>(null);
  const movedTo = moved?.typed === typed ? entries.findIndex(({ id }) => id === moved.id) : -1;
  const place = Math.max(0, movedTo);
  const move = (step: 1 | -1) => {
    const next = entries[(place + step + entries.length) % entries.length];
    if (next) setMoved({ typed, id: next.id });
  };
  return { entry: entries[place], isMoved: movedTo !== -1, move };
}

function useOpenEntry(onClose: () => void): (entry: SearchEntry, inNewTab: boolean) => void {
  const go = useOpenScreen();
  return ({ target }, inNewTab) => {
    if (typeof target !== "function" && inNewTab)
      return void window.open(screens[target.screen].path + stringifySearch(target.search ?? {}), "_blank", "noopener");
    if (typeof target === "function") target();
    // An action may have opened another overlay in place of the search.
    if (activeOverlay.get() === "search") onClose();
    if (typeof target !== "function") go(target.screen, target.search);
  };
}

interface Waiting {
  isPending: boolean;
  hasFailed: boolean;
  typed: string;
  first: SearchEntry | undefined;
  open: (entry: SearchEntry, inNewTab: boolean) => void;
}
/** Users who type fast press Enter before the answer is here: then the first row of the answer is opened. */
function useOpenWhenFound({ isPending, hasFailed, typed, first, open }: Waiting): (inNewTab: boolean) => void {
  const requested = useRef<{ typed: string; inNewTab: boolean } | null>(null);
  useEffect(() => {
    const { current } = requested;
    if (current === null || isPending) return;
    requested.current = null;
    if (first && !hasFailed && current.typed === typed) open(first, current.inNewTab);
  });
  return (inNewTab) => (requested.current = { typed, inNewTab });
}
