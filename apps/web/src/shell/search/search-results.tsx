import { Kbd, Text, UnstyledButton } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTexts } from "../../i18n/texts.ts";
import type { NameUnder } from "../../i18n/texts.ts";
import type { SearchEntry, SearchGroup } from "./search-entry.ts";
import classes from "./search.module.css";

interface Props {
  listId: string;
  groups: readonly SearchGroup[];
  /** The id of the chosen row. */
  chosen: string | undefined;
  isPending: boolean;
  hasFailed: boolean;
  typed: string;
  onOpen: (entry: SearchEntry, inNewTab: boolean) => void;
}

export function SearchResults({ listId, groups, chosen, isPending, hasFailed, typed, onOpen }: Props) {
  const t = useTexts("shell");
  return (
    <>
      {hasFailed && (
        <Text size="sm" c="red" className={classes.note} role="alert">
          {t("shell.search.failed")}
        </Text>
      )}
      <div
        id={listId}
        role="listbox"
        aria-label={t("shell.search.results")}
        aria-busy={isPending}
        className={classes.list}
      >
        {groups.map(({ id, title, entries }) => (
          <div key={id} role="group" aria-labelledby={`${listId}-${id}`}>
            <div id={`${listId}-${id}`} className={classes.heading}>
              {title}
            </div>
            {entries.map((entry) => (
              <Row
                key={entry.id}
                id={`${listId}-${entry.id}`}
                entry={entry}
                isChosen={entry.id === chosen}
                onOpen={onOpen}
              />
            ))}
          </div>
        ))}
      </div>
      {groups.length === 0 && !isPending && (
        <Text size="sm" c="dimmed" className={classes.note}>
          {t("shell.search.nothing", { text: typed })}
        </Text>
      )}
    </>
  );
}

interface RowProps {
  id: string;
  entry: SearchEntry;
  isChosen: boolean;
  onOpen: Props["onOpen"];
}
function Row({ id, entry, isChosen, onOpen }: RowProps) {
  const row = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  const { Icon, title, detail } = entry;
  return (
    <UnstyledButton
      ref={row}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className={classes.row}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => onOpen(entry, event.ctrlKey || event.metaKey)}
    >
      <Icon size={20} stroke={1.6} />
      <span className={classes.title}>{title}</span>
      {detail && <span className={`${classes.detail} arcada-figures`}>{detail}</span>}
    </UnstyledButton>
  );
}

/** The keys, for those who have some. */
export function SearchHints() {
  const t = useTexts("shell");
  return (
    <div className={classes.hints} aria-hidden>
      {hints.map(([name, ...keys]) => (
        <span key={name}>
          {keys.map((key) => (
            <Kbd key={key} size="xs">
              {key}
            </Kbd>
          ))}
          {t(`shell.search.hint.${name}`)}
        </span>
      ))}
    </div>
  );
}

const mod = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";
const hints: readonly [NameUnder<"shell.search.hint">, ...string[]][] = [
  ["choose", "↑", "↓"],
  ["open", "Enter"],
  ["newTab", mod, "Enter"],
  ["close", "Esc"],
];
